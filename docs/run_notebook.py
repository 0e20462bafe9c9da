"""`make notebook`: run the notebook that ships in an empty folder, and keep what its cells show.

Boards with scripts are left out, so that it stays small and code hosts, which would show nothing in their place,
show the letters; so is what is no result, such as progress.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from qpolis.files import write_file

NOTEBOOK = Path(__file__).parents[1] / "qpolis" / "examples" / "notebooks" / "first_bot.ipynb"
LONGEST = 1200  # seconds that a cell may take: it may have to compile
MOST = 20_000  # characters of HTML that are kept


def executed(folder: Path) -> Any:
    """The notebook after all its cells were run in a folder; what a cell raises is raised."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=LONGEST, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def trimmed(notebook: Any) -> Any:
    """What is worth keeping: no boards with scripts, no progress, and nothing that is different each time."""
    for cell in notebook.cells:
        cell.metadata = nbformat.NotebookNode()
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if kept(output)]
            for output in cell.outputs:
                if len(output.get("data", {}).get("text/html", "")) > MOST:
                    del output.data["text/html"]
    notebook.metadata = {"kernelspec": notebook.metadata.kernelspec, "language_info": {"name": "python"}}
    return notebook


def kept(output: Mapping[str, Any]) -> bool:
    return output["output_type"] != "stream" or (output["name"] == "stdout" and "\r" not in output["text"])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        notebook = trimmed(executed(Path(folder)))
    text = nbformat.writes(notebook)
    write_file(NOTEBOOK, (text if text.endswith("\n") else text + "\n").encode())
    print(os.path.relpath(NOTEBOOK))


if __name__ == "__main__":
    main()

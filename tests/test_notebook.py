"""What notebooks show: positions and games as pictures, results as tables, a bar while one waits; and the notebook
that ships, run from its first cell to its last."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import nbformat
import pytest

import qpolis
from helpers.sizes import LENGTH
from qpolis.api.frames import Rows
from qpolis.report.content import progress
from qpolis.report.content.progress import Progress
from qpolis.report.pages import embedded

ROOT = Path(__file__).parent.parent
CELLS = 10  # of code

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter


@pytest.fixture(scope="module")
def running():
    """docs/run_notebook.py, which runs the notebook that ships."""
    spec = importlib.util.spec_from_file_location("run_notebook", ROOT / "docs" / "run_notebook.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell, kind):
    """What a cell shows of a kind."""
    return "".join(output.data.get(kind, "") for output in cell.outputs if "data" in output)


def printed(cell, name):
    return "".join(output.text for output in cell.outputs if output.get("name") == name)


# In `make test` a bot is checked in one variant of the game: each starts its process several times.
ONE_VARIANT = """from qpolis.conformance import bench
all_variants = bench.variants
bench.variants = lambda name: all_variants(name)[:1]
"""


def quickly(cell):
    """The same cell with a shorter tournament, and a shorter check."""
    check = ONE_VARIANT if LENGTH == 1 and "qpolis.check(" in cell.source else ""
    return check + cell.source.replace("games=60", "games=6")


@pytest.mark.long
@pytest.mark.filterwarnings("default::ResourceWarning", "default::DeprecationWarning")  # of Jupyter
def test_the_notebook_that_ships_runs_from_an_empty_folder_to_a_rated_bot(running, folder, monkeypatch):
    notebook = nbformat.read(running.NOTEBOOK, as_version=4)
    monkeypatch.setattr(running.nbformat, "read", lambda path, as_version: notebook)
    for cell in code_cells(notebook):
        cell.source = quickly(cell)
    cells = code_cells(running.executed(folder))
    assert len(cells) == CELLS
    assert "<iframe" in shown(cells[1], "text/html")
    assert "N1" in shown(cells[1], "text/plain")
    assert "<iframe" in shown(cells[3], "text/html")
    assert shown(cells[5], "text/plain") == "True"
    assert printed(cells[6], "stdout").count("best is") == 3
    assert "./my_bot.py" in shown(cells[7], "text/html")
    assert shown(cells[8], "text/plain").count("\n") == 4  # a line for each bot
    assert shown(cells[9], "image/png").startswith("iVBOR")
    complaints = "".join(printed(cell, "stderr") for cell in cells).replace("compiling (first run only) ...", "")
    assert complaints.strip() == ""
    assert {path.name for path in folder.iterdir()} - {"__pycache__"} == {"my_bot.py", "results"}


def test_the_notebook_that_ships_has_its_outputs_and_is_small(running):
    notebook = nbformat.read(running.NOTEBOOK, as_version=4)
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, CELLS + 1))
    assert all(cell.outputs for cell in cells)
    assert running.NOTEBOOK.stat().st_size < 150_000
    assert "/home/" not in running.NOTEBOOK.read_text()


def test_a_position_is_a_picture_in_a_frame_of_its_own(browser):
    from helpers.browser import watched

    state = qpolis.load_game("quadropolis").new(seed=3)
    with watched(browser) as page:
        page.set_content(f"<p>{state._repr_html_()}</p>")
        frame = page.frames[1]
        frame.wait_for_selector(".board svg")
        assert frame.locator(".players li.turn").inner_text().startswith("0")
        height = frame.evaluate("document.documentElement.scrollHeight")
        assert height <= embedded.STATE_HEIGHT
    assert repr(state) == "<Quadropolis: seat 0 to decide>"


def test_a_game_is_stepped_through_in_its_frame(browser):
    from helpers.browser import watched

    played = qpolis.match(["greedy", "random"], seed=3)
    with watched(browser) as page:
        page.set_content(played._repr_html_())
        frame = page.frames[1]
        frame.click("button[aria-label^=forward]")
        assert frame.inner_text(".said").startswith(f"1 of {len(played)}")
        frame.click(".moves a[data-number='7']")
        assert frame.inner_text(".said").startswith(f"7 of {len(played)}")
        assert frame.url == "about:srcdoc"


def test_what_a_bot_is_called_stays_text_in_a_notebook():
    class Evil(qpolis.Bot):
        def choose(self, legal):
            return legal[0]

    Evil.__name__ = "<script>alert(1)"
    run = qpolis.tournament([Evil, "random"], games=2, debug=True, quiet=True)
    assert "<script>" not in run._repr_html_()
    assert "<script>" not in Rows([{"bot": "<script>"}])._repr_html_()
    assert "<script>alert(1)" not in qpolis.match([Evil, "random"], debug=True)._repr_html_()


def test_the_bar_of_a_notebook_needs_no_widgets_and_says_nothing_on_stderr(monkeypatch, capsys):
    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    monkeypatch.setattr(progress, "NOTICED", 0.0)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    bar = Progress(40, 0, quiet=False)
    bar(10, "greedy 75%")
    bar.close()
    said = capsys.readouterr()
    assert "10/40" in said.out or "0/40" in said.out
    assert said.err == ""

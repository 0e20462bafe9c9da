"""A page that is one file: styles, scripts and data inside it, and a policy that lets nothing else in.

The browser runs only the scripts whose digests stand in the page's Content-Security-Policy, and fetches nothing;
so even markup that found its way into a page could do nothing.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from qpolis.report.content.viewer_files import viewer_code
from qpolis.report.pages.markup import Html, join, tag, text

STATIC = Path(__file__).parent.parent / "static"


def page(
    title: str,
    body: Html,
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    games: Iterable[str] = (),
    data: Mapping[str, Any] | None = None,
    connect: str = "'none'",
) -> bytes:
    """A whole page. `styles` and `scripts` are files in `static/`, behind those that all pages have; `games` those
    whose viewers it needs; `data` what the scripts find under its name. `connect`: where they may connect to."""
    games = list(games)
    codes = _codes(scripts, games)
    head = [
        tag("meta", charset="utf-8"),
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content=content_security_policy(scripts=scripts, games=games, connect=connect),
        ),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        *(Html(f"<style>\n{static(name)}</style>") for name in ("base.css", *styles)),
    ]
    blocks = [json_block(name, value) for name, value in (data or {}).items()]
    ends = [Html(f"<script>{code}</script>") for code in codes]
    whole = tag("html", tag("head", head), tag("body", body, blocks, ends), lang="en")
    return f"<!doctype html>\n{whole}\n".encode()


def content_security_policy(
    *, scripts: Sequence[str] = (), games: Iterable[str] = (), connect: str = "'none'"
) -> str:
    """The Content-Security-Policy of a page with these scripts."""
    digests = " ".join(map(script_digest, _codes(scripts, games)))
    rules = {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "connect-src": connect,
        "script-src": digests,
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{key} {value}" for key, value in rules.items())


def _codes(scripts: Sequence[str], games: Iterable[str]) -> list[str]:
    """All scripts of a page, in their order."""
    return [*(static(name) for name in ("base.js", "tables.js", *scripts)), *filter(None, map(viewer_code, games))]


@cache
def static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def script_digest(code: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def json_block(name: str, value: Any) -> Html:
    """Data for the scripts of the page, which find it by its name."""
    said = json.dumps(value, separators=(",", ":"), allow_nan=False)
    for char in "<>&\u2028\u2029":
        said = said.replace(char, f"\\u{ord(char):04x}")
    return Html(f'<script type="application/json" id="{text(name)}">{said}</script>\n')


def packed(value: Any) -> str:
    """Data as a text a tenth as long, which `qpolis.unpack` reads: for what is not looked at in every page."""
    said = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(said.encode(), mtime=0)).decode()


def section(anchor: str, heading: str, *content: object, note: str = "") -> Html:
    """A part of a page that can be linked to."""
    said = [tag("p", note, class_="note")] if note else []
    return tag("section", tag("h2", heading), said, content, id=anchor)


def notice(*content: object) -> Html:
    """What a reader must know before believing the numbers."""
    return tag("p", tag("b", "Note: "), content, class_="warning")


def table(
    heading: Sequence[object], rows: Iterable[Sequence[object]], *, sortable: bool = True, class_: str = ""
) -> Html:
    """A table; one that can be sorted by its columns, by `data-value` of a cell or by what it says. A cell is
    content, or an element made by `cell`."""
    head = tag("tr", [one if is_cell(one, "th") else tag("th", one, scope="col") for one in heading])
    body = [tag("tr", [one if is_cell(one, "t") else tag("td", one) for one in row]) for row in rows]
    return tag(
        "div",
        tag("table", tag("thead", head), tag("tbody", body), class_=class_ or None, data_sortable=sortable),
        class_="wide",
    )


def cell(content: object, value: float | str | None = None, name: str = "td", **attributes: object) -> Html:
    """A cell that sorts by `value`."""
    return tag(name, content, data_value=value, **attributes)


def sort_key(value: float) -> str:
    """What a cell with a number sorts by: nothing, and last, if it is unknown or without bound."""
    return f"{value:.6g}" if math.isfinite(value) else ""


def text_cell(content: object, name: str = "th") -> Html:
    """A cell with words."""
    return tag(name, content, class_="words", scope="col" if name == "th" else None)


def is_cell(content: object, kind: str) -> bool:
    return isinstance(content, Html) and content.startswith(f"<{kind}")


__all__ = [
    "cell",
    "content_security_policy",
    "join",
    "json_block",
    "notice",
    "packed",
    "page",
    "section",
    "sort_key",
    "static",
    "table",
    "text_cell",
]

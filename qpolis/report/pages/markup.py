"""HTML from Python, in which a text stays a text: only what is `Html` already is taken as markup."""

from __future__ import annotations

import html
from collections.abc import Iterable

VOID = ("br", "hr", "img", "input", "link", "meta", "col")  # elements without an end


class Html(str):
    """Markup. Everything else is text, whatever is in it."""

    __slots__ = ()


Content = object  # a text, a number, Html, None for nothing, or a list of those


def text(content: Content) -> Html:
    """Content as markup."""
    if content is None:
        return Html()
    if isinstance(content, Html):
        return content
    if isinstance(content, list | tuple):
        return join(content)
    return Html(html.escape(printable(str(content))))


def printable(value: str) -> str:
    """Names of files need not be text: what cannot be encoded is shown as its code, and no control character is
    left to reorder or hide what stands beside it."""
    return "".join(char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in value)


def join(parts: Iterable[Content]) -> Html:
    return Html("".join(map(text, parts)))


def tag(name: str, /, *content: Content, **attributes: object) -> Html:
    """An element: `tag("a", "here", href="#there", class_="link")`. An attribute that is None or False is left
    out; `class_` is class, `data_x` is data-x."""
    said = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{said}>" if name in VOID else f"<{name}{said}>{join(content)}</{name}>")

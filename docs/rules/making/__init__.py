"""What `make rules` writes: the tables, numbers and pictures of the rules that people read, from the rules data.

A game has a page `docs/rules/<game>.md` and a module `making/<game>.py` (or a folder of that name) with

    TABLES     by name, functions that return Markdown: `markdown.table`
    PICTURES   by name, functions that return SVG: `svg.picture`

and, for numbers inside sentences, if it likes

    NUMBERS    by name, functions that return a short text

In the page a table stands between two comments, each alone on its line, and a number between two inside a line:

    <!-- begin towers -->
    <!-- end towers -->

    A game has <!-- begin rounds -->4<!-- end rounds --> rounds.

A picture is written to `pictures/<game>-<name>.svg`, and the page shows it as any other, with a text for those who
cannot see it. `making/write.py` puts all in its place; `tests/test_rules_pages.py` compares.

`making/observations.py` writes what programs that learn see of all games into `docs/observations.md`.
"""

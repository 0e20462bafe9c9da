"""Who is told, in place of the user, that this process compiles. Apart from `kernel`, so that the process of a bot
can ask for it before anything loads the compiler."""

from __future__ import annotations

from collections.abc import Callable

instead: Callable[[], None] | None = None

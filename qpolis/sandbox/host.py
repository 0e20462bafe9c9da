"""Runs a bot written in Python as a program of its own, which speaks JSON lines as any other program does.

    host.py REFERENCE ATTRIBUTE              plays: the class or policy ATTRIBUTE of a .py file or a module
    host.py --inspect REFERENCE [ATTRIBUTE]  prints one JSON line that describes the bots in it

Run by its path, so that neither the compiler nor NumPy is loaded unless the bot asks for it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import operator
import os
import signal
import sys
from typing import IO, Any

HERE = os.path.dirname(os.path.abspath(__file__))
if __name__ == "__main__":
    # Python puts a script's folder first, and the random.py in ours would hide the standard one.
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    # The qpolis that started this process, whichever other one may be installed. Named by its file, because in a
    # jail the folder around it cannot be listed.
    package = os.path.dirname(HERE)
    start = os.path.join(package, "__init__.py")
    spec: Any = importlib.util.spec_from_file_location("qpolis", start, submodule_search_locations=[package])
    sys.modules["qpolis"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["qpolis"])

from qpolis import announcement  # noqa: E402
from qpolis.bot import GameInfo  # noqa: E402
from qpolis.parameters import checked, declared  # noqa: E402
from qpolis.sandbox.loading import error_text, inspect, is_policy, load, trace_text  # noqa: E402

PROTOCOL = 1
COMMAND = (sys.executable, "-u", os.path.abspath(__file__))
SHOWN = 80  # characters of a choice that is none
WORD = 1 << 63  # an action fits into 64 bits


class Host:
    """One bot and its games, one after the other, as the messages say."""

    def __init__(self, reference: str, attribute: str) -> None:
        self.reference = reference
        self.attribute = attribute
        self.bot: Any = None  # of the game that is played
        self.failed: dict[str, Any] | None = None  # why this game's bot cannot play

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a message, None if it wants none. What the bot raises is an answer, too."""
        try:
            kind = message.get("type")
            if kind == "hello":
                return self.hello(message)
            if kind == "start":
                self.bot = self.failed = None
                self.bot = self.make(message["seat"], message["seed"])
            elif kind == "choose":
                return self.failed or self.choose(message)
            elif kind == "end" and self.bot is not None:
                bot, self.bot = self.bot, None
                bot.observe(message["observation"])
        except BaseException as error:  # SystemExit, too: the bot raised it, and must not end us
            self.bot = None
            end = "memory" if isinstance(error, MemoryError) else "crash"
            text, trace = error_text(error, self.reference), trace_text(error)
            self.failed = {"type": "error", "end": end, "message": text, "trace": trace}
            tell(trace or text)
            if message.get("type") in ("hello", "choose"):
                return self.failed
        return None

    def hello(self, message: dict[str, Any]) -> dict[str, Any]:
        """Load the bot, and all it needs for this game."""
        game = message["game"]
        self.game = {key: game[key] for key in ("name", "title", "players", "options")}
        self.made = load(self.reference, self.attribute)
        uses_games = "qpolis.games" in sys.modules
        if "path" in game:  # it is not part of qpolis, and not installed
            from qpolis.games.finder import locate

            locate(game["name"], game["path"])
        given = message.get("parameters", {})
        if is_policy(self.made):
            from qpolis.sandbox import policy_bot

            self.parameters = given
            policy_bot.warm(self.made, GameInfo(**self.game), given)
        else:
            takes = declared(getattr(self.made, "PARAMETERS", {}))
            self.parameters = checked(f"parameter of {self.attribute}", takes, given)
            if uses_games:  # it will load the game: better now than in its first decision
                sys.modules["qpolis.games"].load_game(game["name"], **game["options"]).warm()
        announcement.instead = lambda: None  # from now on a line that nobody asked for would be an answer
        return {"type": "hello", "protocol": PROTOCOL, "name": self.attribute}

    def make(self, seat: int, seed: int) -> Any:
        """A new bot, as for every game."""
        self.info = GameInfo(**self.game)
        if is_policy(self.made):
            from qpolis.sandbox.policy_bot import PolicyBot

            return PolicyBot(self.made, self.info, seed, self.parameters)
        return self.made(self.info, seat, seed, dict(self.parameters))

    def choose(self, message: dict[str, Any]) -> dict[str, Any]:
        if "state" in message:
            return {"action": self.bot.choose_by_state(message["state"])}
        legal = message["legal"]
        self.info.texts.update(zip(legal, message.get("texts", ())))
        self.bot.observe(message["observation"])
        return plain_choice(self.bot.choose(legal), legal)


def plain_choice(choice: Any, legal: list[int]) -> dict[str, Any]:
    """What the bot chose as an answer: a whole number, or an error that says what it is instead."""
    if not isinstance(choice, bool):
        with contextlib.suppress(TypeError):
            number = operator.index(choice)
            return {"action": number if -WORD <= number < WORD else "a huge number"}
    kind = "" if choice is None else f", a {type(choice).__name__}"
    shown = repr(choice)
    shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]} ..."
    text = f"choose returned {shown}{kind}: it must return one of the ints in legal, such as {legal[0]}"
    return {"type": "error", "end": "illegal", "message": text}


def tell(text: str) -> None:
    """Write to standard error, behind what the bot printed, whatever it made of sys.stderr."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    with contextlib.suppress(OSError):
        os.write(2, f"{text}\n".encode("utf-8", "replace"))


def serve(host: Host, incoming: IO[str], outgoing: IO[str]) -> None:
    """Answer messages until there are no more."""
    for line in incoming:
        message = json.loads(line)
        if message.get("type") == "quit":
            return
        answer = host.answer(message)
        if answer is not None:
            outgoing.write(json.dumps(answer) + "\n")
            outgoing.flush()


def private_streams() -> tuple[IO[str], IO[str]]:
    """The two streams of the protocol, out of the bot's reach: what it prints goes to standard error, also from
    compiled code, and it reads nothing."""
    incoming = os.fdopen(os.dup(0), encoding="utf-8", newline="\n")
    outgoing = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return incoming, outgoing


def die_with_parent() -> None:
    """Ask the system to end this process with the one that started it (Linux; elsewhere its pipe just closes)."""
    if sys.platform == "linux":
        try:
            import ctypes

            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # 1 is PR_SET_PDEATHSIG
        except (ImportError, OSError, AttributeError):
            pass


def announce_compiling(outgoing: IO[str]) -> None:
    """Say so before the first kernel is compiled: it takes time that is not the bot's."""

    def announce() -> None:
        outgoing.write(json.dumps({"type": "compiling"}) + "\n")
        outgoing.flush()

    announcement.instead = announce


def main(arguments: list[str]) -> None:
    die_with_parent()
    incoming, outgoing = private_streams()
    announce_compiling(outgoing)
    with incoming, outgoing:
        if arguments[0] == "--inspect":
            print(json.dumps(inspect(*arguments[1:])), file=outgoing)
        else:
            serve(Host(*arguments), incoming, outgoing)


if __name__ == "__main__":
    main(sys.argv[1:])

"""`qpolis serve` without a browser: who is let in, what is refused, what the person sees, and what is saved."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import aiohttp
import pytest

import qpolis
from helpers.command_line import run
from helpers.programs import left_over
from helpers.serving import NEW, PATIENCE, in_loop, opened, seated, serving
from qpolis.games import names
from qpolis.registry.spec import resolve
from qpolis.report.content import replay
from qpolis.serve import person_game, saving
from qpolis.serve import server as server_module
from qpolis.tourney.match import play_stepwise
from qpolis.tourney.run import read_chunks, saved_plan

FIRST = "from qpolis import Bot\nclass First(Bot):\n    def choose(self, legal): return {}\n"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@pytest.fixture
def unfinished(monkeypatch):
    """Games are saved without their tables and plots, which take a while and are tested elsewhere."""
    monkeypatch.setattr(saving, "finish", lambda *_: None)


# -- who is let in -------------------------------------------------------------------------------------------


def test_only_who_has_the_address_comes_in():
    async def test(server):
        root, token = f"http://127.0.0.1:{server.port}", server.token
        cases = [
            (f"/{token}/", {}, 200),
            (f"/{token}/", {"Host": f"localhost:{server.port}"}, 200),
            ("/", {}, 404),
            (f"/{token[:-1]}/", {}, 404),
            (f"/{token}x/", {}, 404),
            (f"/{token}/other", {}, 404),
            ("/%ff%00/ws", {}, 404),
            ("/ws", {}, 404),
            (f"//{token}/", {}, 404),
            (f"/{token}/", {"Host": "evil.example"}, 403),
            (f"/{token}/", {"Host": "127.0.0.1"}, 403),
            (f"/{token}/", {"Host": f"evil.example:{server.port}"}, 403),
            (f"/{token}/ws", {}, 403),
            (f"/{token}/ws", {"Origin": root}, 400),
        ]
        async with aiohttp.ClientSession() as session:
            for path, headers, status in cases:
                async with session.get(root + path, headers=headers) as answer:
                    assert (answer.status, path) == (status, path)
                    assert HEADERS.items() <= answer.headers.items()
                    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
                    assert "Server" not in answer.headers
                    assert token not in str(answer.headers)
                    if status != 200:
                        assert answer.content_type == "text/plain"
                        assert token not in await answer.text()
            async with session.post(f"{root}/{token}/") as answer:
                assert answer.status == 405
            for origin in (
                None,
                "null",
                "https://evil.example",
                f"http://localhost:{server.port}",
                f"https://127.0.0.1:{server.port}",
                f"http://127.0.0.1:{server.port + 1}",
            ):
                with pytest.raises(aiohttp.WSServerHandshakeError) as error:
                    await session.ws_connect(f"{server.url}ws", origin=origin)
                assert error.value.status == 403

    in_loop(test)


STRANGE = [
    (b"OPTIONS * HTTP/1.1\r\nHost: {}\r\n\r\n", b"404"),
    (b"GET / HTTP/1.1\r\n\r\n", b"400"),
    (b"\x16\x03\x01\x02\x00 not HTTP\r\n\r\n", b"400"),
    (b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\nHost: {}\r\n\r\n", b"400"),
]


def test_what_is_not_for_us_is_answered_without_a_word_on_the_terminal(caplog):
    with serving() as server:
        for said, code in STRANGE:
            with socket.create_connection(("127.0.0.1", server.port)) as strange:
                strange.sendall(said.replace(b"{}", f"127.0.0.1:{server.port}".encode()))
                assert strange.recv(12).split()[1] == code
    assert not caplog.records


def test_a_tab_that_does_not_read_is_dropped(monkeypatch):
    monkeypatch.setattr(server_module, "MOST_WAITING", 10)

    async def test(server):
        async with opened(server) as tab:
            (here,) = server._open
            monkeypatch.setattr(here, "send_str", lambda _: asyncio.Event().wait())  # as if its pipe were full
            for _ in range(20):
                await tab.say(type="undo")
            while server._open:
                await asyncio.sleep(0.01)

    in_loop(test)


def test_the_end_does_not_depend_on_tabs(monkeypatch):
    async def test(server):
        async with opened(server):
            (here,) = server._open

            async def close(**_):  # whoever sends to it is stopped, and what both wait for is cancelled
                raise asyncio.CancelledError

            monkeypatch.setattr(here, "close", close)
            await server.__aexit__()

    in_loop(test)


def test_the_page_runs_its_own_scripts_only():
    async def test(server):
        async with aiohttp.ClientSession() as session, session.get(server.url) as answer:
            text, rules = await answer.text(), answer.headers["Content-Security-Policy"]
        assert f"connect-src ws://127.0.0.1:{server.port} ws://localhost:{server.port};" in rules
        assert "default-src 'none'" in rules
        assert "unsafe" not in rules.replace("style-src 'unsafe-inline'", "")
        assert rules.count("'sha256-") == text.count("<script>")
        assert "play.js" not in text  # everything is inside
        assert server.token not in text

    in_loop(test)


def test_the_port_is_of_this_machine_only_and_can_be_taken():
    async def test(server):
        assert server._socket.getsockname()[0] == "127.0.0.1"
        with pytest.raises(qpolis.QpolisError, match=f"port {server.port}: cannot be used: Address already"):
            type(server)(server.controller, server.port)

    in_loop(test)


# -- what is refused -----------------------------------------------------------------------------------------

MALFORMED = [
    ("", "a message that is not JSON"),
    ("{", "a message that is not JSON"),
    ("[" * 9000, "a message that is not JSON"),
    ("[1]", "a message that is not a JSON object"),
    ("null", "a message that is not a JSON object"),
    (b"{}", "a message that is not text"),
    ('"' + "x" * 10_000 + '"', "a message of 10,002 characters"),
    ("{}", "unknown type of message None"),
    ('{"type": "undu"}', "unknown type of message 'undu', did you mean 'undo'?"),
    ('{"type": ["undo"]}', "unknown type of message ['undo']"),
    ('{"type": "undo", "at": 3}', "unknown key of undo 'at'"),
    ('{"type": "choose", "at": 0}', "choose: action is missing"),
    ('{"type": "choose", "action": 0}', "choose: at is"),
    ('{"type": "choose", "action": "0", "at": 0}', "choose: action is not a whole number"),
    ('{"type": "choose", "action": true, "at": 0}', "choose: action is not a whole number"),
    ('{"type": "choose", "action": 0.0, "at": 0}', "choose: action is not a whole number"),
    ('{"type": "choose", "action": 0, "at": 1}', "choose: at is 1, and 0 decisions were made"),
    ('{"type": "choose", "action": -1, "at": 0}', "choose: action -1 is not legal here"),
    ('{"type": "choose", "action": 999999999999, "at": 0}', "choose: action 999999999999 is not legal here"),
    ('{"type": "undo"}', "undo: only in casual games"),
    ('{"type": "hint"}', "hint: only in casual games"),
    ('{"type": "save"}', "save: there is no game that waits"),
    (json.dumps(NEW), "a game is being played here"),
]
WRONG = [
    ({"game": "chess"}, "unknown game 'chess'"),
    ({"game": 5}, "new: game is not the name of a game"),
    ({"options": {"colour": "red"}}, "unknown option of quadropolis 'colour'"),
    ({"options": {"players": 9}}, "option players: 9 is not one of 2, 3, 4"),
    ({"options": {"mix": 5}}, "option mix: 5 is not a text"),
    ({"options": {"mix": None}}, "new: options is not a table"),
    ({"options": {"mix": "./\0.csv"}}, "new: options is not a table"),
    ({"options": {"mix": "./\ud800.csv"}}, "new: options is not a table"),
    ({"options": []}, "new: options is not a table"),
    ({"seats": [None]}, "1 bot for 2 seats"),
    ({"seats": [None, None]}, "new: seats is not a list of bots"),
    ({"seats": ["random", "greedy"]}, "new: seats is not"),
    ({"seats": [None, 5]}, "new: seats is not"),
    ({"seats": [None, "radnom"]}, "unknown bot 'radnom', did you mean"),
    ({"seats": [None, "mcts:sims=x"]}, "parameter sims: 'x' is not a whole number"),
    ({"seats": [None, "./none.py"]}, "./none.py: no such file"),
    ({"seats": [None, ""]}, "an empty bot spec"),
    ({"seats": [None, "person"]}, "one seat is for the person"),
    ({"seats": [None, "a\nb"]}, "bots: "),
    ({"seats": [None, "greedy:forbid=castle"]}, "unknown kind of building"),
    ({"seed": -1}, "seed: -1 is not a whole number from 0"),
    ({"seed": 1.5}, "new: seed is not a whole number"),
    ({"seed": ""}, "new: seed is not a whole number"),
    ({"seed": "-1"}, "new: seed is not a whole number"),
    ({"seed": "²"}, "new: seed is not a whole number"),
    ({"seed": "1" * 40}, "new: seed is not a whole number"),
    ({"seed": "9" * 39}, "seed: 999999999999999999999999999999999999999 is not a whole number from 0"),
    ({"casual": 1}, "new: casual is not true or false"),
    ({"more": 1}, "unknown key of new 'more'"),
]


def test_what_is_malformed_changes_nothing(folder):
    async def test(server):
        async with opened(server) as tab:
            for changes, reason in WRONG:
                assert (await tab.refused(**{**NEW, **changes})).startswith(reason)
            assert await tab.refused(type="choose", action=0, at=0) == "it is not your turn"
            assert await tab.refused(type="undo") == "undo: there is no game"
            assert (tab.status["phase"], tab.replay) == ("lobby", None)
        async with seated(server, casual=False) as tab:
            before = tab.replay, tab.status
            for text, reason in MALFORMED:
                assert (await tab.refused(text)).startswith(reason)
        async with opened(server) as tab:
            assert (tab.replay, tab.status) == before
            await tab.play(1)
            assert tab.status["at"] > 0

    in_loop(test)


# -- the game ------------------------------------------------------------------------------------------------


def test_tabs_share_a_game_that_outlives_them(folder):
    async def test(server):
        async with seated(server) as one, opened(server) as two:
            assert (two.replay, two.status) == (one.replay, one.status)
            await one.play(2)
            await two.until("turn", at=one.status["at"])
            assert (two.replay, two.status) == (one.replay, one.status)
            at = two.status["at"]
            await one.choose()
            assert (await two.refused(type="choose", action=two.status["legal"][0]["action"], at=at)).startswith(
                ("choose: at is", "it is not your turn", "that was decided already")
            )
            await one.until("turn")
        async with opened(server) as three:
            assert (three.replay, three.status) == (one.replay, one.status)

    in_loop(test)


def test_a_second_click_does_not_play_twice(folder):
    async def test(server):
        async with seated(server) as tab:
            action = tab.status["legal"][0]["action"]
            await tab.say(type="choose", action=action, at=0)
            assert await tab.refused(type="choose", action=action, at=0)
            while tab.status["at"] == 0:
                await tab.hear()
            own = [frame["move"] for frame in tab.replay["frames"] if frame["move"] and frame["move"]["seat"] == 0]
            assert [move["action"] for move in own] == [action]

    in_loop(test)


def test_an_undo_goes_back_to_the_last_decision_of_the_person(folder):
    async def test(server):
        async with seated(server, seats=["random", None]) as tab:
            assert not tab.status["undo"]
            assert await tab.refused(type="undo") == "undo: you have decided nothing yet"
            await tab.play(3)
            before, status = json.loads(json.dumps(tab.replay)), tab.status
            await tab.play(1)
            after = json.loads(json.dumps(tab.replay))
            await tab.say(type="undo")
            await tab.until("turn")
            assert (tab.replay, tab.status) == (before, status)
            await tab.play(1)
            assert tab.replay == after  # chance and the bots go on with the random numbers they had
            for _ in range(3):
                await tab.say(type="undo")
                await tab.until("turn")
            await tab.say(type="undo")
            assert not (await tab.until("turn"))["undo"]

    in_loop(test)


@pytest.mark.parametrize("name", names())
def test_a_person_sees_what_the_seat_may_know(folder, name):
    """Positions, points and hints are the same for any state in which the seat sees the same."""

    async def test(server):
        async with seated(server, game=name, seed=8) as tab:
            assert tab.status["seed"] is None  # from which everything could be known
            await tab.play(3)
            await tab.say(type="hint")
            hints = (await tab.until("turn", hinting=False))["hints"]
            return tab.replay, hints, [json.dumps(said) for said in tab.heard]

    shown, hints, said = in_loop(test)
    game = qpolis.load_game(name)
    state = game.new(8)
    drawn = replay.viewer_file(game) is None
    for number, frame in enumerate(shown["frames"]):
        assert set(frame["position"]) <= set(state.observe(0))
        assert frame["position"] == {key: state.observe(0)[key] for key in frame["position"]}
        if not drawn:
            other = game.imagine(state.observe(0), seed=number)
            assert replay.frame(other, 0) == replay.frame(state, 0) == {**frame, "move": None}
        if frame["move"]:
            state.apply(frame["move"]["action"])
    assert not any('"chance"' in text for text in said)
    at = len(shown["frames"]) - 1
    for seed in range(2):
        assert person_game.Hint(game.imagine(state.observe(0), seed=seed), 0, at).search() == hints
    assert hints["visits"] > 0
    assert {row["action"] for row in hints["rows"]} <= set(state.legal())


def test_the_game_is_that_of_a_tournament(folder):
    """A person who does what a bot does plays the bot's game."""
    Path("first.py").write_text(FIRST.format("legal[0]"))

    async def test(server):
        bots = [None, "heuristic", "mcts:sims=20"]
        async with seated(server, seats=bots, options={"players": "3"}, seed=11) as tab:
            await tab.play(5)
            return [frame["move"]["action"] for frame in tab.replay["frames"] if frame["move"]]

    moves = in_loop(test)
    actions: list[int] = []
    bots = [resolve(spec) for spec in ("./first.py", "heuristic", "mcts:sims=20")]
    play_stepwise(
        qpolis.load_game("quadropolis", players=3),
        bots,
        11,
        0,
        1,
        on_decision=lambda *decided: actions.append(decided[3]),
    )
    assert actions[: len(moves)] == moves


@pytest.mark.parametrize(
    ("code", "end", "reason"),
    [
        ("1 // 0", "crash", "ZeroDivisionError"),
        ("10**6", "illegal", "chose 1000000, which is not one of"),
        ("__import__('time').sleep(60)", "timeout", "no answer within 0.5 s"),
        ("__import__('os')._exit(3)", "crash", "exited with code 3"),
    ],
)
def test_a_bot_that_fails_forfeits_and_the_server_goes_on(folder, mark, unfinished, code, end, reason):
    Path("bad.py").write_text(FIRST.format(code))

    async def test(server):
        async with seated(server, seats=[None, "./bad.py"]) as tab:
            await tab.play()
            result = tab.status["result"]
            assert (result["ends"], result["ranks"]) == (["stopped", end], [0, 1])
            assert reason in result["reasons"][1]
            folder = Path((await tab.until("over", saving=False))["saved"])
            await tab.say(**NEW)
            await tab.until("turn")
        (chunk,) = read_chunks(folder, moves=True)
        assert chunk.reasons == {(0, 1): result["reasons"][1]}
        assert chunk.decisions.tolist() == [[len(chunk.actions), int(end == "illegal")]]

    in_loop(test, time_limit=0.5)


def test_whoever_leaves_does_not_wait_for_a_bot(folder, mark):
    Path("slow.py").write_text(FIRST.format("__import__('time').sleep(60)"))

    async def test(server):
        async with opened(server) as tab:
            for _ in range(2):
                await tab.say(**{**NEW, "seats": ["./slow.py", None]})
                await tab.until("thinking")
                await tab.say(type="leave")
                await tab.until("lobby")
            assert tab.replay is None

    in_loop(test, time_limit=60.0)
    assert not left_over(mark)


# -- saving --------------------------------------------------------------------------------------------------


def test_a_finished_game_is_saved_as_a_run(folder):
    Path("results").write_text("not a folder")

    async def test(server):
        async with seated(server, seats=["random", None, "random"], options={"players": 3}, seed=2**53) as tab:
            await tab.play()
            problem = (await tab.until("over", saving=False))["problem"]
            assert re.match("not saved: results: is a file, not a folder: ", problem)
            Path("results").unlink()
            await tab.say(type="save")
            status = await tab.until("over", saving=False)
            assert status["problem"] is None
            assert status["seed"] == str(2**53)
            assert await tab.refused(type="save") == "save: there is no game that waits to be saved"
            return Path(status["saved"]), status["result"], tab.replay

    saved, result, shown = in_loop(test)
    plan = saved_plan(saved)
    assert plan.bots == ("random", "person")
    assert {"games.csv", "ratings.csv", "plots", "journal.bin", "plan.toml"} <= set(os.listdir(saved))
    assert "1 games played again: scores, ranks and hashes agree" in run("verify", str(saved))
    text = run("replay", str(saved), "--game", "0")
    assert "seat 1 is person\n" in text
    assert text.endswith(
        "".join(
            f"seat {seat}: {points} points, place {rank + 1}\n"
            for seat, points, rank in zip(range(3), result["points"], result["ranks"])
        )
    )
    assert text.count("\nseat ") > len(shown["frames"])


def test_a_full_disk_loses_nothing(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    async def test(server):
        async with seated(server, casual=False) as tab:
            monkeypatch.setattr(saving, "finish", full)
            await tab.play()
            assert (await tab.until("over", saving=False))["problem"].startswith("not saved: [Errno 28] No space")
            monkeypatch.setattr(saving, "finish", lambda *_: None)
            await tab.say(type="save")
            return Path((await tab.until("over", saving=False))["saved"])

    saved = in_loop(test)
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]
    assert saved.name.startswith("person-random-")
    assert [chunk.games for chunk in read_chunks(saved, moves=True)] == [1]


def test_a_game_is_not_saved_beside_the_next_one(folder, monkeypatch):
    Path("results").write_text("not a folder")
    prepared = threading.Event()

    async def test(server):
        async with seated(server) as tab:
            await tab.play()
            await tab.until("over", saving=False)
            of = person_game.Setup.of
            monkeypatch.setattr(person_game.Setup, "of", lambda *given: (prepared.wait(PATIENCE), of(*given))[1])
            async with opened(server) as other:
                await other.say(**NEW)
                while not server.controller._preparing:
                    await asyncio.sleep(0.01)
                assert await tab.refused(type="save") == "save: there is no game that waits to be saved"
                prepared.set()
                assert (await tab.until("turn"))["problem"] is None

    in_loop(test)


def test_the_end_does_not_wait_for_a_game_that_is_prepared(folder, monkeypatch):
    """Nor for the list of bots, nor for a hint: Ctrl-C ends at once."""
    ended, waited = threading.Event(), []
    monkeypatch.setattr(person_game.Setup, "of", lambda *_: waited.append(ended.wait(PATIENCE)))

    async def test(server):
        async with opened(server) as tab:
            await tab.say(**NEW)
            while not server.controller._preparing:
                await asyncio.sleep(0.01)

    in_loop(test)
    assert not waited
    ended.set()


# -- the command ---------------------------------------------------------------------------------------------


def test_the_command_serves_until_it_is_told_to_end(folder):
    command = [sys.executable, "-m", "qpolis.cli", "serve"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, **pipes) for _ in range(2)]
    for process, number, code in zip(started, (signal.SIGINT, signal.SIGTERM), (130, 0)):
        line = process.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/\n", line)
        process.send_signal(number)
        assert (*process.communicate(timeout=60), process.returncode) == ("", "", code)

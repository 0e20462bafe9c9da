"""A training: generation after generation of games against itself, fitting, and a test against the champion.

Every step ends with a file that is there whole or not at all, and a step whose file is there is not done again:
so a training goes on wherever it was killed. What it makes depends on its plan and on nothing else.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from qpolis import interrupts
from qpolis.errors import QpolisError
from qpolis.learning import examples
from qpolis.learning.examples import Examples
from qpolis.learning.history import Generation, read_history, write_history
from qpolis.learning.plan import TrainingPlan, write_plan
from qpolis.learning.self_play import play_examples
from qpolis.models.finder import CHAMPION, SUFFIX
from qpolis.models.model_file import Model, arrays, load_model, new_model
from qpolis.ratings.crosstable import crosstable, tally
from qpolis.ratings.sprt import Verdict, elo_of
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.tourney.records import collect
from qpolis.tourney.run import LOCK, PLAN, Run, claim
from qpolis.tourney.schedule import TRIES, WorkerPool

AT_A_TIME = 40  # games of a task
GENERATIONS = "generations"
MODEL = f"network{SUFFIX}"
ANCHOR_GAMES = 200
STRONGER, EQUAL = 25, 0  # Elo that a generation is tested to be ahead of the champion
ENDS = ("", "_low", "_high")  # of the names of Elo in a history
LEAST = 0.001  # share of wins that an Elo is given for
GATE_SIMS = 100
OnStep = Callable[[str, int, int], None]  # what is done, how much of it is, of how much


@dataclass
class Training:
    """A training in its folder."""

    folder: Path
    plan: TrainingPlan
    pool: WorkerPool
    on_step: OnStep

    def __post_init__(self) -> None:
        self._lock = filelock.FileLock(self.folder / LOCK)
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise QpolisError(f"{self.folder}: another qpolis trains here") from None
        except OSError as error:
            raise QpolisError(f"{self.folder}: cannot be written: {error.strerror}") from None
        self.history = read_history(self.folder)
        self._minutes = self.history[-1].minutes if self.history else 0.0
        self._begun = time.monotonic()
        self._crown()

    @classmethod
    def begin(cls, folder: Path, plan: TrainingPlan, pool: WorkerPool, on_step: OnStep) -> Training:
        claim(folder)
        write_plan(folder, plan)
        return cls(folder, plan, pool, on_step)

    @property
    def minutes(self) -> float:
        """Of work so far."""
        return self._minutes + (time.monotonic() - self._begun) / 60

    @property
    def champion(self) -> Model | None:
        """The best network so far; None before there is one."""
        path = self.folder / CHAMPION
        return load_model(path) if path.is_file() else self.plan.first_model()

    def generation(self) -> Generation:
        """The next generation, from whatever is there of it."""
        number = len(self.history) + 1
        place = self._place(number)
        place.mkdir(parents=True, exist_ok=True)
        model, fitted = self._fitted(number, place)
        share, games, promoted = self._gate(number, place)
        best = place / MODEL if promoted else self._champion_file()
        strengths = self._strengths(number, place, best)
        found = Generation(
            number=number,
            minutes=round(self.minutes, 2),
            games=number * self.plan.games,
            examples=int(fitted["examples"]),
            win=float(fitted["win"]),
            choice=float(fitted["choice"]),
            points=float(fitted["points"]),
            calibration=float(fitted["calibration"]),
            promoted=bool(promoted),
            gate=share,
            gate_games=games,
            digest=model.digest,
            **strengths,
        )
        self.history.append(found)
        write_history(self.folder, self.history)
        self._crown()
        if number > self.plan.remember:
            for path in self._place(number - self.plan.remember).glob("examples-*.npz"):
                path.unlink()
        return found

    def _crown(self) -> None:
        """The last one that was promoted is the champion. Its file comes after the history that says so: a
        generation that was killed before its end meets the champion that it met."""
        promoted = [one for one in self.history if one.promoted]
        path = self.folder / CHAMPION
        if promoted and not (path.is_file() and load_model(path).digest == promoted[-1].digest):
            load_model(self._place(promoted[-1].number) / MODEL).save(path)

    # -- games against itself ------------------------------------------------------------------------------

    def _played(self, number: int, place: Path) -> Examples:
        """The examples of a generation, and of those before it that are remembered."""
        champion = self._champion_file()
        starts = range(0, self.plan.games, AT_A_TIME)
        missing = [start for start in starts if not self._chunk(place, start).exists()]
        done = len(starts) - len(missing)
        self.on_step(f"generation {number}: games", done * AT_A_TIME, self.plan.games)
        tasks = [
            (
                vars(self.plan) | {"mixes": list(self.plan.mixes), "options": dict(self.plan.options)},
                champion.read_bytes() if champion else b"",
                number,
                start,
                min(AT_A_TIME, self.plan.games - start),
            )
            for start in missing
        ]
        for start, content in zip(missing, self._results(tasks)):
            examples.save(self._chunk(place, start), content)
            done += 1
            self.on_step(f"generation {number}: games", min(done * AT_A_TIME, self.plan.games), self.plan.games)
        parts = []
        for old in range(max(1, number - self.plan.remember + 1), number + 1):
            for start in starts:
                path = self._chunk(self._place(old), start)
                if old == number or path.exists():  # those of earlier generations are not played again
                    parts.append(examples.load(path))
        return examples.join(parts)

    def _results(self, tasks: list[Any]) -> Iterator[bytes]:
        """What the tasks give, in their order: here, or by workers."""
        if self.pool.alone or not tasks:
            for task in tasks:
                interrupts.check()
                yield play_task(*task)
            return
        pool = self.pool.ray_pool()
        remote = pool.ray.remote(num_cpus=1, max_retries=TRIES)(play_task)
        waiting: list[Any] = []
        ahead = iter(tasks)
        while True:
            while len(waiting) < 3 * pool.workers and (task := next(ahead, None)) is not None:
                waiting.append(remote.remote(*task))
            if not waiting:
                return
            while not pool.ray.wait(waiting[:1], timeout=0.5)[0]:
                interrupts.check()
            try:
                yield pool.ray.get(waiting.pop(0))
            except pool.ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, QpolisError) else error from None
            except pool.ray.exceptions.RayError:
                raise QpolisError(
                    f"{TRIES} workers were lost at the same games: is there memory enough?"
                ) from None

    def _place(self, number: int) -> Path:
        return self.folder / GENERATIONS / f"{number:03d}"

    @staticmethod
    def _chunk(place: Path, start: int) -> Path:
        return place / f"examples-{start:06d}.npz"

    def _champion_file(self) -> Path | None:
        """The file of the champion; a model that a training begins with is copied into its folder."""
        path = self.folder / CHAMPION
        if not path.is_file() and (first := self.plan.first_model()):
            first.save(path)
        return path if path.is_file() else None

    # -- fitting -------------------------------------------------------------------------------------------

    def _fitted(self, number: int, place: Path) -> tuple[Model, Any]:
        """The network of a generation, and how it does on games that it has not learned from."""
        path = place / MODEL
        if path.is_file():
            model = load_model(path)
            return model, model.card["training"]
        from qpolis.learning import fitting

        learned = self._played(number, place)
        if len(np.unique(learned.games)) < 2:
            raise QpolisError(
                f"{place}: its games gave nothing to learn from: begin another training with more games"
            )
        game = self.plan.load_game()
        champion = self.champion
        weights = (
            arrays(champion)
            if champion
            else fitting.new_weights(
                game.model_inputs,
                self.plan.wide,
                self.plan.narrow,
                game.players,
                game.model_touches,
                seed=number,
            )
        )
        self.on_step(f"generation {number}: learning", 0, self.plan.epochs)
        weights, fit = fitting.fit(
            weights,
            learned,
            self.plan.epochs,
            number,
            lambda epoch, loss: self.on_step(
                f"generation {number}: learning, loss {loss:.3f}", epoch + 1, self.plan.epochs
            ),
        )
        facts = {**vars(fit), "examples": learned.rows, "generation": number, "games": number * self.plan.games}
        model = new_model(
            weights,
            game=game.name,
            fits=game.model_name,
            playout=self.plan.playout,
            name=self.plan.name,
            training=facts,
        )
        model.save(path)
        return load_model(path), facts

    # -- strength ------------------------------------------------------------------------------------------

    def _gate(self, number: int, place: Path) -> tuple[float, int, bool]:
        """A sequential test against the champion: the share of wins, the games, and whether it is the champion
        now: if the test says so, or comes to no end and the new one is ahead."""
        champion = self._champion_file()
        old = f"mcts:sims={GATE_SIMS}:model={champion or 'none'}"
        new = f"mcts:sims={GATE_SIMS}:model={place / MODEL}"
        shares, games, verdict = self._tournament(
            place / "gate",
            f"generation {number}: against the champion",
            [new, old],
            self.plan.gate,
            sprt=f"elo0={EQUAL},elo1={STRONGER}",
        )
        promoted = verdict is Verdict.H1 or (verdict is None and shares[0, 1, 0] > 1 / 2)
        return float(shares[0, 1, 0]), games, promoted

    def _strengths(self, number: int, place: Path, best: Path | None) -> dict[str, float]:
        """Elo of the champion above bots that stay as they are, with their intervals."""
        found: dict[str, float] = {}
        model = f"model={best or 'none'}"
        pairs = (
            [f"mcts:sims={GATE_SIMS}:{model}", f"mcts:sims={GATE_SIMS}:model=none"],
            [f"instinct:{model}", "greedy"],
        )
        for name, pair in zip(("search", "instinct"), pairs):
            if pair[0] == pair[1]:
                found |= {f"elo_{name}{end}": 0.0 for end in ENDS}
                continue
            shares, _, _ = self._tournament(
                place / name, f"generation {number}: strength", pair, ANCHOR_GAMES, seatings="duels"
            )
            for end, share in zip(ENDS, shares[0, 1]):
                found[f"elo_{name}{end}"] = round(elo_of(float(np.clip(share, LEAST, 1 - LEAST))), 1)
        return found

    def _tournament(
        self, place: Path, words: str, bots: list[str], games: int, **keys: Any
    ) -> tuple[np.ndarray, int, Verdict | None]:
        """Play bots against each other: the share of wins of each above each with the ends of its interval, the
        games that count, and the verdict of a sequential test."""
        definition = define(
            {
                "name": place.name,
                "bots": bots,
                "games": games,
                "game": self.plan.game,
                "options": dict(self.plan.options),
                "seed": self.plan.seed ^ 1,  # other deals than those that are learned from
                "moves": False,
                **keys,
            }
        )
        opened = _opened_or_none(place)
        if opened is None:
            shutil.rmtree(place, ignore_errors=True)
            opened = Run.begin(place, make_plan(definition))
        with opened as run:
            run.play(self.pool, lambda now: self.on_step(words, now.games, run.plan.games))
            results = collect(run.plan, run.chunks(), run.tally.counted)
            share = crosstable(tally(results)).share
            verdict = run.tally.test.verdict if run.tally.test else None
        return np.stack([share.value, share.low, share.high], axis=-1), results.games, verdict


def _opened_or_none(place: Path) -> Run | None:
    """A run that goes on; None if there is none, or it was played by another network."""
    try:
        return Run.resume(place, {}) if (place / PLAN).exists() else None
    except QpolisError:
        return None


def play_task(plan: dict[str, Any], champion: bytes, generation: int, start: int, games: int) -> bytes:
    """Some games of a generation, as the bytes of a file: in a process of a pool, or here."""
    from qpolis.models.model_file import model_of

    asked = TrainingPlan(**{**plan, "mixes": tuple(plan["mixes"])})
    in_turn = asked.games_in_turn() if asked.mixes else [asked.load_game()]
    game = in_turn[start // AT_A_TIME % len(in_turn)]
    model = model_of(champion, "of the champion") if champion else None
    number = generation * asked.games + start
    return examples.to_bytes(play_examples(game, model, asked.sims, asked.seed, number, games))

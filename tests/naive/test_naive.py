"""Tests of the naive game: the tile list, the rules of a turn, complete random games."""

import random
from pathlib import Path

import pytest

from .pictures import draw
from .quadropolis import POSITIONS, ROUNDS, NaiveQuadropolis, read_tiles
from .quadropolis_scoring import TYPES

TILES = read_tiles(Path(__file__).parents[2] / "qpolis/games/quadropolis/mixes/base.csv")


# --- the tile list --------------------------------------------------------------------------------------


def test_tile_list_has_the_totals_of_the_rules():
    counts = {kind: sum(tile["type"] == kind for tile in TILES) for kind in TYPES}
    assert counts == {
        "tower": 32,
        "shop": 15,
        "service": 19,
        "park": 15,
        "factory": 19,
        "harbor": 21,
        "office": 17,
        "monument": 4,
    }
    expert = [tile for tile in TILES if tile["deck"] != "classic"]
    assert (sum(tile["inhabitants"] for tile in expert), sum(tile["energy"] for tile in expert)) == (65, 47)


@pytest.mark.parametrize("mode", ROUNDS)
@pytest.mark.parametrize(("players", "tiles"), [(2, 16), (3, 20), (4, 25)])
def test_tiles_in_play(mode, players, tiles):
    game = NaiveQuadropolis(mode, players, TILES)
    for number in range(1, ROUNDS[mode] + 1):
        assert len(game.round_tiles(number)) == tiles
        mayors = [tile for tile in game.round_tiles(number) if tile["mayor"] is True]
        assert len(mayors) == (0 if number == ROUNDS[mode] else 1)
    assert game.round_tiles(ROUNDS[mode] + 1) == []


# --- rules of the turn ----------------------------------------------------------------------------------


def random_site(game, rng):
    tiles = game.round_tiles(game.round)
    site = tiles + [None] * (25 - len(tiles))
    rng.shuffle(site)
    return site


def laid_in_order(mode, players):
    """A game whose first site holds the tiles in the order of the list, then the empty squares."""
    game = NaiveQuadropolis(mode, players, TILES)
    tiles = game.round_tiles(1)
    game.lay(tiles + [None] * (25 - len(tiles)))
    return game


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("3@N2", 3, 2),
        ("3@S2", 3, 2),
        ("1@S4", 5, 4),
        ("1@N4", 1, 4),
        ("4@S1", 2, 1),
        ("1@W2", 2, 1),
        ("4@W5", 5, 4),
        ("1@E2", 2, 5),
        ("4@E1", 1, 2),
    ],
)
def test_architect_points_to(text, line, column):
    game = laid_in_order("classic", 4)
    tile = game.site[5 * (line - 1) + column - 1]
    game.apply(text)
    state = game.to_dict()
    assert state["urbanist"] == [line, column]
    assert state["held"] == {"tile": tile, "architect": int(text[0])}
    assert state["architects"] == [text[2:]]
    assert state["site"][5 * (line - 1) + column - 1] is None
    assert state["player"] == 0


@pytest.mark.parametrize("mode", ROUNDS)
def test_first_takes(mode):
    numbers = "1234" if mode == "classic" else "12345"
    game = laid_in_order(mode, 4)
    assert game.legal() == {f"{n}@{position}" for n in numbers for position in POSITIONS}


def test_urbanist_and_architects_block():
    game = laid_in_order("classic", 2)
    game.apply("3@N2")
    game.apply("discard")
    free = [position for position in POSITIONS if position not in ("N2", "S2", "W3", "E3")]
    assert game.legal() == {f"{n}@{position}" for n in (1, 2, 3, 4) for position in free}
    game.apply("1@W1")  # the urbanist moves to line 1, column 1
    game.apply("discard")
    # N2 still holds its architect; S2, W3 and E3 are free again.
    free = [position for position in POSITIONS if position not in ("N2", "N1", "S1", "W1", "E1")]
    assert game.legal() == {f"{n}@{position}" for n in (1, 2, 4) for position in free}
    assert game.turn == 2
    assert game.player == 0


def test_empty_square_ends_the_turn():
    game = laid_in_order("expert", 2)  # 16 tiles: line 5 is empty
    game.apply("5@N3")
    state = game.to_dict()
    assert (state["player"], state["held"], state["urbanist"]) == (1, None, [5, 3])
    assert state["pool"] == [1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert state["inhabitants"] == [0, 0]


def test_places_in_an_empty_city():
    game = laid_in_order("classic", 4)
    game.apply("2@N1")
    assert game.legal() == {"a2", "b2", "c2", "d2", "b1", "b3", "b4", "discard"}
    game = laid_in_order("expert", 4)
    game.apply("3@N1")
    # Squares with number 3: b1 e1 c3 b4; district 3: d3 e3 d4 e4.
    assert game.legal() == {"b1", "e1", "c3", "b4", "d3", "e3", "d4", "e4", "discard"}


def holding(mode, kind, architect, city):
    """A game at a place decision of seat 0, set up by hand."""
    game = laid_in_order(mode, 2)
    game.cities[0] = draw(city)
    tile = {"type": kind, "inhabitants": 1, "energy": 0, "vp": 1, "mayor": kind == "tower"}
    game.held = {"tile": tile, "architect": architect}
    return game


def test_stacking():
    city = """T1 T2 P  T3
              .  S  T3 T4
              T1 F  V  T2
              T4 T1 H  T3"""
    # Architect 2: the empty a2; in line 2 or column 2 the stacks b1, b4 and c2 (3 floors), not the full d2;
    # elsewhere stacks of one floor: a1, a3.
    assert holding("classic", "tower", 2, city).legal() == {"a2", "b1", "b4", "c2", "a1", "a3", "discard"}
    # Architect 4: line 4 and column 4: d1, d3, d4, b4 (a4 and d2 are full); a fourth floor: c2, d1, d4.
    assert holding("classic", "tower", 4, city).legal() == {"d1", "d3", "d4", "b4", "c2", "discard"}
    # Architect 1: column 1 and line 1; no stack can get a first floor.
    assert holding("classic", "tower", 1, city).legal() == {"a1", "b1", "d1", "a2", "a3", "discard"}
    # Only towers go on towers.
    assert holding("classic", "shop", 1, city).legal() == {"a2", "discard"}


def test_stacking_in_expert():
    city = """O1 T1 .  T4 O4
              T1 O4 .  .  O5
              .  .  .  T1 .
              .  .  .  .  ."""
    # Number 5: a2 d2 c4 d4; district 5: a3 b3 a4 b4. Free of these: d2 c4 d4 a3 b3 a4 b4. Fifth floor of an
    # office: b2, e1. Tower: stacks a2 (number 5), d1 (fifth floor).
    free = {"d2", "c4", "d4", "a3", "b3", "a4", "b4", "discard"}
    assert holding("expert", "office", 5, city).legal() == free | {"b2", "e1"}
    assert holding("expert", "tower", 5, city).legal() == free | {"a2", "d1"}
    assert holding("expert", "monument", 5, city).legal() == free


def test_placing_gives_what_the_tile_shows():
    game = holding("classic", "tower", 2, "T1+1 . . .   . . . .   . . . .   . . . .")
    game.mayor = 1
    game.apply("a1")
    state = game.to_dict()
    assert state["cities"][0][0] == {"type": "tower", "floors": 2, "vp": 2}
    assert (state["inhabitants"], state["energy"], state["mayor"]) == ([1, 0], [0, 0], 0)


def test_discarding_gives_nothing():
    game = holding("classic", "tower", 2, ". " * 16)
    game.mayor = 1
    game.apply("discard")
    state = game.to_dict()
    assert state["cities"][0] == [None] * 16
    assert (state["inhabitants"], state["mayor"], state["held"], state["player"]) == ([0, 0], 1, None, 1)


def test_illegal_actions_change_nothing():
    game = laid_in_order("classic", 2)
    before = game.to_dict()
    for text in ("5@N1", "0@N1", "1@N6", "1@X1", "a1", "discard", ""):
        with pytest.raises(ValueError):
            game.apply(text)
    assert game.to_dict() == before
    game.apply("1@N1")
    before = game.to_dict()
    for text in ("b2", "e1", "A1", "1@N1", "2@W2"):
        with pytest.raises(ValueError):
            game.apply(text)
    assert game.to_dict() == before


def test_layouts_are_checked():
    game = NaiveQuadropolis("classic", 3, TILES)
    site = random_site(game, random.Random(0))
    a_tile = next(tile for tile in site if tile is not None)
    an_empty = site.index(None)
    assert game.needs_layout
    assert game.legal() == set()
    assert game.player == 0
    for wrong in (site[:-1], [None] * 25, [*site[:an_empty], a_tile, *site[an_empty + 1 :]]):
        with pytest.raises(ValueError):
            game.lay(wrong)
    game.lay(site)
    assert not game.needs_layout
    with pytest.raises(ValueError):
        game.lay(site)


# --- complete random games ------------------------------------------------------------------------------


def check_state(state, laid, placed, discarded):
    """What must hold at every moment; `laid` counts the tiles of this round, `placed` lists per seat."""
    on_site = sum(tile is not None for tile in state["site"])
    in_round = sum(number == state["round"] for tiles in placed for number, _ in tiles)
    out = sum(number == state["round"] for number in discarded)
    assert on_site + (state["held"] is not None) + in_round + out == laid
    plays = len(state["architects"])
    pool = state["pool"] if state["mode"] == "expert" else [n for mine in state["pool"] for n in mine]
    assert plays + len(pool) == state["players"] * (5 if state["mode"] == "expert" else 4)
    assert len(set(state["architects"])) == plays
    assert state["turn"] == (plays - (state["held"] is not None)) // state["players"] + 1
    check_cities(state, placed)


def check_cities(state, placed):
    """Every tile that was placed is a floor somewhere, and was paid out."""
    for seat, city in enumerate(state["cities"]):
        tiles = [tile for _, tile in placed[seat]]
        for kind in TYPES:
            floors = sum(building["floors"] for building in city if building and building["type"] == kind)
            assert floors == sum(tile["type"] == kind for tile in tiles)
        assert sum(building["vp"] for building in city if building) == sum(tile["vp"] for tile in tiles)
        assert state["inhabitants"][seat] == sum(tile["inhabitants"] for tile in tiles)
        assert state["energy"][seat] == sum(tile["energy"] for tile in tiles)


def play_at_random(game, rng):
    """A complete game, checked after every action; returns the seats that played first in each round."""
    placed, discarded, first_players, mayor = [[] for _ in range(game.players)], [], [], 0
    while not game.over:
        if game.needs_layout:
            site = random_site(game, rng)
            game.lay(site)
            first_players.append(game.player)
            assert game.player == game.mayor
        before = game.to_dict()
        text = rng.choice(sorted(game.legal()))
        game.apply(text)
        if before["held"] is not None:
            tile, seat = before["held"]["tile"], before["player"]
            if text == "discard":
                discarded.append(before["round"])
            else:
                placed[seat].append((before["round"], tile))
                mayor = seat if tile["mayor"] else mayor
        assert game.mayor == mayor
        if not game.over and not game.needs_layout:
            check_state(game.to_dict(), sum(tile is not None for tile in site), placed, discarded)
        else:
            check_cities(game.to_dict(), placed)
    return first_players


@pytest.mark.parametrize("mode", ROUNDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games(mode, players):
    all_first_players = set()
    for seed in range(6):
        rng = random.Random(f"game {mode} {players} {seed}")
        game = NaiveQuadropolis(mode, players, TILES)
        first_players = play_at_random(game, rng)
        assert len(first_players) == ROUNDS[mode]
        all_first_players.update(first_players)
        state = game.to_dict()
        assert (state["round"], state["turn"], state["player"]) == (ROUNDS[mode], 4, None)
        assert state["site"] == [None] * 25
        assert state["architects"] == []
        assert state["urbanist"] is None
        assert state["pool"] == ([[]] * players if mode == "classic" else [])
        assert game.legal() == set()
        assert not game.needs_layout
        results, ranks = game.results(), game.ranks()
        winners = [seat for seat in range(players) if ranks[seat] == 0]
        assert winners
        assert all(results[seat][0] == max(results)[0] for seat in winners)
    assert len(all_first_players) > 1


@pytest.mark.parametrize(
    ("results", "ranks"),
    [
        ([(10, 5, 3), (12, 0, 9)], [1, 0]),
        ([(10, 5, 3), (10, 6, 9)], [1, 0]),
        ([(10, 5, 3), (10, 5, 2), (11, 0, 0)], [2, 1, 0]),
        ([(10, 5, 3), (10, 5, 3), (11, 0, 0), (10, 5, 3)], [1, 1, 0, 1]),
    ],
)
def test_ranks(results, ranks, monkeypatch):
    game = NaiveQuadropolis("classic", len(results), TILES)
    monkeypatch.setattr(game, "results", lambda: results)
    assert game.ranks() == ranks

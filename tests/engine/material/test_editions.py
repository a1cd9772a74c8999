"""Section 5: every preset, and what each difference changes on the table."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from engine import effects
from engine.errors import BadMaterial, CannotFold
from engine.fold import fold
from engine.material import library
from engine.material.choices import chosen
from engine.rules.scoring import score
from engine.selfplay import open_event
from engine.snapshot import position
from events.material import Ruleset
from events.types import Build, Bury, Demolish, HoldGames, Pass, Poll, ReapHarvest, TakeGold
from tests.engine.helpers import Table, kinds, tuscany

EDITIONS = ("standard", "en", "de", "nl", "fr", "fi")
PAGE = Path(__file__).parents[3] / "engine" / "RULESETS.md"


def printed() -> dict[str, dict[str, str]]:
    """The table of the editions: by edition every choice that is in it."""
    heads, _, *rows = re.findall(r"^\| (.+) \|$", PAGE.read_text().split("\n## ")[1], re.M)
    table = [row.replace("`", "").split(" | ") for row in rows]
    assert heads.replace("`", "").split(" | ") == ["choice", *EDITIONS]
    return {name: {row[0]: row[at] for row in table} for at, name in enumerate(EDITIONS, start=1)}


HOUSE = {
    "ageing-display": {"display": "ageing"},
    "flush": {"flush": True},
    "harsh-people": {"penalty_for": "starved-or-moved"},
    "straight-distance": {"distance": "straight"},
    "no-limits": {"limits": False},
    "short-evening": {"years": 5},
}


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_makes_the_choices_of_the_table(name: str):
    standard, choices = printed()["standard"], printed()[name]
    assert standard == {choice: chosen(Ruleset(name="standard"), choice) for choice in standard}
    differ = {choice: value for choice, value in choices.items() if value != standard[choice]}
    assert library.ruleset(name) == Ruleset(name=name, **differ)


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_rule_differs_from_standard_in_one_choice(name: str):
    expected = msgspec.structs.replace(library.ruleset("standard"), name=name, **HOUSE[name])
    assert library.ruleset(name) == expected


def test_every_preset_is_in_one_of_the_tables():
    assert {*EDITIONS, *HOUSE} == {*library.RULESETS}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"name": "mine", "flush": true, "display": "ageing"}', "flush contradicts"),
        (b'{"name": "mine", "pass_when": "never"}', "pass_when"),
        (b'{"name": "mine", "dragons": true}', "dragons"),
        (b'{"flush": true}', "name"),
        (b"{", "ruleset"),
    ],
)
def test_an_unknown_or_contradictory_choice_is_refused_by_name(text: bytes, message: str):
    with pytest.raises(BadMaterial, match=message):
        library.read_ruleset(text)


def test_a_contradictory_ruleset_opens_no_game():
    rules = msgspec.structs.replace(library.ruleset("flush"), display="ageing")
    with pytest.raises(CannotFold, match="flush contradicts"):
        fold([open_event(2, rules, "beginner")])
    with pytest.raises(BadMaterial, match="no ruleset named"):
        library.ruleset("italian")


@pytest.mark.parametrize("name", ["standard", "en"])
def test_passing_once_all_action_cards_are_used(name: str):
    table = tuscany(name, politics=["polling"])
    table.thin_out()
    table.empty_supply()  # nothing can be built: no spare citizen, and no market
    assert table.refused(Pass(seat=1)) == "may-not-pass"
    table.set_player(1, action_cards=0)
    table.play(Pass(seat=1))


@pytest.mark.parametrize("name", ["de", "nl", "fr", "fi"])
def test_passing_only_when_nothing_can_be_built(name: str):
    table = tuscany(name, politics=["polling", "palace"])
    table.thin_out()
    assert table.refused(Pass(seat=1)) == "may-not-pass"  # a market still can
    table.empty_supply()
    assert Pass(seat=1) in table.legal(1)
    table.set_citizens("f9", 2)
    table.set_player(1, action_cards=0)
    assert table.refused(Pass(seat=1)) == "may-not-pass"  # a palace for the one gold
    table.give_gold(1, 0)
    table.play(Pass(seat=1))


def test_a_city_that_can_be_founded_is_something_to_build():
    table = tuscany("de")
    for pool in position(table.state).pools:
        table.empty_pool(pool)
    assert table.refused(Pass(seat=1)) == "may-not-pass"
    table.set_player(1, castles=0)
    table.play(Pass(seat=1))


def with_easy_passing(name: str) -> Ruleset:
    """A preset in which idle seats can sit out the political rounds without building."""
    return msgspec.structs.replace(library.ruleset(name), pass_when="action-cards-used")


@pytest.mark.parametrize("name", library.RULESETS)
def test_neighbours_along_lanes_or_straight_over_the_grid(name: str):
    """d2 and a3 are two cells apart across the field A1, and three hexes along the lanes."""
    straight = library.ruleset(name).distance == "straight"
    table = tuscany(castles={1: ("a3", "p5"), 2: ("d2", "l10")})
    table.alter_rules(with_easy_passing(name))
    table.set_buildings("a3", a4="statue")
    table.thin_out(d2=2)
    told = table.idle_out_politics()
    moved = [(e.city, e.from_city) for e in kinds(told, effects.CitizenMoved)]
    assert moved == ([("a3", "d2")] if straight else [])


@pytest.mark.parametrize("name", library.RULESETS)
def test_what_a_hospital_brings_to_the_final_bonus(name: str):
    as_culture = library.ruleset(name).hospital_bonus == "culture"
    table = tuscany(name)
    bonus = table.state.numbers.service_bonus
    table.set_buildings("f9", g9="hospital", f10="school")
    assert score(table.state, 1).cities == (bonus if as_culture else 0)
    table.set_buildings("f9", f11="statue")
    assert score(table.state, 1).cities == bonus
    other = tuscany(name)
    other.set_buildings("f9", g9="hospital", f10="statue")
    assert score(other.state, 1).cities == (0 if as_culture else bonus)


@pytest.mark.parametrize("name", library.RULESETS)
def test_the_order_of_relocation(name: str):
    castles = {1: ("f9", "p11"), 2: ("f5", "p5"), 3: ("i5", "a12")}
    table = tuscany(castles=castles, voice=["culture", "culture", "health", "health"])
    table.alter_rules(with_easy_passing(name))
    table.set_buildings("f9", f8="statue")
    table.set_buildings("i5", h4="statue")
    table.set_buildings("f5", f6="hospital")
    table.thin_out(f9=4, i5=4, f5=5)
    table.idle_out_politics()
    asked = []
    while table.state.phase == "relocation":
        asked.append(min(table.awaiting()))
        table.play(table.legal(asked[-1])[0])
    assert asked == ([1, 3, 2] if name == "fi" else [1, 2, 3])


@pytest.mark.parametrize("name", library.RULESETS)
def test_food_is_lost_with_a_demolished_castle(name: str):
    table = tuscany(name)
    table.thin_out(f9=0)
    assert table.food(1) == 5
    table.idle_to_year(2)
    assert table.food(1) == 1


@pytest.mark.parametrize("name", library.RULESETS)
def test_the_order_of_relocation_with_one_voice(name: str):
    castles = {1: ("f9", "p11"), 2: ("f5", "p5"), 3: ("i5", "a12")}
    table = tuscany(castles=castles, voice=["culture", "culture", "culture", "health"])
    table.alter_rules(with_easy_passing(name))
    table.set_buildings("f9", f8="statue")
    table.set_buildings("f5", f6="cathedral")
    table.set_buildings("i5", h4="palace")
    table.thin_out(f9=4, i5=4, f5=5)
    moved = kinds(table.idle_out_politics(), effects.CitizenMoved)
    seats = [e.seat for e in moved]
    assert len(seats) > 1
    assert seats == sorted(seats)


@pytest.mark.parametrize("name", library.RULESETS)
def test_r31_polling_shows_two_or_all(name: str):
    table = tuscany(name, politics=["polling"])
    table.give_gold(1, 2)
    everything = Poll(seat=1, look=[2, 3, 4])
    if name == "en":
        assert table.refused(everything) == "two-only"
        assert everything not in table.legal(1)
    else:
        assert everything in table.legal(1)
    table.play(Poll(seat=1, look=[2, 4]))


def hospital(name: str) -> Table:
    table = tuscany(name, politics=["bread-and-games"])
    table.set_buildings("f9", g9="hospital", f10="statue")
    table.give_gold(1, 5)
    return table


@pytest.mark.parametrize("name", ["de", "nl", "fr", "fi"])
def test_r28_figures_are_split_over_the_arches_of_one_building(name: str):
    table = hospital(name)
    games = [
        (e.service, e.figures, e.others)
        for e in table.legal(1)
        if isinstance(e, HoldGames) and e.at == "g9"
    ]
    assert games == [
        *[("education", 1, ()), ("education", 2, ()), ("education", 2, ("health",))],
        *[("education", 3, ()), ("education", 3, ("health",)), ("education", 3, ("health",) * 2)],
        *[("health", 1, ()), ("health", 2, ()), ("health", 3, ())],
    ]
    split = HoldGames(seat=1, figures=3, at="g9", service="education", others=("health",))
    placed = kinds(table.play(split), effects.FiguresPlaced)
    assert [(e.on, e.figures) for e in placed] == [("education", 2), ("health", 1)]
    assert table.player(1).figures == 1
    assert table.city("f9").figures == {"g9": [0, 2, 1, 0]}


def test_r28_each_way_to_split_figures_has_one_name():
    table = hospital("de")
    for wrong in (
        HoldGames(seat=1, figures=2, at="g9", service="health", others=("education",)),
        HoldGames(seat=1, figures=2, at="g9", service="health", others=("health",)),
        HoldGames(seat=1, figures=1, at="g9", service="education", others=("health",)),
    ):
        assert table.refused(wrong) == "wrong-split"
    no_arch = HoldGames(seat=1, figures=2, at="f10", service="culture", others=("health",))
    assert table.refused(no_arch) == "no-such-arch"


@pytest.mark.parametrize("name", ["standard", "en", "flush"])
def test_r28_all_figures_stand_on_one_arch(name: str):
    table = hospital(name)
    split = HoldGames(seat=1, figures=2, at="g9", service="education", others=("health",))
    assert table.refused(split) == "one-arch-only"
    assert not any(isinstance(e, HoldGames) and e.others for e in table.legal(1))


JUNCTION = "f8"


def ring(name: str) -> Table:
    """A city around a junction, with the junction itself, that has to lose one building."""
    table = tuscany(castles={1: ("f9", "p5"), 2: ("a3", "l10")})
    table.alter_rules(with_easy_passing(name))
    board = table.state.board
    around = board.labels(board.neighbours[board.hex_at[JUNCTION]])
    built = {label: "quarry" for label in (JUNCTION, *around) if label != "f9"}
    table.set_buildings("f9", **built)
    table.thin_out(f9=len(built))
    table.idle_out_politics()
    return table


@pytest.mark.parametrize("name", library.RULESETS)
def test_r38_nothing_falls_from_the_middle(name: str):
    table = ring(name)
    middle = Demolish(seat=1, buildings=[JUNCTION])
    assert table.awaiting() == {1: "demolish"}
    if name in ("de", "nl", "fr", "fi"):
        assert table.refused(middle) == "enclosed"
        assert middle not in table.legal(1)
        assert len(table.legal(1)) == 5
    else:
        assert middle in table.legal(1)


def display(table: Table) -> list[str]:
    return position(table.state).display


FACE_UP = ["palace", "polling", "bath", "polling", "palace", "bath", "palace"]


def test_ageing_display_closes_up_and_the_new_card_enters_last():
    table = tuscany("ageing-display", politics=[*FACE_UP, "university"])
    assert display(table) == FACE_UP
    table.play(Poll(seat=1, look=[2, 3]))
    assert display(table) == ["palace", "bath", "polling", "palace", "bath", "palace", "university"]


def test_ageing_display_asks_which_of_two_alike():
    table = tuscany("ageing-display", politics=[*FACE_UP, "university"])
    polls = [a.place for a in table.legal(1) if isinstance(a, Poll) and a.look == [2, 3]]
    assert polls == [0, 4]
    assert table.refused(Poll(seat=1, look=[2, 3], place=2)) == "place-not-needed"
    assert table.refused(Poll(seat=1, look=[2, 3], place=1)) == "place-wrong"
    table.play(Poll(seat=1, look=[2, 3], place=4))
    assert display(table) == ["palace", "polling", "bath", "palace", "bath", "palace", "university"]
    plain = tuscany(politics=FACE_UP)
    assert plain.refused(Poll(seat=1, look=[2, 3], place=4)) == "place-not-needed"
    build = Build(seat=1, building="farm", at="g9", card="action", place=1)
    assert plain.refused(build) == "place-not-needed"


def test_ageing_display_lets_the_start_player_bury_the_oldest_card():
    table = tuscany("ageing-display", politics=[*FACE_UP, "university"])
    table.thin_out()
    assert table.awaiting() == {1: "politics"}  # not in year 1
    table.idle_to_year(2)
    assert table.awaiting() == {2: "bury"}
    assert table.legal(2) == [Bury(seat=2, bury=False), Bury(seat=2, bury=True)]
    assert table.refused(TakeGold(seat=2)) == "owes-another"
    before = display(table)
    discarded = position(table.state).discards.get(before[0], 0)
    told = table.play(Bury(seat=2, bury=True))
    assert kinds(told, effects.CardBuried) == [effects.CardBuried(seat=2, card=before[0])]
    assert display(table)[:6] == before[1:]
    assert position(table.state).discards[before[0]] == discarded + 1
    assert table.awaiting() == {2: "politics"}


def test_ageing_display_burying_can_be_declined():
    table = tuscany("ageing-display", politics=FACE_UP)
    table.thin_out()
    table.idle_to_year(2)
    before = display(table)
    table.play(Bury(seat=2, bury=False))
    assert display(table) == before


def test_flush_replaces_the_display_each_year():
    table = tuscany("flush", politics=[*["university"] * 3, *["cathedral"] * 3, "bath"])
    table.thin_out()
    table.give_gold(1, 0)
    before = display(table)
    told = table.idle_to_year(2)
    assert kinds(told, effects.DisplayFlushed) == [effects.DisplayFlushed(cards=before)]
    now = position(table.state)
    assert now.discards["university"] == 3
    assert "" not in now.display
    assert len(now.display) == 7
    standard = tuscany(politics=[*["university"] * 3, *["cathedral"] * 3, "bath"])
    standard.thin_out()
    assert kinds(standard.idle_to_year(2), effects.DisplayFlushed) == []
    assert display(standard) == before


@pytest.mark.parametrize(
    ("name", "penalty"), [*((name, False) for name in EDITIONS), ("harsh-people", True)]
)
def test_r40_only_harsh_people_punish_those_who_lose_citizens(name: str, penalty: bool):
    table = tuscany()
    table.alter_rules(with_easy_passing(name))
    table.set_buildings("f9", f8="statue")
    table.thin_out(f5=2)
    table.idle_to_year(2)
    assert table.player(2).penalty is False  # seat 2 begins year 2 and has served it
    assert table.player(2).action_cards == (2 if penalty else 3)
    assert table.player(2).lost_by_moving == 0  # what was paid for is forgotten
    assert table.player(1).penalty is False


@pytest.mark.parametrize(("name", "citizens"), [("standard", 5), ("no-limits", 6)])
def test_no_limits_lets_every_city_grow(name: str, citizens: int):
    table = tuscany(name)
    table.raze("p5")
    table.alter(lambda words: words["tiles"].update(B4="farmland-3"))
    table.thin_out(f9=5)
    table.idle_to_year(2)
    assert table.citizens("f9") == citizens


def short_evening() -> Table:
    table = tuscany("short-evening", politics=["rich-harvest"])
    table.set_buildings("f9", g9="farm")
    table.thin_out()
    return table


def test_a_short_evening_ends_after_year_five():
    table = short_evening()
    table.go_to_year(5)
    while table.state.phase != "over":
        table.add(next(a for a in reversed(table.legal(min(table.awaiting())))))
    assert table.state.year == 5
    assert table.state.winners
    assert table.refused(TakeGold(seat=1)) == "game-over"


def test_year_five_of_a_short_evening_is_the_last_in_everything():
    table = short_evening()
    table.go_to_year(4)
    assert any(isinstance(action, ReapHarvest) for action in table.legal(1))
    table.go_to_year(5)
    assert table.refused(ReapHarvest(seat=1, at="g9")) == "no-harvest-now"
    table.set_player(1, starved=1)
    assert score(table.state, 1).hunger == -5
    table.go_to_year(4)
    table.set_player(1, starved=1)
    assert score(table.state, 1).hunger == 0


def test_nobody_is_punished_after_the_last_year_of_a_short_evening():
    for year, penalty in ((4, True), (5, False)):
        table = short_evening()
        table.go_to_year(year)
        table.set_player(1, starved=1)
        while table.state.year == year and table.state.phase != "over":
            table.add(next(a for a in reversed(table.legal(min(table.awaiting())))))
        assert table.state.players[1].penalty is penalty


def test_six_years_are_not_written_down():
    """No byte of an opening changes that was written before there was such a choice."""
    assert b"years" not in msgspec.json.encode(library.ruleset())
    explicit = library.read_ruleset(b'{"name": "standard", "years": 6}')
    assert explicit == library.ruleset()
    longer = library.read_ruleset(b'{"name": "long", "base": "short-evening", "years": 6}')
    assert longer == Ruleset(name="long")
    with pytest.raises(BadMaterial, match="choice years must be a number from 1 to 9, not 10"):
        library.read_ruleset(b'{"name": "mine", "years": 10}')

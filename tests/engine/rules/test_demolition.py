"""R38: which buildings fall when a city has fewer citizens than buildings."""

from __future__ import annotations

from engine import effects
from engine.snapshot import position
from events.types import Demolish, Mover, Pass, Relocate
from tests.engine.helpers import Table, kinds, tuscany


def fallen(told: list[effects.AnyEffect]) -> list[str]:
    return [e.at for e in kinds(told, effects.BuildingFell)]


def fall(*buildings: str, seat: int = 1) -> Demolish:
    return Demolish(seat=seat, buildings=list(buildings))


def star() -> Table:
    """The castle f9 with an arm over g9 to h9 and an arm over f10 to f11, two too many."""
    table = tuscany()
    table.set_buildings("f9", g9="farm", h9="school", f10="farm", f11="school")
    table.thin_out(f9=3)
    table.idle(lambda t: t.awaiting().get(1) == "demolish")
    return table


def test_r38_as_many_fall_as_citizens_are_missing():
    table = star()
    told = table.play(fall("h9", "f11"))
    assert fallen(told) == ["h9", "f11"]
    assert list(table.city("f9").buildings) == ["f9", "g9", "f10"]


def test_r38_from_the_outside_in():
    table = star()
    assert table.refused(fall("g9")) == "not-removable"
    assert table.refused(fall("f9")) == "not-removable"
    assert table.legal(1) == [fall("f11"), fall("h9")]
    told = table.play(fall("h9", "g9"))
    assert fallen(told) == ["h9", "g9"]
    assert list(table.city("f9").buildings) == ["f9", "f10", "f11"]


def test_r38_one_by_one_or_all_in_one_action():
    table = star()
    table.play(fall("h9"))
    assert table.awaiting() == {1: "demolish"}
    assert table.legal(1) == [fall("f11"), fall("g9")]
    table.play(fall("g9"))
    assert table.state.year == 2


def test_r38_no_more_than_must_fall_and_only_ones_own():
    table = star()
    assert table.refused(fall("h9", "f11", "g9")) == "too-many-fall"
    assert table.refused(fall("p5")) == "too-many-fall"
    assert table.refused(fall("l10")) == "not-your-building"
    assert table.refused(fall("zz")) == "not-your-building"
    assert table.refused(fall("h9", "h9")) == "not-removable"
    assert table.refused(fall("h9", seat=2)) == "not-awaited"
    assert table.refused(Pass(seat=1)) == "owes-another"
    moving = Relocate(seat=1, cities=[Mover(city="f9", service="culture")])
    assert table.refused(moving) == "owes-another"


def test_r38_a_single_way_is_not_asked_for():
    table = tuscany()
    table.set_buildings("f9", g9="farm", h9="school")
    table.thin_out(f9=2)
    told = table.idle_to_year(2)
    assert fallen(told) == ["h9"]


def test_r38_a_ring_can_open_anywhere_but_at_the_castle():
    table = tuscany()
    ring = ("f8", "g9", "e9")
    table.set_buildings("f9", **dict.fromkeys(ring, "school"))
    table.thin_out(f9=3)
    table.idle(lambda t: t.awaiting().get(1) == "demolish")
    assert table.legal(1) == [fall("e9"), fall("f8"), fall("g9")]


def test_r38_only_the_number_counts():
    """Citizens shift within the city: no building is lost for want of its own citizen."""
    table = tuscany()
    table.set_buildings("f9", g9="farm", h9="school")
    table.thin_out(f9=3)
    assert fallen(table.idle_to_year(2)) == []


def test_r38_without_citizens_the_castle_falls_last_and_returns():
    table = tuscany()
    table.set_buildings("f9", g9="farm", h9="school")
    table.thin_out(f9=0)
    castles = table.player(1).castles
    told = table.idle_to_year(2)
    assert fallen(told) == ["h9", "g9", "f9"]
    assert kinds(told, effects.CityLost) == [effects.CityLost(seat=1, city="f9")]
    assert table.player(1).castles == castles + 1
    assert position(table.state).pools["farm/quarry"] == 40
    assert [city.castle for city in position(table.state).cities] == ["f5", "p5", "l10"]


def test_r38_figures_on_a_fallen_building_go_home():
    table = tuscany()
    table.set_buildings("f9", g9="farm", h9="school")

    def put_figures(words: dict) -> None:
        city = next(c for c in words["cities"] if c["castle"] == "f9")
        city["figures"] = {"h9": [0, 2, 0, 0]}
        words["players"][0]["figures"] = 2

    table.thin_out(f9=2, f5=4, l10=4)
    table.alter(put_figures)
    assert table.live_city("f9").points(1) == 3
    table.idle(lambda t: t.awaiting() == {2: "starve"})  # the year has not ended yet
    assert table.player(1).figures == 4
    assert table.live_city("f9").points(1) == 0


def test_r38_the_hex_is_free_again():
    table = star()
    table.play(fall("h9", "f11"))
    table.idle(lambda t: 1 in t.awaiting())
    table.build(1, "farm", "h9")

"""A table with house rules of its own: made by the API or the form, told and played by them."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.material.numbers import numbers_of
from events.types import BuildCard
from tests.web.world import World

CHOICES = {"growth": 2, "figure_prices": [0, 1, 3], "arches": {"hospital": [1, 0, 1]}}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def test_a_table_carries_its_rules_from_the_first_event_on(world: World) -> None:
    anna = world.person("Anna")
    wish = {"players": 2, "bots": 1, "choices": {"name": "our club", **CHOICES}}
    table = anna.post("/api/tables", wish).json or {}
    assert table["ruleset"] == "our club"
    rules = (anna.get(f"/api/games/{table['id']}").json or {})["view"]["rules"]
    assert (rules["name"], rules["growth"]) == ("our club", 2)
    assert rules["arches"] == {"hospital": [1, 0, 1]}
    page = anna.get(f"/table/{table['id']}").text
    assert f"/rules?table={table['id']}" in page
    shown = anna.get(f"/rules?table={table['id']}").text
    assert "Citizens by which a city grows every year: 2." in shown
    assert "our club" in shown


def test_choices_that_are_as_ever_are_no_rules_of_ones_own(world: World) -> None:
    anna = world.person("Anna")
    table = anna.post("/api/tables", {"players": 3, "ruleset": "flush", "choices": {"growth": 1}})
    assert (table.json or {})["ruleset"] == "flush"


@pytest.mark.parametrize(
    "choices",
    [
        {"growth": 99},
        {"speed": 1},
        {"name": "flush", "growth": 2},
        {"name": "../x"},
        {"limit_without_market": 1},
        {"arches": {"farm": [[[]]]}},
        {"display_places": 12, "cards_out": [*get_args(BuildCard)[1:]]},
    ],
)
def test_rules_that_cannot_be_played_make_no_table(world: World, choices: dict[str, Any]) -> None:
    anna = world.person("Anna")
    answer = anna.post("/api/tables", {"players": 2, "choices": choices})
    assert (answer.status_code, (answer.json or {})["code"]) == (422, "bad-rules")
    assert anna.get("/api/tables").json == []


def test_the_lobbys_form_takes_a_file(world: World) -> None:
    anna = world.person("Anna")
    form = {"players": "3", "bots": "0", "ruleset": "flush", "open": "open"}
    wrong = anna.ask("POST", "/tables", form={**form, "house_rules": "growth = 9"})
    assert wrong.status_code == 422
    assert "choice growth must be a number from 0 to 3, not 9" in wrong.text
    assert "growth = 9" in wrong.text
    text = 'name = "ours"\nrounds = 4\n[card_cost]\npalace = 2\n'
    made = anna.ask("POST", "/tables", form={**form, "house_rules": text})
    assert made.status_code == 303
    waiting = anna.get(made.location).text
    assert "Political rounds a year: 4." in waiting
    assert "all politics cards on display are replaced" in waiting
    assert "ours" in anna.get("/").text


@pytest.mark.parametrize(
    ("written", "flush", "growth", "distance"),
    [
        ("growth=2", False, 2, "lanes"),
        ("flush+growth=2", True, 2, "lanes"),
        (" flush + growth = 2 + distance=straight\n", True, 2, "straight"),
        ("flush", True, 1, "lanes"),
        ('base = "flush"\ngrowth = 2', True, 2, "lanes"),
        ('{"base": "flush", "growth": 2}', True, 2, "lanes"),
    ],
)
def test_the_lobbys_form_takes_what_the_command_line_takes(
    world: World, written: str, flush: bool, growth: int, distance: str
) -> None:
    """Rules are named in one way everywhere; a preset that is named there wins over the list."""
    form = {"kind": "now", "players": "2", "ruleset": "standard", "house_rules": written}
    made = world.guest().ask("POST", "/play", form=form)
    assert made.status_code == 303, made.text
    rules = world.services.lobby.get(made.location.rsplit("/", 1)[-1]).played_by
    assert (rules.flush, numbers_of(rules).growth, rules.distance) == (flush, growth, distance)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("chess+growth=2", "chess"),
        ("growth=9", "choice growth must be a number from 0 to 3, not 9"),
        ("growth", "growth"),
        ("+" * 5000, ""),
        ('base = ["fi"]\n', "fi"),
    ],
)
def test_a_mix_that_is_none_is_said_in_the_form(world: World, written: str, said: str) -> None:
    form = {"kind": "now", "players": "2", "house_rules": written}
    wrong = world.guest().ask("POST", "/play", form=form)
    assert wrong.status_code == 422
    assert said in html.unescape(wrong.text).split('-house-error" role')[1].split("</p>")[0]


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", "players: expected `int` <= 5"),
        ("de", "players: `int` <= 5 erwartet"),
        ("fr", "players\u00a0: `int` <= 5 attendu"),
        ("nl", "players: `int` <= 5 verwacht"),
        ("fi", "players: odotettiin: `int` <= 5"),
    ],
)
def test_what_is_wrong_with_a_request_is_told_in_its_language(
    world: World, language: str, wanted: str
) -> None:
    asked = world.person(f"Person {language}")
    headers = {"Accept-Language": language, "X-CSRFToken": asked.csrf()}
    for body, sentence in (
        ({"players": 9}, wanted),
        ({"players": 2, "choices": {"cards_out": ["castle"]}}, "[0]"),
    ):
        got = asked.client.post("/api/tables", json=body, headers=headers)
        assert got.status_code == 422
        assert sentence in got.json["sentence"]
        assert ("invalid value" in got.json["sentence"]) == (language == "en" and "choices" in body)

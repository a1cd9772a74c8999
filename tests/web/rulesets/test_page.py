"""The page that puts house rules together: form, address, file, trial, table."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from flask import Flask

from engine.material import library
from engine.material.choices import ALLOWED, CHOICES, differing
from replays.corpus.games import CORPUS, logs_in
from replays.files.rulesets import load_ruleset, own_ruleset, read_mix, write_mix
from tests.web.world import Someone, World
from web.rules.rulesets import label_of
from web.rulesets.form import GROUPS, groups
from web.rulesets.trial import try_rules
from web.words.language import LANGUAGES

MIX = (
    "flush+limits=true+growth=2+figure_prices=0/1/3+card_cost.palace=2+arches.farm=0/0/1"
    "+cards_out=polling/bath+name=Our house"
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def form_of(page: str) -> dict[str, str | list[str]]:
    """What a browser would send if somebody pressed the button at once."""
    inside = page[page.index('id="choose"') : page.index('class="outcome"')]
    fields: dict[str, str | list[str]] = {}
    for tag in re.findall(r"<input [^>]*>", inside):
        known = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        if known.get("type") in ("radio", "checkbox") and " checked" not in tag:
            continue
        if known["name"] == "cards_out":
            fields.setdefault("cards_out", []).append(known["value"])  # type: ignore[union-attr]
        elif known["name"] != "csrf_token":
            fields[known["name"]] = html.unescape(known["value"])
    return fields


def send(someone: Someone, fields: dict[str, str | list[str]]) -> tuple[int, str, str]:
    answer = someone.client.post("/ruleset", data=fields, headers={"X-CSRFToken": someone.csrf()})
    return answer.status_code, answer.headers.get("Location", ""), answer.text


def test_every_choice_is_in_one_group(app: Flask) -> None:
    assert sorted(choice for _, choices in GROUPS for choice in choices) == sorted(CHOICES)
    with app.test_request_context():
        shown = groups(library.ruleset(), library.ruleset(), {})
        assert len({field.field for group in shown for e in group.entries for field in e.numbers})


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_say_what_a_choice_is_about(app: Flask, language: str) -> None:
    with app.test_request_context(f"/?lang={language}"):
        labels = [label_of(choice) for _, choices in GROUPS for choice in choices]
        assert all(3 < len(label) < 80 and "{" not in label for label in labels), labels
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("preset", [*library.RULESETS, MIX])
def test_the_form_sent_as_it_is_changes_nothing(world: World, preset: str) -> None:
    guest = world.guest()
    page = guest.get(f"/ruleset/{preset}")
    assert page.status_code == 200
    status, location, _ = send(guest, form_of(page.text))
    assert status == 303
    mix = location.removeprefix("/ruleset/").removesuffix("#changes").replace("%20", " ")
    assert read_mix(mix) == read_mix(preset) if "=" in preset else mix == preset


def test_a_number_that_is_changed_becomes_the_address(world: World) -> None:
    guest = world.guest()
    fields = form_of(guest.get("/ruleset").text)
    fields |= {"growth": "2", "arches.farm.health": "1", "citizen_prices.3": "6", "flush": "true"}
    fields |= {"cards_out": ["polling"], "name": "Our house"}
    _, location, _ = send(guest, fields)
    assert location == (
        "/ruleset/standard+flush=true+growth=2+arches.farm=0/0/1+citizen_prices=0/2/6"
        "+cards_out=polling+name=Our%20house#changes"
    )
    page = guest.get(location).text
    assert "Citizens by which a city grows every year: 2." in page
    assert "before: 1" in page
    assert "Gold for one, two and three citizens: 0/2/6." in page


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"growth": "9"}, "choice growth must be a number from 0 to 3, not 9"),
        ({"growth": "two"}, "choice growth must be a number from 0 to 3"),
        ({"card_cost.palace": "77"}, "choice card_cost"),
        ({"arches.farm.health": "-1"}, "choice arches"),
        ({"distance": "far"}, "choice distance must be one of"),
        ({"cards_out": ["castle"]}, "choice cards_out"),
        ({"start_citizens": "8"}, "start_citizens are more than"),
        ({"name": "<b>"}, "its name"),
    ],
)
def test_what_cannot_be_played_is_said_and_kept(
    world: World, fields: dict[str, str | list[str]], reason: str
) -> None:
    guest = world.guest()
    status, _, page = send(guest, form_of(guest.get("/ruleset/rounds=4").text) | fields)
    assert status == 422
    assert reason in html.unescape(page)
    again = form_of(page)
    assert again["rounds"] == "4"
    assert again.get("growth") == fields.get("growth", "1")


@pytest.mark.parametrize(
    "address", ["growth=9", "nothing", "x=y", "a/../b", "growth=2+name=%3Cscript%3E", "=" * 3000]
)
def test_a_wrong_address_is_a_sentence(world: World, address: str) -> None:
    answer = world.nobody().get(f"/ruleset/{address}")
    assert answer.status_code == 422
    assert "These rules cannot be played" in answer.text
    assert "<script>" not in answer.text.replace('<script type="', "")


def test_no_file_of_the_server_is_read(world: World, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("growth = 2\n", encoding="utf-8")
    for address in (f"/ruleset/%2F{file}", f"/ruleset/../../..{file}", "/ruleset/mine.toml"):
        assert world.nobody().client.get(address, follow_redirects=True).status_code in (404, 422)


@pytest.mark.parametrize("format_", ["toml", "json"])
def test_rules_go_out_and_come_back_as_a_file(world: World, tmp_path: Path, format_: str) -> None:
    guest = world.guest()
    sent = guest.get(f"/ruleset/{MIX}?as={format_}")
    assert sent.headers["Content-Disposition"] == f'attachment; filename="Our-house.{format_}"'
    file = tmp_path / f"x.{format_}"
    file.write_bytes(sent.data)
    assert load_ruleset(str(file)) == read_mix(MIX)
    with file.open("rb") as opened:
        back = guest.client.post(
            "/ruleset/file", data={"file": opened}, headers={"X-CSRFToken": guest.csrf()}
        )
    assert back.headers["Location"].endswith(
        "/ruleset/" + write_mix("flush", read_mix(MIX)).replace(" ", "%20") + "#changes"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Please choose a file."),
        ("growth = 9", "choice growth must be"),
        ("base = 5", "no ruleset named"),
        ('base = "chess"', "no ruleset named chess"),
        ("[[[", "ruleset:"),
        ("a" * 20_001, "larger than"),
        ('{"a":' * 5000, "ruleset:"),
    ],
)
def test_a_wrong_file_is_a_sentence(world: World, text: str, reason: str) -> None:
    answer = world.guest().ask("POST", "/ruleset/file", form={"text": text})
    assert answer.status_code == 422
    assert reason in html.unescape(answer.text)


def test_another_preset_keeps_the_choices(world: World) -> None:
    answer = world.nobody().get("/ruleset?base=flush&choices=growth%3D2")
    assert answer.headers["Location"] == "/ruleset/flush+growth=2"
    assert world.nobody().get("/ruleset?base=chess").headers["Location"] == "/ruleset/standard"


def test_rules_are_tried_on_the_recorded_games(world: World) -> None:
    page = world.nobody().get("/ruleset/start_gold=3?try=1").text
    games = len(logs_in(CORPUS))
    assert f"{games} games, played again" in page
    assert "Gold at the start: 3." in page
    trial = try_rules(read_mix("growth=2"), library.ruleset(), "de")
    assert trial.games == games
    assert trial.same == 0
    assert trial.other_winners
    (cause,) = trial.causes
    assert (cause.choices, cause.rules, cause.games) == (["growth"], ["R15"], games)
    assert cause.winners == trial.other_winners
    assert "Stadt" in cause.difference[0]
    assert len(cause.boards) == 2
    same = try_rules(library.ruleset(), library.ruleset(), "en")
    assert (same.same, same.causes) == (games, [])


def test_causes_stand_with_both_boards_and_nothing_to_decide(world: World) -> None:
    page = world.nobody().get("/ruleset/flush+growth=2?try=1").text
    trial = page[page.index('id="trial"') : page.index('id="play"')]
    assert trial.count('class="cause"') >= 1
    assert trial.count('class="lc lc-board"') >= 2
    ids = re.findall(r' id="([^"]*)"', trial)
    assert len(ids) == len(set(ids))
    assert "<form" not in trial
    assert "<button" not in trial


def test_a_table_is_created_from_the_page(world: World) -> None:
    guest = world.guest()
    page = guest.get("/ruleset/flush+growth=2+rounds=4").text
    section = page[page.index('id="play"') :]
    written = html.unescape(re.findall(r'name="house_rules" value="([^"]*)"', section)[0])
    form = {"kind": "now", "ruleset": "flush", "house_rules": written, "players": "3"}
    sent = guest.ask("POST", "/play", form=form)
    game = sent.headers["Location"].rsplit("/", 1)[-1]
    table = world.services.lobby.get(game)
    assert differing(table.played_by, own_ruleset("flush", {"growth": 2, "rounds": 4})) == []
    assert "round 1 of 4" in guest.get(f"/table/{game}").text


def test_the_numbers_of_a_table_are_on_its_cards_and_rules(world: World) -> None:
    rules = (
        "standard+limit_without_market=6+limit_with_market=11+growth=2+citizen_points=4"
        "+card_cost.palace=7+poll_price=9+figure_prices=1/3/8+action_gold=5+master_cost.farm=3"
    )
    page = world.nobody().get("/rules?rules=" + rules.replace("+", "%2B")).text
    for said in (
        "if there is room: 2.",
        "Points per citizen at the end: 4.",
        "Limit of a city without a market: 6.",
        "Limit of a city with a market but no water: 11.",
    ):
        assert said in page
    assert "without a market: 5." not in page
    assert "but no water: 8." not in page
    guest = world.guest()
    base, _, text = rules.partition("+")
    choices = "\n".join(part for part in text.replace("/", ",").split("+"))
    choices = choices.replace("figure_prices=1,3,8", "figure_prices=[1,3,8]")
    form = {"kind": "now", "ruleset": base, "house_rules": choices, "players": "2"}
    game = guest.ask("POST", "/play", form=form).headers["Location"].rsplit("/", 1)[-1]
    table = guest.get(f"/table/{game}").text
    assert "Take 5 gold" in html.unescape(table)
    assert "Take 2 gold" not in table
    with world.app.test_request_context():
        from web.words import terms

        own = world.services.lobby.get(game).played_by
        assert terms.use("palace", own) == "Build a palace for 7 gold: 2 culture."
        assert terms.use("polling", own).startswith("Look at two hidden voice cards, or for 9 gold")
        assert "for 1, 3 or 8 gold" in terms.use("bread-and-games", own)
        assert terms.use("polling", library.ruleset("en")) == "Look at two hidden voice cards."
        usual = library.ruleset()
        assert terms.use("hospital", usual) == (
            "Build a hospital for 1 gold: 1 education, 1 health."
        )


def test_words_between_choices_are_all_offered(world: World) -> None:
    page = world.nobody().get("/ruleset").text
    for choice, values in ALLOWED.items():
        offered = re.findall(rf'name="{choice}" value="([^"]*)"', page)
        assert offered == [str(value).lower() for value in values]

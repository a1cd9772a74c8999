"""A finished game under other rules: both lines on one page, and nothing of a running game."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
import pytest

from engine.bots import RandomBot, StewardBot
from engine.fold import fold
from engine.material.choices import ALLOWED, BOUNDS, differing
from engine.material.library import RULESETS, ruleset
from engine.selfplay import Game, new_game, play_out
from events.types import AnyEvent
from replays.files.rulesets import read_mix
from tests.web.world import Someone, World, at_once, holder
from web.games import replays
from web.games.replays import Replays
from web.rules import rulesets


@pytest.fixture(scope="module")
def events() -> list[AnyEvent]:
    return play_out(new_game(3, "other rules"), StewardBot("s")).events


@pytest.fixture
def world(tmp_path: Path, events: list[AnyEvent]) -> Iterator[World]:
    made = World(tmp_path)
    anna = made.person("Anna")
    made.anna = anna  # type: ignore[attr-defined]
    seats = [holder(anna, name) for name in ("Anna", "Bert", "Carla")]
    for name, length in (("over", len(events)), ("half", len(events) // 2)):
        game = Game.__new__(Game)
        game.events = events[:length]
        game.state = fold(game.events)
        made.seat(name, game, seats)
    made.store.append("imported", 0, events)
    flushed = play_out(new_game(2, "flushed", "flush"), RandomBot(2)).events
    made.store.append("flushed", 0, flushed)
    yield made
    made.close()


def first_of(world: World, name: str, when: str = "bot") -> int:
    return world.services.replays.under("over", ruleset(name), when, at_once).first  # type: ignore[arg-type]


def test_it_opens_at_the_first_difference(world: World) -> None:
    nobody = world.nobody()
    first = first_of(world, "flush")
    answer = nobody.get("/replay/over/under/flush?lang=de&when=skip")
    assert answer.status_code == 303
    assert answer.location == f"/replay/over/under/flush/{first}?lang=de&when=skip"
    page = nobody.get(f"/replay/over/under/flush/{first}").text
    assert "Here the tables differ for the first time." in page
    assert page.count("<svg") >= 2
    assert "At the start of each year all politics cards on display are replaced." in page
    assert "R32" in page
    assert 'class="parting"' in page
    before = nobody.get(f"/replay/over/under/flush/{first - 1}/parts").text
    assert "Both tables are the same." in before
    assert "Nothing on the table differs." in before
    assert "note-yellow" not in before


def test_a_part_is_what_the_page_shows(world: World) -> None:
    path = f"/replay/over/under/no-limits/{first_of(world, 'no-limits') + 9}"
    part, page = world.nobody().get(f"{path}/parts").text, world.nobody().get(path).text
    assert part.strip() in page
    assert "The tables differ." in part
    assert re.search(r'class="hex [^"]*\bnote-yellow\b', part)


def test_a_note_says_that_its_table_is_another(world: World) -> None:
    anna: Someone = world.anna  # type: ignore[attr-defined]
    far = first_of(world, "no-limits") + 20
    for number in (3, far):
        body = {"at": {"number": number}, "content": {"text": "Well *done*"}, "seen_by": "all"}
        assert anna.post("/api/notebooks/game/over/notes", body).status_code == 201
    secret = {"at": {"number": far}, "content": {"text": "Secretly"}, "seen_by": "me"}
    assert anna.post("/api/notebooks/game/over/notes", secret).status_code == 201
    page = world.nobody().get(f"/replay/over/under/no-limits/{far}").text
    assert "Well <em>done</em>" in page
    assert "the table beneath this note is another; both are drawn above." in page
    assert "Secretly" not in page
    early = world.nobody().get("/replay/over/under/no-limits/3").text
    assert "the table beneath this note is the same." in early


def test_the_same_way(world: World, events: list[AnyEvent]) -> None:
    answer = world.nobody().get("/replay/over/under/en")
    assert answer.location == f"/replay/over/under/en/{len(events)}"
    page = world.nobody().get(answer.location).text
    assert "Under these rules this game goes exactly the same way." in page
    assert 'class="parting"' not in page
    assert "To the first difference" not in page


def test_what_happens_where_an_action_is_not_allowed(world: World, events: list[AnyEvent]) -> None:
    nobody, last = world.nobody(), len(events)
    refused = min(world.services.replays.under("over", ruleset("flush"), "bot", at_once).refused)
    said = {
        "bot": "A bot decides instead.",
        "skip": "It is left out.",
        "stop": "The line ends here.",
    }
    for when, words in said.items():
        page = nobody.get(f"/replay/over/under/flush/{refused}?when={when}").text
        assert "Not allowed:" in page
        assert words in page
        assert all(other not in page for other in said.values() if other != words)
        ways = re.findall(r'href="[^"]*when=(\w+)" data-moves aria-current', page)
        assert ways == [when]
        # Every step keeps the way.
        links = re.findall(r'data-step="[\w-]+"[^>]* href="([^"]+)"', page, re.DOTALL)
        assert len(links) > 5
        assert all(link.endswith(f"?when={when}") for link in links)
    stopped = nobody.get(f"/replay/over/under/flush/{last}?when=stop").text
    assert f"Under these rules the game stops at moment {refused}." in stopped
    assert f"This line ended at moment {refused}" in stopped
    played_on = nobody.get(f"/replay/over/under/flush/{last}?when=bot").text
    assert re.search(r"wins either way|would win, not", played_on)
    assert re.search(r"A bot took \d+ decisions? on the way there", played_on)
    unknown = nobody.get(f"/replay/over/under/flush/{last}?when=%3Cb%3E").text
    assert "wins either way" in unknown or "would win, not" in unknown


def test_rules_of_ones_own(world: World) -> None:
    nobody = world.nobody()
    query = "rule=penalty_for:starved-or-moved&rule=limits:no"
    answer = nobody.get(f"/replay/over/under/own?{query}")
    assert answer.status_code == 303
    page = nobody.get(answer.location).text
    assert "Rules of your own" in page
    assert page.count('name="rule"') == sum(len(values) - 1 for values in ALLOWED.values())
    assert page.count(" checked>") == 2
    # Links and scripts keep them.
    assert "rule=penalty_for:starved-or-moved&amp;rule=limits:no" in page
    # A mix is not kept under its name, but as what it says.
    mix = msgspec.structs.replace(ruleset(), name="mine", flush=True)
    under = world.services.replays.under
    once = under("over", ruleset("flush"), "bot", at_once)
    assert under("over", mix, "bot", at_once) is once


def test_numbers_of_ones_own(world: World) -> None:
    nobody = world.nobody()
    answer = nobody.get("/replay/over/under/own?growth=2&rounds=&limit_without_market=6")
    assert answer.status_code == 303
    assert "rule=growth:2&rule=limit_without_market:6" in answer.location
    assert "rounds" not in answer.location
    page = nobody.get(answer.location).text
    assert "Citizens by which a city grows every year: 2." in page
    for choice, (least, most) in BOUNDS.items():
        assert f'name="{choice}" min="{least}" max="{most}"' in page
    assert 'name="growth" min="0" max="3" value="2" placeholder="1"' in page
    for wrong in ("growth=9", "growth=x", "growth=-1", "growth=222"):
        assert nobody.get(f"/replay/over/under/own?{wrong}").status_code == 404


@pytest.mark.parametrize(
    "written",
    [
        "growth=2+card_cost.palace=2+cards_out=polling+flush=true",
        " flush + growth = 2 + card_cost.palace = 2 + cards_out = polling",
        'growth = 2\nflush = true\ncard_cost = { palace = 2 }\ncards_out = ["polling"]\n',
        '{"base": "flush", "growth": 2, "card_cost": {"palace": 2}, "cards_out": ["polling"]}',
    ],
)
def test_a_mix_or_a_file_as_anywhere_else(world: World, written: str) -> None:
    nobody = world.nobody()
    answer = nobody.get("/replay/over/under/own?" + urlencode({"mix": written, "rounds": 4}))
    assert answer.status_code == 303
    page = nobody.get(answer.location).text
    for said in (
        "Citizens by which a city grows every year: 2.",
        "Political rounds a year: 4.",
        "palace 2",
        "At the start of each year all politics cards on display are replaced.",
    ):
        assert said in page
    links = re.findall(r'data-step="[\w-]+"[^>]* href="([^"]+)"', page, re.DOTALL)
    assert len(links) > 5
    carried = [parse_qs(urlsplit(html.unescape(link)).query) for link in links]
    assert all(query["mix"] == [written.strip()] for query in carried)
    field = re.findall(r'<textarea[^>]* name="mix"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert [html.unescape(text) for text in field] == [written.strip()]


def test_without_a_preset_the_games_own_rules_are_kept(world: World) -> None:
    nobody = world.nobody()
    answer = nobody.get("/replay/flushed/under/own?mix=growth%3D2%2Bname%3DOurs")
    page = nobody.get(answer.location).text
    changes = page.split('<ul class="changes">')[1].split("</ul>")[0]
    assert re.findall("<li>(.*?)</li>", changes) == [
        "Citizens by which a city grows every year: 2."
    ]
    assert "Ours</h1>" in page
    other = nobody.get("/replay/flushed/under/own?mix=standard%2Bgrowth%3D2")
    assert "Politics cards stay on display" in nobody.get(other.location).text


def test_a_number_of_the_rulebooks_is_named_as_cause(world: World) -> None:
    """The game has another one, and the rules that it is seen under leave it as ever."""
    grown = play_out(new_game(2, "grown", read_mix("growth=2")), RandomBot(2)).events
    world.store.append("grown", 0, grown)
    nobody = world.nobody()
    page = nobody.get(nobody.get("/replay/grown/under/standard").location).text
    assert "The cause: Citizens by which a city grows every year: 1." in page
    assert "UNSET" not in page


@pytest.mark.parametrize(
    ("mix", "said"),
    [
        ("growth=9", "choice growth must be a number from 0 to 3, not 9"),
        ("chess+growth=2", "chess"),
        ("flush+name=standard", "is the name of a preset"),
        ("/etc/passwd", "/etc/passwd"),
        (
            "display_places=12+cards_out=palace/hospital/bath/cathedral/university/master-builder",
            "display_places",
        ),
        ("growth=2\n" * 300, "larger than 2000 bytes"),
    ],
)
def test_a_mix_that_cannot_be_played_is_said(world: World, mix: str, said: str) -> None:
    answer = world.nobody().get("/replay/over/under/own/5?" + urlencode({"mix": mix}))
    assert answer.status_code == 422
    assert said in html.unescape(answer.text)


def test_presets_are_told_by_what_they_change_in_this_game(world: World) -> None:
    page = world.nobody().get("/replay/over/9").text
    otherwise = [name for name in RULESETS if differing(ruleset(), ruleset(name))]
    assert page.count("/replay/over/under/") == len(otherwise) + 1
    assert 'href="/replay/over/under/standard"' not in page
    flushed = world.nobody().get("/replay/flushed/9").text
    assert 'href="/replay/flushed/under/standard"' in flushed
    assert 'href="/replay/flushed/under/flush"' not in flushed
    assert "Politics cards stay on display until somebody takes them." in flushed
    assert "See this game under other rules" not in world.nobody().get("/replay/half/9").text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("over/under/flush/0", 404),
        ("over/under/flush/99999", 404),
        ("over/under/flush/99999/parts", 404),
        ("over/under/nonsense", 404),
        ("over/under/..%2Fflush/3", 404),
        ("nowhere/under/flush", 404),
        ("over/under/own/5", 200),
        ("over/under/own/5?rule=", 404),
        ("over/under/own/5?rule=flush:no", 404),
        ("over/under/own/5?rule=name:yes", 404),
        ("over/under/own/5?" + "&".join(["rule=flush:yes"] * 60), 404),
        ("over/under/own/5?rule=flush:yes&rule=display:ageing", 422),
        ("imported/under/fi/7", 200),
    ],
)
def test_what_does_not_exist_is_said(world: World, path: str, status: int) -> None:
    assert world.nobody().get(f"/replay/{path}").status_code == status


def test_a_running_game_is_refused_to_everyone(world: World) -> None:
    anna: Someone = world.anna  # type: ignore[attr-defined]
    for who in (anna, world.nobody()):
        for path in ("flush", "flush/9", "flush/9/parts?cards=open&seat=1", "own/9?rule=limits:no"):
            answer = who.get(f"/replay/half/under/{path}")
            assert answer.status_code == 409
            assert "Other rules can be tried once the game is over." in answer.text
            assert "data-hex" not in answer.text


def test_few_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "KEPT_REFOLDED", 2)
    kept = Replays(world.store)
    first = kept.under("over", ruleset("flush"), "stop", at_once)
    assert kept.under("over", ruleset("flush"), "stop", at_once) is first
    for name in ("fi", "no-limits"):
        kept.under("over", ruleset(name), "stop", at_once)
    assert len(kept._refolded) == 2
    assert kept.under("over", ruleset("flush"), "stop", at_once) is not first


def test_every_choice_has_words_both_ways(world: World) -> None:
    with world.app.test_request_context():
        for name in RULESETS:
            there = rulesets.changes(ruleset(), ruleset(name))
            back = rulesets.changes(ruleset(name), ruleset())
            assert len(there) == len(back)
            assert not set(there) & set(back)

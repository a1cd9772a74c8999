"""The rules' page: every rule under its number, numbers from the data, what editions change."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

import pytest
from flask import Flask

from engine.material import library
from engine.material.choices import RULES, differing
from engine.material.numbers import KINDS
from engine.refusals import REASONS
from tests.web.world import World
from web.rules.chapters import CHAPTERS, all_rules
from web.rules.drawings.illustration import DRAW
from web.rules.drawings.rules import drawings
from web.rules.editions import DECIDED, PRINTED
from web.rules.facts import facts
from web.rules.links import OF_THE_TABLE, anchor
from web.rules.page import PHASES
from web.rules.tips import ADVISED

NUMBERS = [f"R{number}" for number in range(1, 46)]
TABLES = {"tokens", "box", "phases", "limits", "buildings"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def texts() -> list[str]:
    """Every text of the chapters."""
    of_chapters = [text for each in CHAPTERS for text in (each.title, *each.opens)]
    return of_chapters + [text for rule in all_rules() for text in (rule.title, *rule.says)]


def ids(page: str) -> Counter[str]:
    return Counter(re.findall(r'\sid="([^"]+)"', page))


def test_every_rule_has_its_anchor_once(world: World) -> None:
    found = ids(world.nobody().get("/rules").text)
    assert [found[number] for number in NUMBERS] == [1] * len(NUMBERS)
    assert [name for name, count in found.items() if count > 1] == []
    assert sorted(rule.anchor for rule in all_rules() if rule.anchor[:1] == "R") == sorted(NUMBERS)


def test_every_link_within_the_page_has_a_goal(world: World) -> None:
    page = world.nobody().get("/rules?ruleset=short-evening").text
    goals = re.findall(r'<a [^>]*href="#([^"]+)"', page)
    assert len(goals) > len(NUMBERS)
    assert set(goals) <= set(ids(page))


@pytest.mark.parametrize("code", REASONS)
def test_every_refusal_has_a_place_on_the_page(code: str) -> None:
    assert anchor(code, REASONS[code][0]) in {rule.anchor for rule in all_rules()}


def test_what_concerns_the_table_is_refused_by_codes_that_exist() -> None:
    assert set(OF_THE_TABLE) == {code for code, (rule, _) in REASONS.items() if not rule}
    assert set(PHASES) <= set(NUMBERS)


def test_numbers_come_from_the_data_and_all_of_them_are_used() -> None:
    known = facts(library.ruleset())
    said = texts()
    assert [text for text in said if re.search(r"\d", text)] == []
    assert {name for text in said for name in re.findall(r"\{(\w+)\}", text)} == set(known)


def test_texts_are_short_and_said_once() -> None:
    said = texts()
    assert len(said) == len(set(said))
    assert max(map(len, said)) < 230


def test_everything_that_is_shown_can_be_shown() -> None:
    places = [*CHAPTERS, *all_rules()]
    named = [name for place in places for name in (*place.beside, *place.shows)]
    named += [name for chapter in CHAPTERS for name in chapter.ends]
    printed = (PRINTED | ADVISED).values()
    named += [each.drawing for lines in printed for each in lines if each.drawing]
    cards = {name.removeprefix("cards-") for name in named if name.startswith("cards-")}
    assert {name for name in named if not name.startswith("cards-")} == TABLES | set(DRAW)
    assert cards - {"building"} == set(library.box().politics) - {kind.name for kind in KINDS}


def test_the_page_tells_what_each_edition_prints(app: Flask) -> None:
    page = html.unescape(app.test_client().get("/rules").text)
    for rule, lines in PRINTED.items():
        assert rule in NUMBERS
        assert any(each.drawing for each in lines), rule
        for each in lines:
            assert each.text in page
    for rule, text in DECIDED:
        assert rule in NUMBERS
        assert text in page


def test_an_edition_that_differs_is_told_under_its_rule() -> None:
    """Every choice of an edition's preset is printed under a rule that it touches."""
    for name in ("en", "de", "nl", "fr", "fi"):
        for choice in differing(library.ruleset(), library.ruleset(name)):
            told = [each for rule in RULES[choice] for each in PRINTED.get(rule, ())]
            assert any(name in each.editions for each in told), (name, choice)


def test_drawings_tell_what_they_show(app: Flask) -> None:
    with app.test_request_context():
        drawn = drawings("en")
        assert drawings("en") is drawn
    for name, shown in drawn.items():
        assert shown.caption, name
        for picture in shown.pictures:
            assert re.search(r'role="img"( aria-label="[^"]{20,}"|[^>]*><title>)', picture.svg), (
                name
            )
            assert "tabindex" not in picture.svg
    assert drawn["relocation"].story[-1] == (
        "A citizen leaves Bruno's city Pelago for culture in Anna's city Rufina."
    )
    assert drawn["demolition"].story == ["The quarry on f6 in Bruno's city Pelago falls."]
    before, after = (picture.svg for picture in drawn["relocation"].pictures)
    assert "Bruno’s city Pelago has 4 citizens, Anna’s city Rufina has 4." in before
    assert "Bruno’s city Pelago has 3 citizens, Anna’s city Rufina has 5." in after
    assert 'class="hex built of-2' in drawn["sites"].pictures[0].svg
    assert drawn["sites"].pictures[0].svg.count(' barred"') == 1


@pytest.mark.parametrize("name", library.RULESETS)
def test_a_ruleset_marks_what_differs(world: World, name: str) -> None:
    page = world.nobody().get(f"/rules?ruleset={name}")
    assert page.status_code == 200
    changed = differing(library.ruleset(), library.ruleset(name))
    expected = {rule for choice in changed for rule in RULES[choice]}
    assert set(re.findall(r'class="rule otherwise" id="(R\d+)"', page.text)) == expected
    assert ('class="differs"' in page.text) == bool(expected)


def test_a_short_evening_counts_its_own_years(world: World) -> None:
    assert "The game lasts 6 years." in world.nobody().get("/rules").text
    assert "The game lasts 5 years." in world.nobody().get("/rules?ruleset=short-evening").text


def test_there_are_no_other_rules(world: World) -> None:
    assert world.nobody().get("/rules?ruleset=chess").status_code == 404


def test_the_page_speaks_german_as_far_as_it_is_translated(world: World) -> None:
    page = world.nobody().get("/rules?lang=de&ruleset=fi").text
    assert '<html lang="de">' in page
    assert "Bauernhof" in page
    assert "Finnische Ausgabe" in page
    assert set(NUMBERS) <= set(ids(page))


def test_a_refusal_names_its_rule_and_where_to_read_it(world: World) -> None:
    guest = world.guest()
    sent = guest.ask("POST", "/play", form={"kind": "now"})
    game = sent.headers["Location"].rsplit("/", 1)[-1]
    answer = guest.post(f"/api/games/{game}/preview", {"type": "gold", "seat": 1})
    while answer.status_code == 200:  # the seat is not awaited yet, or has cards left
        guest.post(f"/api/games/{game}/actions", {"type": "gold", "seat": 1})
        answer = guest.post(f"/api/games/{game}/preview", {"type": "gold", "seat": 1})
    assert answer.status_code == 409
    assert answer.json["link"] == f"/rules#{answer.json['rule']}"
    # What no rule refuses has neither.
    assert set(guest.get("/api/games/nowhere").json) == {"code", "sentence"}


def test_every_page_leads_to_the_rules(world: World) -> None:
    assert '<a href="/rules">' in world.nobody().get("/").text


def test_the_words_of_the_edition_are_the_books(app: Flask) -> None:
    page = app.test_client().get("/rules?lang=de").text
    words = page[page.index('id="words"') : page.index('id="choices"')]
    assert "Anziehungs-Punkte" in words
    # Words of these pages are in the glossary, too, so that there is one for each thing.
    assert "Zeitpunkt" not in words

"""Studies on pages: opened, changed and ordered by forms, read by whom they are for, guessed at."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.selfplay import Game, new_game, play_out
from replays.cursor import Cursor
from replays.guess import likeness, question_from
from tests.web.world import Someone, World, holder


class Library(World):
    """A finished game and a running one, and a study of Anna's with a chapter on each."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, self.bert = self.person("Anna"), self.person("Bert")
        self.over = play_out(new_game(2, "studies"), RandomBot(1))
        running = Game(self.over.events[0], "0" * 64)  # type: ignore[arg-type]
        seats = [holder(self.anna, "Anna"), holder(self.bert, "Bert")]
        self.seat("over", self.over, seats)
        self.seat("running", running, seats)
        self.cursor = Cursor(self.over.events)
        self.study = self.made("/studies", title="Hunger", introduction="*Read.*", seen_by="all")
        self.first = self.chapter(title="One", game="over")
        self.second = self.chapter(title="Two", address="http://a.example/replay/over/9", guess="2")

    def made(self, path: str, **form: str) -> str:
        answer = self.anna.ask("POST", path, form=form)
        assert answer.status_code == 303, answer.text
        return answer.location

    def chapter(self, **form: str) -> str:
        return self.made(f"{self.study}/chapters", **form).rpartition("#chapter-")[2]

    def titles(self, who: Someone) -> list[str]:
        page = who.get(self.study).text
        return re.findall(r"<h3>(?:<a[^>]*>)?([^<]+)", page)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    made.close()


def test_a_study_is_made_changed_and_ordered_by_forms_alone(library: Library) -> None:
    nobody = library.nobody()
    page = nobody.get(library.study).text
    assert "<em>Read.</em>" in page
    assert "<form" not in page[page.index('id="content"') : page.index("</main>")]
    assert library.titles(nobody) == ["One", "Two"]
    library.made(f"{library.study}/{library.second}/move", to="up")
    assert library.titles(nobody) == ["Two", "One"]
    library.made(f"{library.study}/{library.second}/move", to="up")  # it is the first already
    library.made(f"{library.study}/{library.second}/move", to="down")
    assert library.titles(nobody) == ["One", "Two"]
    form = {"title": "Later", "start": "12", "guess": "0", "introduction": "a\r\nb"}
    library.made(f"{library.study}/{library.first}/change", **form)
    book = library.services.notebooks.get(library.study[1:])
    assert book.chapters[library.first].introduction == "a\nb"
    assert book.chapters[library.first].start == 12
    assert (book.chapters[library.second].start, book.chapters[library.second].guess) == (9, 2)
    library.made(f"{library.study}/{library.first}/withdraw")
    assert library.titles(nobody) == ["Two"]
    library.made(library.study, title="Plenty", seen_by="me")
    assert nobody.get(library.study).status_code == 404
    assert "Plenty" in library.anna.get("/studies").text
    assert "Plenty" not in library.bert.get("/studies").text


def test_whoever_has_the_link_reads_every_page_of_it(library: Library) -> None:
    library.made(library.study, title="Hunger", seen_by="link")
    shown = re.search(r'id="link" value="([^"]+)"', library.anna.get(library.study).text)
    assert shown is not None
    link = html.unescape(shown[1]).removeprefix("http://localhost")
    paths = [link]
    for _ in range(4):
        page = library.bert.get(paths[-1])
        if page.status_code == 303:  # on to the first turn to guess
            page = library.bert.get(page.location)
        assert page.status_code == 200
        inside = page.text[page.text.index('id="content"') :]
        found = [html.unescape(each) for each in re.findall(r'href="(/study/[^"]+)"', inside)]
        assert all("by=" in each for each in found)
        pages = [each for each in found if "study.json" not in each]
        paths.append(pages[len(paths) % len(pages)])
    for path in {link, *paths}:
        assert library.bert.get(path.partition("?")[0]).status_code == 404
        assert library.bert.get(path.partition("?")[0] + "?by=" + "0" * 24).status_code == 404


def test_a_chapter_is_the_viewer_with_its_neighbours(library: Library) -> None:
    nobody = library.nobody()
    page = nobody.get(f"{library.study}/{library.second}").text
    assert f'data-notebook="{library.study[1:]}"' in page
    assert f'data-chapter="{library.second}"' in page
    assert 'data-number="9"' in page
    assert f'rel="prev" href="{library.study}/{library.first}"' in page
    assert f'href="{library.study}/{library.second}/10"' in page
    assert 'data-number="12"' in nobody.get(f"{library.study}/{library.second}/12/parts").text
    for wrong in ("nowhere", f"{library.second}/99999", f"{library.second}/0", "..%2f"):
        assert nobody.get(f"{library.study}/{wrong}").status_code == 404


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"title": "", "game": "over"}, "Please give a title."),
        ({"title": "x" * 121, "game": "over"}, "at most 120 characters"),
        ({"title": "x", "game": "over", "introduction": "x" * 10_001}, "at most 10000"),
        ({"title": "x", "game": "nowhere"}, "There is no such game."),
        ({"title": "x", "game": "../etc"}, "Please choose one of these."),
        ({"title": "x", "address": "http://[bad/replay/x"}, "neither a game nor a moment"),
        ({"title": "x", "address": "/nothing/here"}, "neither a game nor a moment"),
        ({"title": "x", "game": "over", "start": "9999"}, "no such moment"),
        ({"title": "x", "game": "over", "start": "²"}, "no such moment"),
        ({"title": "x", "game": "over", "guess": "3"}, "There is no seat 3."),
        ({"title": "x", "game": "over", "guess": "-1"}, "a number from 0 to 5"),
    ],
)
def test_what_a_form_gets_wrong_stands_beside_it(
    form: dict[str, str], sentence: str, library: Library
) -> None:
    answer = library.anna.ask("POST", f"{library.study}/chapters", form=form)
    assert answer.status_code == 422
    assert sentence in html.unescape(answer.text)
    assert library.titles(library.anna) == ["One", "Two"]


def test_scripts_in_titles_and_introductions_are_text_or_nothing(library: Library) -> None:
    evil = "<script>alert(1)</script>"
    library.made(library.study, title=evil, introduction=f"a {evil}", seen_by="all")
    form = {"title": evil, "introduction": f"{evil}[x](javascript:alert(1))", "start": "1"}
    library.made(f"{library.study}/{library.first}/change", **form)
    for path in ("/studies", library.study, f"{library.study}/{library.first}"):
        page = library.anna.get(path).text
        assert "alert(1)</script>" not in page
        assert 'href="javascript' not in page
        assert "&lt;script&gt;alert(1)" in page


def question(library: Library, number: int = 9) -> tuple[str, int, int]:
    """A turn to guess: its page, and which of the actions was played, and one that is another."""
    at = question_from(library.cursor, 2, number)
    state, played = library.cursor.at(at), library.cursor.events[at]
    found = [likeness(state, each, played) for each in legal_actions(state, 2)]  # type: ignore[arg-type]
    return f"{library.study}/{library.second}/guess/{at}", found.index("same"), found.index("other")


def test_a_turn_is_guessed_before_it_is_shown(library: Library) -> None:
    nobody = library.nobody()
    path, right, wrong = question(library)
    assert nobody.get(f"{library.study}/{library.second}/guess").location == path
    at = int(path.rpartition("/")[2])
    before = nobody.get(path)
    told = [int(each) for each in re.findall(r'<li value="(\d+)">', before.text)]
    assert max(told) <= at < library.cursor.last
    assert f'data-number="{at}"' in before.text
    assert 'id="charts"' not in before.text
    assert f'<option value="{right}">' in before.text
    for guess, words in ((wrong, "Something else."), (right, "The same!")):
        answer = nobody.ask("POST", path, form={"action": str(guess)})
        assert (answer.status_code, answer.location) == (303, path)
        shown = nobody.get(path).text
        assert words in shown
        assert f'data-number="{at + 1}"' in shown
        assert "Points at the end of year" in shown
        # Only the first guess at a turn counts.
        assert "0 of 1 the same" in shown
    following, right, _ = question(library, at + 1)
    assert nobody.get(path.replace(f"/{at}", f"/{at + 1}")).status_code in (200, 303)
    nobody.ask("POST", following, form={"action": str(right)})
    assert "1 of 2 the same" in nobody.get(following).text
    assert (
        "There are no more turns to guess."
        in nobody.get(f"{library.study}/{library.second}/guess/{library.cursor.last}").text
    )


def test_only_what_can_be_guessed_is_asked(library: Library) -> None:
    nobody = library.nobody()
    path, _, _ = question(library)
    for nonsense in ("", "-1", "999999", "²", "x"):
        assert nobody.ask("POST", path, form={"action": nonsense}).status_code == 422
    assert nobody.get(f"{library.study}/{library.first}/guess").status_code == 404
    running = library.chapter(title="Now", game="running", guess="1")
    assert nobody.get(f"{library.study}/{running}/guess").status_code == 409
    assert nobody.get(f"{library.study}/{running}").status_code == 200

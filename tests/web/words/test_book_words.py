"""English in the book's words: chosen by readers of English, and spoken wherever words are."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.effects import BuildingRaised
from events.codec import load_game
from projections.words.effects import tell_effect
from replays.corpus.games import CORPUS
from replays.cursor import Cursor
from tests.web.world import World
from web.cli.main import main
from web.share.game_file import share_page
from web.words.catalogues import BOOK, translator
from web.words.durations import coming, lasting
from web.words.language import COOKIE


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_reader_of_english_chooses_the_words_and_others_are_not_asked(world: World) -> None:
    guest = world.guest()
    offered = f'name="language" value="{BOOK}"'
    assert offered in guest.get("/?lang=en").text
    assert offered not in guest.get("/?lang=de").text
    assert guest.ask("POST", "/language", form={"language": BOOK}).status_code == 303
    kept = guest.client.get_cookie(COOKIE)
    assert kept is not None
    assert kept.value == BOOK
    page = guest.get("/rules").text
    assert '<html lang="en">' in page
    assert "farm house" in page
    assert "Every quarry earns one gold for each mountain range that it touches." in page
    assert "<dt>farm house</dt><dd><span" in page
    guest.ask("POST", "/language", form={"language": "en"})
    assert "mountain range that it touches" not in guest.get("/rules").text


def test_an_account_keeps_the_choice_and_is_written_to_in_it(world: World) -> None:
    anna = world.person("Anna")
    anna.ask("POST", "/account/language", form={"language": BOOK})
    page = anna.get("/account").text
    assert f'<option value="{BOOK}" lang="en" selected>' in page
    account = world.services.people.get(anna.id)
    assert account is not None
    assert account.language == BOOK
    words = translator(account.language)
    told = tell_effect(
        BuildingRaised(seat=1, city="c7", building="farm", at="d4", card="action"), ["Anna"], words
    )
    assert told == "Anna builds a farm house on d4 in the city Lamole."
    assert lasting(90_000, BOOK) == lasting(90_000, "en")
    assert coming(7_200_000, BOOK) == "in 2 hours"


def test_what_is_not_said_otherwise_is_our_english() -> None:
    book, ours = translator(BOOK), translator("en")
    for text in ("Studies", "Play now", "cathedral"):
        assert book.gettext(text) == ours.gettext(text) == text
    assert book.ngettext("{n} figure", "{n} figures", 1) == "{n} colored citizen figure"
    assert book.ngettext("{n} figure", "{n} figures", 2) == "{n} colored citizen figures"


def test_the_command_line_and_files_speak_it() -> None:
    log = CORPUS / "two-beginners.jsonl"
    for words, environment in (
        (["--language", BOOK], {}),
        ([], {"LACITTA_LANGUAGE": BOOK}),
        ([], {"LC_ALL": "en_US.UTF-8@book", "LACITTA_LANGUAGE": ""}),
    ):
        found = CliRunner().invoke(main, [*words, "replay", str(log)], env=environment)
        assert found.exit_code == 0
        assert "f farm house" in found.output
    helped = CliRunner().invoke(main, ["--language", BOOK, "board", "--help"])
    assert "hexagon by hexagon" in helped.output
    page = share_page("two-beginners", Cursor(load_game(log).events), language=BOOK).decode()
    assert '<html lang="en">' in page
    assert "farm house" in page

"""The command line in every language: its help, its lines, its errors, and click's own words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from babel.messages.extract import extract_from_dir
from click.testing import CliRunner, Result

from engine.refusals import refuse
from events.codec import write_game
from events.errors import BadLog
from projections.words.effects import retold
from replays.corpus.games import CORPUS, load_games
from tests.web import catalogue
from tests.web.cli import click_words
from web.cli.language import describe_error, gettext, language, speaking, wanted
from web.cli.main import main
from web.cli.translated import texts
from web.words.catalogues import translator

OTHERS = catalogue.languages()


def lacitta(*words: str, **environment: str) -> Result:
    return CliRunner().invoke(main, list(words), env=environment)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    name, game = next(iter(load_games(CORPUS)))
    path = tmp_path_factory.mktemp("log") / f"{name}.jsonl"
    path.write_bytes(write_game(name, game.events))
    return path


def commands(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    yield names
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from commands(each, *names, name)


@pytest.mark.parametrize(
    ("words", "environment", "expected"),
    [
        ([], {}, "en"),
        ([], {"LANG": "de_DE.UTF-8"}, "de"),
        ([], {"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_BE"}, "nl"),
        ([], {"LC_ALL": "fi_FI.UTF-8", "LC_MESSAGES": "nl_BE", "LANG": "de_DE"}, "fi"),
        ([], {"LANG": "de_DE.UTF-8", "LANGUAGE": "sv:fr_CA:de"}, "fr"),
        ([], {"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ([], {"LANG": "sv_SE.UTF-8"}, "en"),
        ([], {"LANG": "de_DE", "LACITTA_LANGUAGE": "fr"}, "fr"),
        ([], {"LANG": "de_DE", "LACITTA_LANGUAGE": "klingon"}, "de"),
        (["--language", "fi", "check"], {"LACITTA_LANGUAGE": "fr"}, "fi"),
        (["--language=nl", "check"], {}, "nl"),
        (["--version", "--language", "nl"], {}, "nl"),
        (["export", "g", "--language", "fi"], {}, "en"),
        (["--language"], {"LANG": "de"}, "de"),
    ],
)
def test_the_language_is_chosen(
    words: list[str], environment: dict[str, str], expected: str
) -> None:
    assert wanted(words, environment) == expected


def test_an_unknown_language_is_one_line() -> None:
    result = lacitta("--language", "klingon", "check", LACITTA_LANGUAGE="de")
    assert result.exit_code == 2
    assert result.stderr.startswith("lacitta: Ungültiger Wert für '--language': 'klingon'")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("language", OTHERS)
def test_every_help_text_is_in_the_catalogue(language: str) -> None:
    kept = {catalogue.strings(m.id)[0]: m.string for m in catalogue.read(language) if m.id}
    found = list(texts(main))
    assert len(found) > 60
    assert [text for text in found if not kept.get(text)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_help_is_told_without_an_english_word(language: str) -> None:
    everyday = {"the", "this", "without", "which", "after", "where", "write", "show", "and", "with"}
    for words in commands(main):
        shown = " ".join(lacitta("--language", language, *words, "--help").output.split())
        assert everyday & set(re.findall(r"[a-z]+", shown.lower())) == set(), words
        english = [text for text in texts(main) if len(text) > 20]
        assert [text for text in english if text in shown] == []


@pytest.mark.parametrize(
    ("language", "usage", "commands_", "version"),
    [
        ("de", "Aufruf: ", "Befehle:", "Zeigt die Version an."),
        ("fi", "Käyttö: ", "Komennot:", "Näyttää version."),
        ("fr", "Utilisation\u00a0: ", "Commandes\u00a0:", "Affiche la version."),
        ("nl", "Gebruik: ", "Opdrachten:", "Toont de versie."),
    ],
)
def test_help_has_its_headings(language: str, usage: str, commands_: str, version: str) -> None:
    shown = lacitta("--help", LACITTA_LANGUAGE=language).output
    assert shown.startswith(usage)
    assert commands_ in shown
    assert version in shown


def test_paragraphs_of_a_help_stay_apart() -> None:
    shown = lacitta("--language", "de", "verify", "--help").output
    assert "\n\n  Rückgabewert 0: nichts geändert" in shown


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Eine Option '--game' gibt es nicht. Meintest du '--games'?"),
        ("fi", "Valitsinta '--game' ei ole. Tarkoititko '--games'?"),
        ("fr", "Il n’y a pas d’option '--game'. Voulais-tu dire '--games'\u00a0?"),
        ("nl", "Er is geen optie '--game'. Bedoelde je '--games'?"),
    ],
)
def test_a_wrong_option_is_told(language: str, said: str) -> None:
    result = lacitta("--language", language, "simulate", "--game", "1")
    assert result.stderr.strip() == f"lacitta: {said}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay"], "Es fehlt das Argument 'FILE'."),
        (["arena"], "Es fehlt die Option '--bots'."),
        (["sing"], "Einen Befehl 'sing' gibt es nicht."),
        (["replay", "nowhere"], "Datei 'nowhere' gibt es nicht."),
        (["simulate", "--games", "x"], "'x' ist nicht gültig (ganze Zahl erwartet)."),
        (["simulate", "--games", "0"], "0 liegt nicht im Bereich 1<=x<=1000000."),
        (["simulate", "--seed", "x"], "'x' ist nicht gültig (ganze Zahl erwartet)."),
        (
            ["simulate", "--bot", "x"],
            "'x' ist keines von 'random', 'steward', 'prince', 'quick-prince'.",
        ),
        (["simulate", "--games"], "Option '--games' braucht einen Wert."),
        (["rebuild", "x"], "Unerwartetes weiteres Argument (x)"),
        (["check", "--db", "nowhere.db"], "kein Speicher von Partien: diese Datei gibt es nicht"),
        (["simulate", "--ruleset", "x"], "kein Regelwerk namens x; es gibt standard"),
        (["serve", "--settings", "{bad}"], "Einstellungen: mail: das Objekt enthält ein"),
        (["backup", "copy.db", "--db", "{db}"], "kein Speicher von Partien: diese Datei"),
    ],
)
def test_what_goes_wrong_is_told_in_german(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[mail]\nhots = 1\n", encoding="utf-8")
    named = {"bad": str(tmp_path / "bad.toml"), "db": str(tmp_path / "none.db")}
    result = lacitta("--language", "de", *(word.format(**named) for word in words))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert not re.search(r" (is|the|not|no|of|there) ", result.stderr)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Zeile 3: Feld seat: `int` erwartet, `str` gefunden"),
        ("fi", "rivi 3: kenttä seat: odotettiin: `int`, löytyi: `str`"),
        ("fr", "ligne 3\u00a0: champ seat\u00a0: `int` attendu, `str` trouvé"),
        ("nl", "regel 3: veld seat: `int` verwacht, `str` gevonden"),
    ],
)
def test_a_broken_file_is_told(language: str, said: str, log: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join([*lines[:2], b'{"type":"gold","seat":"x"}\n']))
    result = lacitta("--language", language, "replay", str(broken))
    assert result.exit_code == 2
    assert result.stderr.strip() == f"lacitta: {said}"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Zeile 6: An diesem Tisch gibt es keinen Platz 5. (no-such-seat, R7)"),
        ("fr", "ligne 6\u00a0: "),
    ],
)
def test_an_illegal_action_in_an_import_is_told(
    language: str, said: str, log: Path, tmp_path: Path
) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    file = tmp_path / "illegal.jsonl"
    file.write_bytes(b"".join([*lines[:5], b'{"type":"gold","seat":5}\n']))
    db = str(tmp_path / "games.db")
    result = lacitta("--language", language, "import", str(file), "--db", db)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "There is" not in result.stderr


def test_notation_is_refused_in_german(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text('[Seat1 "Anna"]\n[Seat2 "Bob"]\n1 build house c7\n', encoding="utf-8")
    db = str(tmp_path / "games.db")
    result = lacitta("--language", "de", "import", str(file), "--db", db)
    assert "Zeile 3: ein Gebäude erwartet (farm, " in result.stderr
    assert result.stderr.strip().endswith("nicht house")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ["Nach Jahr 6", "Nahrung", "Stadt ", "Vorrat: ", "Stimme des Volkes: "]),
        ("fi", ["Vuoden 6 jälkeen", "ruoka", "kaupunki ", "Varasto: ", "Kansan ääni: "]),
        ("fr", ["Après l’année 6", "nourriture", "ville ", "Réserve\u00a0: ", "Voix du peuple"]),
        ("nl", ["Na jaar 6", "voedsel", "stad ", "Voorraad: ", "Stem van het volk: "]),
    ],
)
def test_the_board_as_text_is_told(language: str, words: list[str], log: Path) -> None:
    shown = lacitta("--language", language, "replay", str(log), "--format", "text").output
    for word in words:
        assert word in shown
    english = {"food", "citizens", "figures", "city", "castle", "voice", "pile", "year", "after"}
    assert english & set(re.findall(r"[a-z]+", shown.lower())) == set()


@pytest.mark.parametrize(
    ("language", "sum_", "state"),
    [
        ("de", "1 Partie ist in Ordnung.", "Einträge in Ordnung, beendet"),
        ("fi", "1 peli on kunnossa.", "merkintää kunnossa, päättynyt"),
        ("fr", "1 partie en règle.", "enregistrements en règle, terminée"),
        ("nl", "1 partij klopt.", "regels kloppen, afgelopen"),
    ],
)
def test_check_is_told(language: str, sum_: str, state: str, log: Path, tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    assert lacitta("import", str(log), "--db", db).exit_code == 0
    shown = lacitta("--language", language, "check", "--db", db).output
    assert sum_ in shown
    assert state in shown


def test_verify_and_its_page_are_told_in_german(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("verify", str(log), "--ruleset", "no-limits", "--when-illegal", "bot")
    shown = lacitta("--language", "de", *words, "--html", str(page)).output
    assert "1 Partie mit " in shown
    assert "eine Aktion ist nicht mehr erlaubt" in shown
    html = page.read_text(encoding="utf-8")
    assert '<html lang="de">' in html
    assert "Was die Änderung mit aufgezeichneten Partien macht" in html
    text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL)
    english = {"the", "games", "event", "year", "is", "with", "points", "changed", "castle"}
    assert english & set(re.findall(r"[a-zA-Z]+", text)) == set()


def test_balance_and_its_page_are_told_in_french(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("balance", "flush", "--games", "3", "--players", "2", "--bot", "random")
    shown = lacitta("--language", "fr", *words, "--jobs", "1", "--html", str(page)).output
    assert "Victoires par siège" in shown
    assert re.search(r"siège 1 +\d+,\d %", shown)
    html = page.read_text(encoding="utf-8")
    assert '<html lang="fr">' in html
    text = re.sub(r"<style.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL)
    english = {"the", "seat", "wins", "cards", "games", "seats", "between", "range", "ranges"}
    assert english & set(re.findall(r"[a-zA-Z]+", text)) == set()


def test_corpus_is_told_in_finnish(log: Path) -> None:
    shown = lacitta("--language", "fi", "corpus", str(log.parent)).output
    assert "säännöt: " in shown
    assert "kaupunki kasvaa" in shown
    rules = shown.partition("\n\n")[0]
    assert not re.search(r"\b(the|city|seat|is|table)\b", rules)


def test_simulate_and_arena_are_told_in_dutch(tmp_path: Path) -> None:
    played = lacitta("--language", "nl", "simulate", "--players", "2", "--bot", "random").output
    assert re.match(r"1 partij, \d+ per seconde; gemiddelde score \d+,\d; overwinningen", played)
    words = ("arena", "--bots", "random,steward", "--games", "2")
    table = lacitta("--language", "nl", *words).output.splitlines()
    assert table[0].split()[:2] == ["bot", "zeges"]
    assert "random denkt 0," in "".join(table)


def test_what_click_says_is_what_the_installed_click_says() -> None:
    folder = click.__path__[0]
    found = {text for _, _, text, _, _ in extract_from_dir(folder, [("**.py", "python")])}
    assert {*click_words.SINGLE, *click_words.FOR_NUMBERS} <= found


def test_an_error_travels_between_processes_with_its_parameters() -> None:
    import pickle

    error = BadLog(refuse("no-such-seat", seat=5).cited, line=3)
    again = pickle.loads(pickle.dumps(error.args[0]))
    assert str(again) == str(error)
    assert retold(again, translator("de")).startswith("Zeile 3: An diesem Tisch gibt es")
    assert pickle.loads(pickle.dumps(translator("fi"))) is translator("fi")
    assert pickle.loads(pickle.dumps(translator("en"))) is translator("en")


def test_speaking_ends_where_it_began() -> None:
    before = os.environ.get("LANGUAGE")
    with speaking("de"):
        assert gettext("Stopped.") == "Beendet."
        assert describe_error(FileNotFoundError(2, "No such file or directory", "x")).startswith(
            "x: Datei"
        )
        with speaking("fi"):
            assert language() == "fi"
    assert language() == "en"
    assert os.environ.get("LANGUAGE") == before


def test_nobody_who_wants_help_waits_for_babel() -> None:
    code = "import sys\nfrom web.cli.main import main\n"
    code += "try: main(['--help'])\nexcept SystemExit: pass\n"
    code += "print([name for name in sys.modules if name.partition('.')[0] in ('babel', 'flask')])"
    for spoken in ("en", "de"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "LACITTA_LANGUAGE": spoken},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines()[-1] == "[]"

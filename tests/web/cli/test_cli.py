"""The command line: what people type, what they get, and one line when something is wrong."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.material.library import RULESETS
from events.codec import load_game
from events.store.stores import open_store
from projections.years.timeline import TimelineFold
from replays.corpus.games import CORPUS
from tests.events.server import Server
from tests.events.store.checkpoints.test_checkpoints import OPENED
from tests.web.world import CHEAP
from web.accounts.service import People
from web.cli.lab.arena import tables
from web.cli.main import main


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    assert lacitta("simulate", "--players", "3", "--out", str(tmp_path)).exit_code == 0
    return tmp_path / "standard-beginner-3p-1-00001.jsonl"


def test_simulate_writes_one_log_per_game_the_same_for_a_seed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        result = lacitta(
            "simulate",
            "--games",
            "3",
            "--players",
            "2",
            "--seed",
            "7",
            "--out",
            str(tmp_path / name),
        )
        assert result.exit_code == 0
        assert "3 games" in result.output
    one, two = (sorted((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert [file.name for file in one] == [
        f"standard-beginner-2p-7-0000{number}.jsonl" for number in (1, 2, 3)
    ]
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]
    assert len({file.read_bytes() for file in one}) == 3


@pytest.mark.parametrize("ruleset", RULESETS)
def test_simulate_takes_every_ruleset(ruleset: str, tmp_path: Path) -> None:
    result = lacitta("simulate", "--ruleset", ruleset, "--setup", "expert", "--out", str(tmp_path))
    assert result.exit_code == 0
    game = load_game(next(tmp_path.iterdir()))
    assert game.events[0].ruleset.name == ruleset  # type: ignore[union-attr]


def test_replay_draws_the_end_as_text(log: Path) -> None:
    output = lacitta("replay", str(log)).output
    assert "After year 6" in output
    assert "1#" in output
    assert "Seat 3:" in output


def test_replay_stops_at_an_event_and_at_a_year(log: Path) -> None:
    assert "Year 1, politics, round 1" in lacitta("replay", str(log), "--at", "2").output
    assert lacitta("replay", str(log), "--year", "2").output.startswith("Year 2 ends.\n")
    assert lacitta("replay", str(log), "--year", "6").output == lacitta("replay", str(log)).output


@pytest.mark.parametrize("name", ["four-experts", "a-year-taken-back"])
def test_replay_shows_a_year_as_it_ended(name: str) -> None:
    """Before the next one has a start player, an income or a new citizen."""
    game = str(CORPUS / f"{name}.jsonl")
    for year in TimelineFold(load_game(Path(game)).events).history.years[:-1]:
        shown = lacitta("replay", game, "--year", str(year.year), "--format", "json").output
        table = json.loads(shown)["position"]
        assert table["year"] == year.year
        assert table["start"] == 1 + (first_start(game) + year.year - 2) % len(table["players"])
        assert [each["gold"] for each in table["players"]] == [each.gold for each in year.players]
        assert {each["castle"]: each["citizens"] for each in table["cities"]} == {
            each.city: each.citizens for each in year.cities if each.buildings
        }


def first_start(game: str) -> int:
    shown = lacitta("replay", game, "--year", "1", "--format", "json").output
    start: int = json.loads(shown)["position"]["start"]
    return start


def test_replay_gives_the_whole_state_as_json(log: Path) -> None:
    state = json.loads(lacitta("replay", str(log), "--at", "2", "--format", "json").output)
    assert state["opening"]["ruleset"]["name"] == "standard"
    assert state["position"]["year"] == 1
    assert len(state["position"]["pile"]) == 25
    assert len(state["position"]["cities"]) == 6


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["simulate", "--ruleset", "chess"], "no ruleset named chess"),
        (["simulate", "--players", "6"], "6 is not in the range"),
        (["simulate", "--bot", "prophet"], "'prophet' is not one of"),
        (["arena", "--bots", "steward,prophet"], "there is no bot prophet"),
        (["arena", "--bots", "steward"], "two or more bots"),
        (["arena"], "Missing option '--bots'"),
        (["replay", "nowhere.jsonl"], "does not exist"),
        (["replay", "{log}", "--at", "9999"], "the game has only"),
        (["replay", "{log}", "--at", "2", "--year", "1"], "two moments"),
        (["replay", "{short}", "--year", "6"], "did not reach the end of year 6"),
        (["replay", "{illegal}"], "event 3: There is no seat 5"),
        (["replay", "{binary}"], "line 1"),
        (["sing"], "No such command"),
    ],
)
def test_errors_are_one_line_and_exit_code_2(
    words: list[str], message: str, log: Path, tmp_path: Path
) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    (tmp_path / "short").write_bytes(b"".join(lines[:20]))
    (tmp_path / "illegal").write_bytes(b"".join([*lines[:3], b'{"type":"gold","seat":5}\n']))
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    files = {name: str(tmp_path / name) for name in ("short", "illegal", "binary")}
    result = lacitta(*(word.format(log=log, **files) for word in words))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output


def test_a_tampered_year_digest_is_noticed(log: Path) -> None:
    text = log.read_text(encoding="utf-8")
    at = text.index('"digest":"', text.index("year-closed")) + len('"digest":"')
    changed = "0" if text[at] != "0" else "1"
    log.write_text(text[:at] + changed + text[at + 1 :], encoding="utf-8")
    result = lacitta("replay", str(log))
    assert result.exit_code == 2
    assert "digest-differs" in result.stderr


def test_check_backup_and_restore_mind_the_notes(log: Path, tmp_path: Path) -> None:
    db, copy, again = (str(tmp_path / name) for name in ("games.db", "copy.db", "again.db"))
    assert lacitta("import", str(log), "--db", db).exit_code == 0
    with open_store(db) as store:
        store.notes.append("study/s1", 0, [OPENED % 1, OPENED % 2])
        total = store.position() + 2
    assert lacitta("check", "--db", db).output.endswith("1 game holds.\n2 notes hold.\n")
    assert lacitta("backup", copy, "--db", db).output == f"{total} records in {copy}.\n"
    assert lacitta("restore", copy, "--db", again).output == f"{total} records restored.\n"
    with closing(sqlite3.connect(again)) as conn:
        conn.execute("DROP TRIGGER notes_never_updated")
        conn.execute("UPDATE notes SET note = x'00' WHERE version = 2")
        conn.commit()
    result = lacitta("check", "--db", again)
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        "lacitta: guard notes_never_updated: missing",
        "lacitta: stream study/s1, version 2: changed: its hash does not fit its content",
    ]


@pytest.mark.parametrize("stream", ["game/g1", "study/s1", "chat/g1", "audit/log", "store/guards"])
def test_a_note_that_says_nothing_is_found(stream: str, tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        store.notes.append(stream, 0, [b'{"type":"gibberish"}'])
    result = lacitta("check", "--db", str(tmp_path / "games.db"))
    assert result.exit_code == 2
    assert f"lacitta: stream {stream}, version 1: " in result.output


def test_a_checkpoint_proves_or_refutes_a_store(log: Path, tmp_path: Path) -> None:
    db, public, names, proof = (
        str(tmp_path / name) for name in ("games.db", "public.json", "names.json", "proof.json")
    )
    assert lacitta("import", str(log), "--db", db).exit_code == 0
    assert lacitta("checkpoint", "--db", db, "--out", public).exit_code == 0
    assert lacitta("checkpoint", "--names", "--db", db, "--out", names).exit_code == 0
    game = load_game(log).header.game
    assert game not in Path(public).read_text(encoding="utf-8")
    assert json.loads(lacitta("checkpoint", "--db", db).output)["games"]["size"] > 1
    assert lacitta("checkpoint", "--game", game, "--db", db).exit_code == 2
    one = ("--game", game, "--checkpoint", public)
    assert lacitta("checkpoint", *one, "--db", db, "--out", proof).exit_code == 0
    shown = lacitta("check", "--proof", proof, "--checkpoint", public).output
    assert shown.startswith(f"{game} is in the checkpoint of ")
    assert lacitta("checkpoint", "--checkpoint", public, "--db", db, "--out", proof).exit_code == 0
    shown = lacitta("check", "--proof", proof, "--checkpoint", public).output
    assert "games: 0 records more since the checkpoint" in shown
    assert lacitta("check", "--proof", proof, "--checkpoint", names).exit_code == 2
    assert lacitta("check", "--proof", proof).exit_code == 2
    for known in (public, names):
        result = lacitta("check", "--db", db, "--checkpoint", known)
        assert result.exit_code == 0
        assert "All is as it was at the checkpoint of " in result.output
    with closing(sqlite3.connect(db)) as conn:
        conn.executescript("""
            DROP TRIGGER events_never_deleted; DROP TRIGGER heads_never_deleted;
            DELETE FROM events; DELETE FROM heads;
        """)
    result = lacitta("check", "--db", db, "--checkpoint", names)
    assert result.exit_code == 2
    assert "lacitta: guard events_never_deleted: missing\n" in result.output
    assert f"lacitta: game {game}: 0 records are left of " in result.output
    assert lacitta("check", "--db", db, "--checkpoint", public).exit_code == 2
    assert "guards were put right: events_never_deleted" in lacitta("check", "--db", db).output


def test_a_backup_from_postgresql_holds_accounts_and_standings(
    log: Path, server: Server, tmp_path: Path
) -> None:
    url, copy, again = server.new_schema(), str(tmp_path / "copy.db"), server.new_schema()
    assert lacitta("import", str(log), "--db", url).exit_code == 0
    with open_store(url) as store:
        People(store, CHEAP).register("Anna", "long enough")
        found = store.read_models.items("scoreboard")
    assert lacitta("backup", copy, "--db", url).exit_code == 0
    assert lacitta("restore", copy, "--db", again).exit_code == 0
    for place in (copy, again):
        with open_store(place) as store:
            assert People(store, CHEAP).log_in("Anna", "long enough").name == "Anna"
            assert store.read_models.items("scoreboard") == found != []


def test_the_arena_is_the_same_for_the_same_seed_and_tells_the_stronger_bot() -> None:
    words = ("arena", "--bots", "random,steward", "--games", "4", "--seed", "3")
    lines = lacitta(*words).output.splitlines()
    assert lines[1].split()[:2] == ["steward", "100.0%"]
    assert lines[2].split()[:2] == ["random", "0.0%"]
    assert lines[3].startswith("random thinks for 0.0")
    assert lines[-1].startswith("4 games for 2, ")
    assert lacitta(*words).output.splitlines()[:3] == lines[:3]
    assert lacitta(*words, "--jobs", "2").output.splitlines()[:3] == lines[:3]


def test_the_arena_seats_one_bot_against_several_of_another() -> None:
    words = ("--bots", "steward,random,random", "--ruleset", "de", "--setup", "expert")
    lines = lacitta("arena", *words, "--games", "3").output.splitlines()
    assert lines[1].split()[0] == "steward"
    assert [line.split()[-1] for line in lines[1:3]] == ["3", "6"]
    assert lines[-1].startswith("3 games for 3, ")
    assert tables(["a", "b", "b", "b"], 4) == [
        ("a", "b", "b", "b"),
        ("b", "b", "b", "a"),
        ("b", "b", "a", "b"),
        ("b", "a", "b", "b"),
    ]


@pytest.mark.parametrize("players", ["2", "3", "4", "5"])
def test_every_bot_sits_everywhere_equally_often(players: str) -> None:
    order = tables(["random", "steward"], int(players))
    for seat in range(int(players)):
        held = [seating[seat] for seating in order]
        assert held.count("random") == held.count("steward")
    result = lacitta("arena", "--bots", "random,steward", "--games", "2", "--players", players)
    assert f"2 games for {players}, " in result.output


def test_commands_find_the_database_as_a_server_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "games.db"
    open_store(db).close()
    monkeypatch.setenv("LACITTA_SERVER_DB", str(db))
    assert lacitta("check").output == "0 games hold.\n"
    assert lacitta("check", "--db", str(tmp_path / "none.db")).exit_code == 2

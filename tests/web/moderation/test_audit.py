"""The audit log: its chain, its versions, and the commands of who has the database."""

from __future__ import annotations

from pathlib import Path

import msgspec
from click.testing import CliRunner, Result

from events.store.backups.transfer import check_store
from events.store.stores import open_store
from tests.web.world import CHEAP
from web.accounts.service import People
from web.cli.main import main
from web.moderation.audit import STREAM, AuditLog, entry_upcasters

SAMPLE = Path(__file__).parent / "samples" / "act.json"


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_a_stored_act_is_read_and_written_the_same() -> None:
    sample = SAMPLE.read_bytes().rstrip(b"\n")
    assert entry_upcasters.tags == {"act"}
    assert msgspec.json.encode(entry_upcasters.decode(sample)) == sample


def test_hosts_are_set_on_the_command_line(tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    with open_store(db) as store:
        anna = People(store, CHEAP).register("Anna", "correct horse")
    assert lacitta("host", "add", "ANNA", "--db", db).output == "Anna is a host.\n"
    assert lacitta("host", "add", "Anna", "--db", db).exit_code == 0
    assert lacitta("host", "list", "--db", db).output == "Anna\n"
    assert lacitta("host", "remove", "Anna", "--db", db).output == "Anna is no host.\n"
    assert lacitta("host", "list", "--db", db).output == ""
    lines = [msgspec.json.decode(line) for line in lacitta("audit", "--db", db).output.splitlines()]
    assert [(line["number"], line["act"], line["by"]) for line in lines] == [
        (1, "host-added", ""),
        (2, "host-removed", ""),
    ]
    assert {line["subject"] for line in lines} == {anna.id}


def test_nobody_unknown_becomes_a_host(tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    open_store(db).close()
    for words in (("host", "add"), ("host", "remove")):
        result = lacitta(*words, "Nobody", "--db", db)
        assert result.exit_code == 2
        assert "there is no account Nobody" in result.output
    assert lacitta("host", "list", "--db", str(tmp_path / "none.db")).exit_code == 2


def test_the_log_is_chained_like_the_others(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        log = AuditLog(store, lambda: 7)
        for reason in ("One.", "Two."):
            log.record("account-closed", "person-h", "person-a", reason)
        assert check_store(store) == 2
        assert store.notes.streams("audit/") == [STREAM]
        assert [each.entry.reason for each in log.all()] == ["One.", "Two."]


def test_check_names_an_act_that_cannot_be_read(tmp_path: Path) -> None:
    db = str(tmp_path / "games.db")
    with open_store(db) as store:
        AuditLog(store, lambda: 7).record("account-closed", "person-h", "person-a", "One.")
        store.notes.append(STREAM, 1, [b'{"type":"act","act":"burned"}'])
    result = lacitta("check", "--db", db)
    assert result.exit_code == 2
    assert "audit/log" in result.output

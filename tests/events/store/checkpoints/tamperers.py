"""Somebody with the keys to the database who wants a store to look as if nothing had happened.

They take the guards away, change something that a checkpoint knows, make hashes, heads and
positions fit, and put the guards back.
"""

from __future__ import annotations

import random
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import psycopg

from events.chain import GENESIS, record_hash
from events.store.checkpoints.checkpoint import Checkpoint
from events.store.guards import GUARDED
from events.store.log import GAMES, NOTES, Tables

Row = tuple[Any, ...]


class Tamperer(ABC):
    """A connection of theirs, to a store whose checkpoint knows so many records of each log."""

    def __init__(self, chance: random.Random, checkpoint: Checkpoint) -> None:
        self.chance = chance
        self._known = {GAMES: checkpoint.games.size, NOTES: checkpoint.notes.size}

    @abstractmethod
    def run(self, sql: str, *values: object) -> list[Row]:
        """One statement, its parameters written as question marks."""

    @abstractmethod
    def lift(self) -> None:
        """Take all guards away."""

    @abstractmethod
    def put_back(self) -> None:
        """All guards as they were."""

    @abstractmethod
    def spoil(self) -> str:
        """Drop, replace or add a guard; its name."""

    def rows(self, log: Tables) -> list[list[Any]]:
        """All records: position, name, version, content, previous, hash."""
        columns = f"position, {log.name}, version, {log.content}, previous, hash"
        return [list(r) for r in self.run(f"SELECT {columns} FROM {log.log} ORDER BY position")]

    def write(self, log: Tables, rows: list[list[Any]], *, renumbered: bool = True) -> None:
        """Another log in the place of one: with fitting hashes and heads, and positions too."""
        self.run(f"DELETE FROM {log.log}")
        self.run(f"DELETE FROM {log.heads}")
        ends: dict[str, Row] = {}
        for place, (position, name, _, content, _, _) in enumerate(rows, start=1):
            version, previous, _ = ends.get(name, (0, GENESIS, 0))
            data = content.encode() if isinstance(content, str) else bytes(content)
            digest = record_hash(previous, name, version + 1, data)
            position = place if renumbered else position
            ends[name] = (version + 1, digest, position)
            columns = f"position, {log.name}, version, {log.content}, previous, hash"
            self.run(
                f"INSERT INTO {log.log} ({columns}) VALUES (?, ?, ?, ?, ?, ?)",
                *(position, name, version + 1, content, previous, digest),
            )
        for name, end in ends.items():
            self.run(f"INSERT INTO {log.heads} VALUES (?, ?, ?, ?)", name, *end)

    def known(self, log: Tables) -> list[list[Any]]:
        """The records that the checkpoint knows."""
        return self.rows(log)[: self._known[log]]

    def name(self, log: Tables) -> str:
        """Some game or stream."""
        return self.chance.choice(sorted({row[1] for row in self.known(log)}))


class SqliteTamperer(Tamperer):
    def __init__(
        self, chance: random.Random, checkpoint: Checkpoint, conn: sqlite3.Connection
    ) -> None:
        super().__init__(chance, checkpoint)
        self.conn = conn
        self.guards: list[str] = []

    def run(self, sql: str, *values: object) -> list[Row]:
        return self.conn.execute(sql, values).fetchall()

    def lift(self) -> None:
        for name, sql in self._triggers():
            self.guards.append(sql)
            self.run(f"DROP TRIGGER {name}")

    def put_back(self) -> None:
        for sql in self.guards:
            self.run(sql)

    def spoil(self) -> str:
        name, sql = self.chance.choice(self._triggers())
        kind = self.chance.choice(["drop", "replace", "add"])
        if kind == "add":
            table = self.chance.choice(GUARDED)
            self.run(f"CREATE TRIGGER quiet AFTER INSERT ON {table} BEGIN SELECT 1; END")
            return "quiet"
        self.run(f"DROP TRIGGER {name}")
        if kind == "replace":
            self.run(sql[: sql.index("BEGIN")] + "BEGIN SELECT 1; END")
        return name

    def _triggers(self) -> list[tuple[str, str]]:
        return self.conn.execute(
            f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN {GUARDED}"
        ).fetchall()


class PostgresTamperer(Tamperer):
    def __init__(
        self, chance: random.Random, checkpoint: Checkpoint, conn: psycopg.Connection[Row]
    ) -> None:
        super().__init__(chance, checkpoint)
        self.conn = conn

    def run(self, sql: str, *values: object) -> list[Row]:
        done = self.conn.execute(sql.replace("?", "%s").encode(), values)
        return done.fetchall() if done.description else []

    def lift(self) -> None:
        for table in GUARDED:
            self.run(f"ALTER TABLE {table} DISABLE TRIGGER USER")

    def put_back(self) -> None:
        for table, name in self._triggers():
            state = "" if name.endswith("_tell") else "ALWAYS"
            self.run(f"ALTER TABLE {table} ENABLE {state} TRIGGER {name}")

    def spoil(self) -> str:
        table, name = self.chance.choice(self._triggers())
        kind = self.chance.choice(["drop", "disable", "replace", "add"])
        if kind == "add":
            self.run(
                f"CREATE TRIGGER quiet AFTER INSERT ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION lacitta_tell()"
            )
            return "quiet"
        if kind == "disable":
            self.run(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
        elif kind == "drop":
            self.run(f"DROP TRIGGER {name} ON {table}")
        else:
            body = "BEGIN RETURN NEW; END"
            self.run(
                "CREATE OR REPLACE FUNCTION lacitta_only_next() RETURNS trigger"
                f" LANGUAGE plpgsql AS $${body}$$"
            )
            return "events_only_next"
        return name

    def _triggers(self) -> list[tuple[str, str]]:
        return [
            (table, name)
            for table, name in self.run(
                "SELECT relname, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
                " WHERE NOT tgisinternal AND relname = ANY (?) AND relnamespace ="
                " to_regnamespace(current_schema()) ORDER BY tgname",
                list(GUARDED),
            )
        ]


# What they do. Each gives the words that must name it.


def delete_game(t: Tamperer, log: Tables = GAMES, *, renumbered: bool = True) -> str:
    name = t.name(log)
    t.write(log, [row for row in t.rows(log) if row[1] != name], renumbered=renumbered)
    return f"{name}: 0 records are left"


def delete_game_and_leave_a_gap(t: Tamperer) -> str:
    return delete_game(t, renumbered=False)


def delete_stream(t: Tamperer) -> str:
    return delete_game(t, NOTES)


def cut_end(t: Tamperer, log: Tables = GAMES) -> str:
    rows = t.known(log)
    left, name = rows[: t.chance.randrange(1, len(rows))], rows[-1][1]
    t.write(log, left)
    return f"{name}: {sum(row[1] == name for row in left)} records are left"


def cut_notes(t: Tamperer) -> str:
    return cut_end(t, NOTES)


def cut_game(t: Tamperer) -> str:
    name, rows = t.name(GAMES), t.rows(GAMES)
    left = t.chance.randrange(1, sum(row[1] == name for row in t.known(GAMES)))
    t.write(GAMES, [row for row in rows if row[1] != name or row[2] <= left])
    return f"{name}: {left} records are left"


def rewrite(t: Tamperer, log: Tables = GAMES) -> str:
    """Another content, and all hashes after it made to fit."""
    rows = t.rows(log)
    row = t.chance.choice(rows[: len(t.known(log))])
    number = str(t.chance.randrange(10**6))
    row[3] = f'{{"type":"gold","seat":1,"time":{number}}}' if log.text else b"{}" + number.encode()
    t.write(log, rows)
    return f"{row[1]}: record "


def rewrite_note(t: Tamperer) -> str:
    return rewrite(t, NOTES)


def swap_records(t: Tamperer) -> str:
    """Two records of different games change places; both games stay as they are."""
    rows = t.rows(GAMES)
    places = range(len(t.known(GAMES)) - 1)
    at = t.chance.choice([n for n in places if rows[n][1] != rows[n + 1][1]])
    rows[at], rows[at + 1] = rows[at + 1], rows[at]
    t.write(GAMES, rows)
    return "games: the first "


def slip_in(t: Tamperer) -> str:
    rows = t.rows(GAMES)
    new = [0, "forged", 1, '{"type":"pass","seat":1}', "", ""]
    rows.insert(t.chance.randrange(len(t.known(GAMES))), new)
    t.write(GAMES, rows)
    return "forged is new to the checkpoint"


def flip_byte(t: Tamperer) -> str:
    """Within an event, and nothing is made to fit."""
    row = t.chance.choice(t.rows(GAMES))
    digits = [n for n, sign in enumerate(row[3]) if sign.isdigit()]
    at = t.chance.choice(digits)
    event = row[3][:at] + str((int(row[3][at]) + 1) % 10) + row[3][at + 1 :]
    t.run("UPDATE events SET event = ? WHERE position = ?", event, row[0])
    return f"{row[1]}, version {row[2]}: changed"


def write_gibberish(t: Tamperer) -> str:
    """A note that fits its chain and says nothing: after the checkpoint, so that only reading it
    can tell."""
    rows = t.rows(NOTES)
    stream = t.name(NOTES)
    rows.append([0, stream, 0, t.chance.choice([b"\xff", b"{}", b'{"type":"shouted"}']), "", ""])
    t.write(NOTES, rows)
    return f"stream {stream}, version {sum(row[1] == stream for row in rows)}: "


def alter_document(t: Tamperer) -> str:
    name, key = t.chance.choice(t.run("SELECT name, key FROM documents ORDER BY name, key"))
    body = b"another %d" % t.chance.randrange(10**6)
    t.run("UPDATE documents SET body = ? WHERE name = ? AND key = ?", body, name, key)
    return f"document {name}/{key}: changed"


def delete_document(t: Tamperer) -> str:
    name, key = t.chance.choice(t.run("SELECT name, key FROM documents ORDER BY name, key"))
    t.run("DELETE FROM documents WHERE name = ? AND key = ?", name, key)
    return f"document {name}/{key}: missing"


def slip_in_document(t: Tamperer) -> str:
    name, _ = t.chance.choice(t.run("SELECT name, key FROM documents ORDER BY name, key"))
    t.run("INSERT INTO documents (name, key, body) VALUES (?, ?, ?)", name, "admin", b"{}")
    return f"document {name}/admin: foreign"


def set_documents_back(t: Tamperer) -> str:
    ((name, version),) = [t.chance.choice(t.run("SELECT name, version FROM document_versions"))]
    t.run("UPDATE document_versions SET version = ? WHERE name = ?", version - 1, name)
    return f"documents {name}: set back from version {version}"


def alter_remembered_checkpoint(t: Tamperer) -> str:
    rows = t.rows(NOTES)
    row = next(row for row in rows if row[1] == "store/checkpoints")
    note = bytes(row[3])
    at = note.index(b'"root":"') + 8 + t.chance.randrange(64)
    digit = b"0" if note[at : at + 1] != b"0" else b"1"
    row[3] = note[:at] + digit + note[at + 1 :]
    t.write(NOTES, rows)
    return "the checkpoint was altered"


CAREFUL: list[Callable[[Tamperer], str]] = [
    delete_game,
    delete_game_and_leave_a_gap,
    delete_stream,
    cut_end,
    cut_notes,
    cut_game,
    rewrite,
    rewrite_note,
    swap_records,
    slip_in,
    flip_byte,
    write_gibberish,
    alter_document,
    delete_document,
    slip_in_document,
    set_documents_back,
    alter_remembered_checkpoint,
]

"""The tables, triggers and views of a SQLite store, as migrations. A released step never changes.

`events` is the log; `heads` says where each game stands, so that a cut-off end is noticed too.
`notes` and `note_heads` are the same for what people write beside the games.
The database itself refuses to change or remove a record and to add one that is not next, whoever
connects. Who drops the triggers can still tamper with a file; then the chain tells.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from events.chain import GENESIS
from events.store.log import NOTES, Tables

APPLICATION = 0x4C614369
"""`PRAGMA application_id` of our files: "LaCi"."""

migrations = Migrations("lacitta")

OF_LOGS = "('history', 'records', 'scoreboard', 'story', 'troubles', 'waiting')"
"""What follows from the logs, of all that lay in one place until the step `documents`."""

_DOCUMENTS = f"SELECT name, key, body FROM shelf_documents WHERE name NOT IN {OF_LOGS}"
_DOCUMENT_VERSIONS = f"SELECT name, position FROM shelf_positions WHERE name NOT IN {OF_LOGS}"

STAND_INS = {
    "notes": """
        CREATE TEMP TABLE notes (position, stream, version, note, previous, hash);
        CREATE TEMP TABLE note_heads (stream, version, hash, position);
    """,
    "documents": f"""
        CREATE TEMP VIEW documents AS {_DOCUMENTS};
        CREATE TEMP VIEW document_versions (name, version) AS {_DOCUMENT_VERSIONS};
        CREATE TEMP TABLE read_model_positions (name, position);
        CREATE TEMP TABLE read_model_entries (name, key, body);
    """,
    "lists": """
        CREATE TEMP TABLE document_lists (name, list, rank, key);
        CREATE TEMP TABLE document_listings (name, version, definition);
        CREATE TEMP TABLE read_model_lists (name, list, rank, key);
        CREATE TEMP TABLE read_model_listings (name, position, definition);
    """,
    "no_story": """
        CREATE TEMP TABLE IF NOT EXISTS read_model_positions (name, position);
        CREATE TEMP TABLE IF NOT EXISTS read_model_entries (name, key, body);
        CREATE TEMP TABLE IF NOT EXISTS read_model_lists (name, list, rank, key);
        CREATE TEMP TABLE IF NOT EXISTS read_model_listings (name, position, definition);
    """,
    "scratch": "CREATE TEMP TABLE scratch (key PRIMARY KEY, body, ends);",
}
"""For a connection to a file from before a step that may only be read, as old backups often are:
it is shown without notes if it has none, and without read models."""


@migrations()
def log(db: Database) -> None:
    """The columns for people are computed from the event, so that they cannot disagree with it."""
    db.execute("""
        CREATE TABLE events (
            position INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            version INTEGER NOT NULL,
            type TEXT AS (json_extract(event, '$.type')),
            seat INTEGER AS (json_extract(event, '$.seat')),
            time INTEGER AS (json_extract(event, '$.time')),
            event TEXT NOT NULL,
            previous TEXT NOT NULL,
            hash TEXT NOT NULL,
            UNIQUE (game, version)
        ) STRICT
    """)
    db.execute("CREATE INDEX events_years ON events (game) WHERE type = 'year-closed'")
    db.execute("""
        CREATE TABLE heads (
            game TEXT PRIMARY KEY NOT NULL,
            version INTEGER NOT NULL,
            hash TEXT NOT NULL,
            position INTEGER NOT NULL
        ) STRICT
    """)


@migrations()
def guards(db: Database) -> None:
    # INSERT OR REPLACE removes a row without firing delete triggers (unless the connection asks
    # for recursive ones), so the guard of INSERT refuses every row that is not exactly the next.
    db.execute(f"""
        CREATE TRIGGER events_only_next BEFORE INSERT ON events
        WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM events)
            OR NOT coalesce(
                (SELECT version + 1 IS NEW.version AND hash IS NEW.previous
                 FROM heads WHERE game = NEW.game),
                NEW.version IS 1 AND NEW.previous IS '{GENESIS}')
        BEGIN SELECT RAISE(ABORT, 'a record can only be added as the next one'); END
    """)
    for table in ("events", "heads"):
        db.execute(f"""
            CREATE TRIGGER {table}_never_deleted BEFORE DELETE ON {table}
            BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END
        """)
    db.execute("""
        CREATE TRIGGER events_never_updated BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END
    """)
    db.execute("""
        CREATE TRIGGER events_make_heads AFTER INSERT ON events WHEN NEW.version = 1
        BEGIN INSERT INTO heads VALUES (NEW.game, NEW.version, NEW.hash, NEW.position); END
    """)
    db.execute("""
        CREATE TRIGGER events_move_heads AFTER INSERT ON events WHEN NEW.version > 1
        BEGIN
            UPDATE heads SET version = NEW.version, hash = NEW.hash, position = NEW.position
            WHERE game = NEW.game;
        END
    """)
    # A head moves when its record has just been added, which is then the last of all.
    newest = """(
        SELECT (game, version, hash) = (NEW.game, NEW.version, NEW.hash)
            AND position = NEW.position
        FROM events ORDER BY position DESC LIMIT 1
    ) IS NOT 1"""
    for name, moment, also in (
        ("heads_follow_events", "UPDATE", "NEW.game <> OLD.game"),
        ("heads_only_new", "INSERT", "EXISTS (SELECT 1 FROM heads WHERE game = NEW.game)"),
    ):
        db.execute(f"""
            CREATE TRIGGER {name} BEFORE {moment} ON heads WHEN {newest} OR {also}
            BEGIN SELECT RAISE(ABORT, 'a head is the last record of its game'); END
        """)


@migrations()
def views(db: Database) -> None:
    """For people with `datasette` or the `sqlite-utils` command."""
    db.create_view(
        "games",
        """
        SELECT
            heads.game,
            (SELECT group_concat(json_extract(seat.value, '$.name'), ', ')
                FROM events AS opened, json_each(opened.event, '$.seats') AS seat
                WHERE opened.game = heads.game AND opened.version = 1) AS players,
            coalesce((SELECT max(json_extract(closed.event, '$.year')) FROM events AS closed
                WHERE closed.game = heads.game AND closed.type = 'year-closed'), 0) AS years,
            heads.version AS events,
            datetime(first.time / 1000, 'unixepoch') AS opened,
            last.type AS last_event,
            datetime(last.time / 1000, 'unixepoch') AS last_time,
            heads.hash AS head
        FROM heads
        JOIN events AS last ON last.position = heads.position
        JOIN events AS first ON first.game = heads.game AND first.version = 1
        """,
    )
    db.create_view(
        "turns",
        """
        SELECT
            turn.game,
            turn.version,
            turn.seat,
            json_extract(opened.event, '$.seats[' || (turn.seat - 1) || '].name') AS player,
            turn.type,
            datetime(turn.time / 1000, 'unixepoch') AS time,
            json_remove(turn.event, '$.type', '$.seat', '$.time') AS choice
        FROM events AS turn
        JOIN events AS opened ON opened.game = turn.game AND opened.version = 1
        WHERE turn.seat IS NOT NULL
        """,
    )


@migrations()
def shelf(db: Database) -> None:
    """Read models. Unlike the log they may change, and can be made anew from it at any time."""
    db.execute("""
        CREATE TABLE shelf_positions (name TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL)
        STRICT
    """)
    db.execute("""
        CREATE TABLE shelf_documents (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL,
            UNIQUE (name, key)
        ) STRICT
    """)
    db.execute("""
        CREATE TABLE shelf_texts (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, words TEXT NOT NULL,
            UNIQUE (name, key)
        ) STRICT
    """)
    db.table("shelf_texts").enable_fts(["words"], create_triggers=True)


@migrations()
def notes(db: Database) -> None:
    """Notes are bytes that need not be JSON, nor text; where they are, people see who and when."""

    def field(name: str) -> str:
        text = "CAST(note AS TEXT)"
        return f"ANY AS (CASE WHEN json_valid({text}) THEN json_extract({text}, '$.{name}') END)"

    db.execute(f"""
        CREATE TABLE notes (
            position INTEGER PRIMARY KEY,
            stream TEXT NOT NULL,
            version INTEGER NOT NULL,
            type {field("type")},
            "by" {field("by")},
            time {field("time")},
            note BLOB NOT NULL,
            previous TEXT NOT NULL,
            hash TEXT NOT NULL,
            UNIQUE (stream, version)
        ) STRICT
    """)
    db.execute("""
        CREATE TABLE note_heads (
            stream TEXT PRIMARY KEY NOT NULL,
            version INTEGER NOT NULL,
            hash TEXT NOT NULL,
            position INTEGER NOT NULL
        ) STRICT
    """)
    _guard(db, NOTES)
    db.create_view(
        "annotations",
        """
        SELECT
            stream,
            version,
            type,
            "by",
            CASE typeof(time) WHEN 'integer' THEN datetime(time / 1000, 'unixepoch') END AS time,
            CASE WHEN json_valid(CAST(note AS TEXT)) THEN CAST(note AS TEXT) ELSE note END AS note
        FROM notes
        """,
    )


@migrations()
def documents(db: Database) -> None:
    """What people own, and read models, lie apart from here on."""
    db.execute("""
        CREATE TABLE document_versions (name TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL)
        STRICT
    """)
    db.execute("""
        CREATE TABLE read_model_positions (
            name TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL
        ) STRICT
    """)
    for table, column in (
        ("documents", "body BLOB"),
        ("read_model_entries", "body BLOB"),
        ("read_model_texts", "words TEXT"),
    ):
        db.execute(f"""
            CREATE TABLE {table} (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, {column} NOT NULL,
                UNIQUE (name, key)
            ) STRICT
        """)
    db.table("read_model_texts").enable_fts(["words"], create_triggers=True)
    db.execute(f"INSERT INTO documents (name, key, body) {_DOCUMENTS}")
    db.execute(f"INSERT INTO document_versions {_DOCUMENT_VERSIONS}")
    for table, old, columns in (
        ("read_model_positions", "shelf_positions", "name, position"),
        ("read_model_entries", "shelf_documents", "name, key, body"),
        ("read_model_texts", "shelf_texts", "name, key, words"),
    ):
        db.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {old} WHERE name IN {OF_LOGS}"
        )
    db.table("shelf_texts").disable_fts()
    for old in ("shelf_texts", "shelf_documents", "shelf_positions"):
        db.execute(f"DROP TABLE {old}")


@migrations()
def lists(db: Database) -> None:
    """What stands in which list follows from documents and read models, and is filled by those
    who know their shapes."""
    for kind, counter in (("document", "version"), ("read_model", "position")):
        db.execute(f"""
            CREATE TABLE {kind}_lists (
                name TEXT NOT NULL, list TEXT NOT NULL, rank INTEGER NOT NULL, key TEXT NOT NULL,
                PRIMARY KEY (name, list, rank, key)
            ) STRICT, WITHOUT ROWID
        """)
        db.execute(f"CREATE INDEX {kind}_lists_keys ON {kind}_lists (name, key)")
        db.execute(f"""
            CREATE TABLE {kind}_listings (
                name TEXT PRIMARY KEY NOT NULL, {counter} INTEGER NOT NULL, definition TEXT NOT NULL
            ) STRICT
        """)


@migrations()
def no_story(db: Database) -> None:
    """Stories and histories are told from the log; what else follows from it is made anew."""
    db.table("read_model_texts").disable_fts()
    db.execute("DROP TABLE read_model_texts")
    for table in ("entries", "positions", "lists", "listings"):
        db.execute(f"DELETE FROM read_model_{table}")


@migrations()
def scratch(db: Database) -> None:
    """What processes need of each other for a while."""
    db.execute("""
        CREATE TABLE scratch (
            key TEXT PRIMARY KEY NOT NULL, body BLOB NOT NULL, ends INTEGER NOT NULL
        ) STRICT
    """)


def _guard(db: Database, tables: Tables) -> None:
    """The guards of a log, as `guards` sets them up for games."""
    log, heads, name = tables.log, tables.heads, tables.name
    next_of_its_own = f"""coalesce(
        (SELECT version + 1 IS NEW.version AND hash IS NEW.previous
         FROM {heads} WHERE {name} = NEW.{name}),
        NEW.version IS 1 AND NEW.previous IS '{GENESIS}')"""
    newest = f"""(
        SELECT ({name}, version, hash) = (NEW.{name}, NEW.version, NEW.hash)
            AND position = NEW.position
        FROM {log} ORDER BY position DESC LIMIT 1
    ) IS 1"""
    next_of_all = f"NEW.position IS (SELECT coalesce(max(position), 0) + 1 FROM {log})"
    there = f"EXISTS (SELECT 1 FROM {heads} WHERE {name} = NEW.{name})"
    only_next = "a record can only be added as the next one"
    is_last = "a head is the last record of its stream"
    for trigger, moment, when, why in (
        (f"{log}_only_next", f"INSERT ON {log}", f"{next_of_all} AND {next_of_its_own}", only_next),
        (f"{log}_never_deleted", f"DELETE ON {log}", "0", "a record is never deleted"),
        (f"{heads}_never_deleted", f"DELETE ON {heads}", "0", "a record is never deleted"),
        (f"{log}_never_updated", f"UPDATE ON {log}", "0", "a record is never changed"),
        (
            f"{heads}_follow",
            f"UPDATE ON {heads}",
            f"{newest} AND NEW.{name} IS OLD.{name}",
            is_last,
        ),
        (f"{heads}_only_new", f"INSERT ON {heads}", f"{newest} AND NOT {there}", is_last),
    ):
        db.execute(f"""
            CREATE TRIGGER {trigger} BEFORE {moment} WHEN NOT ({when})
            BEGIN SELECT RAISE(ABORT, '{why}'); END
        """)
    db.execute(f"""
        CREATE TRIGGER {log}_make_heads AFTER INSERT ON {log} WHEN NEW.version = 1
        BEGIN INSERT INTO {heads} VALUES (NEW.{name}, NEW.version, NEW.hash, NEW.position); END
    """)
    db.execute(f"""
        CREATE TRIGGER {log}_move_heads AFTER INSERT ON {log} WHEN NEW.version > 1
        BEGIN
            UPDATE {heads} SET version = NEW.version, hash = NEW.hash, position = NEW.position
            WHERE {name} = NEW.{name};
        END
    """)

"""The tables and triggers of a PostgreSQL store, as steps. A released step never changes.

The same as in SQLite (see sqlite_schema), and the server recomputes the hash of every new record.
"""

from __future__ import annotations

from events.chain import GENESIS
from events.store.log import GAMES, NOTES, Tables
from events.store.sqlite.schema import OF_LOGS

LOCK = 0x4C614369
"""The advisory lock that appends take in turn, so that positions are committed in order. With a
sequence instead, a slow append could commit position 7 after readers have gone on from 8."""

NOTE_LOCK = LOCK + 1
"""The same for notes, so that they and the games do not wait for each other."""

CHANNEL = "lacitta_news"

# The columns for people are computed from the event, so that they cannot disagree with it. Not by
# a cast to JSON, because PostgreSQL refuses the escaped NUL that a name may contain.
_LOG = rf"""
CREATE TABLE events (
    position bigint PRIMARY KEY,
    game text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    type text GENERATED ALWAYS AS (substring(event from '^\{{"type":"([^"]*)"')) STORED,
    seat integer GENERATED ALWAYS AS
        (substring(event from '^\{{"type":"[^"]*","seat":(\d+)')::integer) STORED,
    time bigint GENERATED ALWAYS AS (substring(event from '"time":(\d+)\}}$')::bigint) STORED,
    event text NOT NULL,
    previous text NOT NULL,
    hash text NOT NULL,
    UNIQUE (game, version)
);
CREATE TABLE heads (
    game text COLLATE "C" PRIMARY KEY,
    version integer NOT NULL,
    hash text NOT NULL,
    position bigint NOT NULL
);
CREATE FUNCTION lacitta_only_next() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
    last bigint;
    head record;
BEGIN
    PERFORM pg_advisory_xact_lock({LOCK});
    SELECT coalesce(max(position), 0) INTO last FROM events;
    SELECT version, hash INTO head FROM heads WHERE game = NEW.game;
    IF NEW.position IS DISTINCT FROM last + 1
        OR NEW.version IS DISTINCT FROM coalesce(head.version, 0) + 1
        OR NEW.previous IS DISTINCT FROM coalesce(head.hash, '{GENESIS}')
        OR NEW.hash IS DISTINCT FROM encode(sha256(convert_to(
            concat_ws(E'\n', NEW.previous, NEW.game, NEW.version, NEW.event), 'UTF8')), 'hex')
    THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = 'a record can only be added as the next one';
    END IF;
    -- The head moves here and not after the row, so that a batch in one statement sees it move.
    IF NEW.version = 1 THEN
        INSERT INTO heads VALUES (NEW.game, NEW.version, NEW.hash, NEW.position);
    ELSE
        UPDATE heads SET version = NEW.version, hash = NEW.hash, position = NEW.position
            WHERE game = NEW.game;
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION lacitta_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation
        USING MESSAGE = 'a record is never changed and never deleted';
END $$;
CREATE FUNCTION lacitta_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('{CHANNEL}', '');
    RETURN NULL;
END $$;
CREATE TRIGGER events_only_next BEFORE INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION lacitta_only_next();
CREATE TRIGGER events_tell AFTER INSERT ON events
    FOR EACH STATEMENT EXECUTE FUNCTION lacitta_tell();
CREATE TRIGGER events_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION lacitta_refuse();
-- Only the trigger above may write heads: it is one level deep then.
CREATE TRIGGER heads_never_written BEFORE INSERT OR UPDATE ON heads
    FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION lacitta_refuse();
CREATE TRIGGER heads_never_deleted BEFORE DELETE OR TRUNCATE ON heads
    FOR EACH STATEMENT EXECUTE FUNCTION lacitta_refuse();
-- "Always": also in a session that calls itself a replica.
ALTER TABLE events ENABLE ALWAYS TRIGGER events_only_next;
ALTER TABLE events ENABLE ALWAYS TRIGGER events_never_changed;
ALTER TABLE heads ENABLE ALWAYS TRIGGER heads_never_written;
ALTER TABLE heads ENABLE ALWAYS TRIGGER heads_never_deleted;
"""

_SHELF = """
CREATE TABLE shelf_positions (name text PRIMARY KEY, position bigint NOT NULL);
CREATE TABLE shelf_documents (
    name text NOT NULL,
    key text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (name, key)
);
CREATE TABLE shelf_texts (
    name text NOT NULL,
    key text COLLATE "C" NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (name, key)
);
CREATE INDEX shelf_texts_words ON shelf_texts USING gin (words);
"""


def _guard(tables: Tables, lock: int, hashed: str) -> str:
    """The guards of a log of notes, as the first step sets them up for games."""
    log, heads, name = tables.log, tables.heads, tables.name
    return rf"""
CREATE FUNCTION lacitta_{log}_only_next() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
    last bigint;
    head record;
BEGIN
    PERFORM pg_advisory_xact_lock({lock});
    SELECT coalesce(max(position), 0) INTO last FROM {log};
    SELECT version, hash INTO head FROM {heads} WHERE {name} = NEW.{name};
    IF NEW.position IS DISTINCT FROM last + 1
        OR NEW.version IS DISTINCT FROM coalesce(head.version, 0) + 1
        OR NEW.previous IS DISTINCT FROM coalesce(head.hash, '{GENESIS}')
        OR NEW.hash IS DISTINCT FROM encode(sha256({hashed}), 'hex')
    THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = 'a record can only be added as the next one';
    END IF;
    IF NEW.version = 1 THEN
        INSERT INTO {heads} VALUES (NEW.{name}, NEW.version, NEW.hash, NEW.position);
    ELSE
        UPDATE {heads} SET version = NEW.version, hash = NEW.hash, position = NEW.position
            WHERE {name} = NEW.{name};
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER {log}_only_next BEFORE INSERT ON {log}
    FOR EACH ROW EXECUTE FUNCTION lacitta_{log}_only_next();
CREATE TRIGGER {log}_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON {log}
    FOR EACH STATEMENT EXECUTE FUNCTION lacitta_refuse();
CREATE TRIGGER {heads}_never_written BEFORE INSERT OR UPDATE ON {heads}
    FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION lacitta_refuse();
CREATE TRIGGER {heads}_never_deleted BEFORE DELETE OR TRUNCATE ON {heads}
    FOR EACH STATEMENT EXECUTE FUNCTION lacitta_refuse();
ALTER TABLE {log} ENABLE ALWAYS TRIGGER {log}_only_next;
ALTER TABLE {log} ENABLE ALWAYS TRIGGER {log}_never_changed;
ALTER TABLE {heads} ENABLE ALWAYS TRIGGER {heads}_never_written;
ALTER TABLE {heads} ENABLE ALWAYS TRIGGER {heads}_never_deleted;
"""


# Notes are bytes that need not be JSON, nor text; where they are, people see who and when.
_NOTES = r"""
CREATE FUNCTION lacitta_note_field(note bytea, field text) RETURNS text LANGUAGE plpgsql
IMMUTABLE SET search_path = pg_catalog AS $$
BEGIN
    RETURN convert_from(note, 'UTF8')::json ->> field;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END $$;
CREATE TABLE notes (
    position bigint PRIMARY KEY,
    stream text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    type text GENERATED ALWAYS AS (lacitta_note_field(note, 'type')) STORED,
    "by" text GENERATED ALWAYS AS (lacitta_note_field(note, 'by')) STORED,
    time bigint GENERATED ALWAYS AS
        (substring(lacitta_note_field(note, 'time') from '^\d{1,18}$')::bigint) STORED,
    note bytea NOT NULL,
    previous text NOT NULL,
    hash text NOT NULL,
    UNIQUE (stream, version)
);
CREATE TABLE note_heads (
    stream text COLLATE "C" PRIMARY KEY,
    version integer NOT NULL,
    hash text NOT NULL,
    position bigint NOT NULL
);
""" + _guard(
    NOTES,
    NOTE_LOCK,
    r"convert_to(concat_ws(E'\n', NEW.previous, NEW.stream, NEW.version, ''), 'UTF8') || NEW.note",
)

# A process of an older release must not write between copying and dropping.
_DOCUMENTS = f"""
LOCK TABLE shelf_positions, shelf_documents, shelf_texts IN ACCESS EXCLUSIVE MODE;
CREATE TABLE document_versions (name text PRIMARY KEY, version bigint NOT NULL);
CREATE TABLE documents (
    name text NOT NULL,
    key text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (name, key)
);
CREATE TABLE read_model_positions (name text PRIMARY KEY, position bigint NOT NULL);
CREATE TABLE read_model_entries (LIKE documents INCLUDING ALL);
CREATE TABLE read_model_texts (
    name text NOT NULL,
    key text COLLATE "C" NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (name, key)
);
CREATE INDEX read_model_texts_words ON read_model_texts USING gin (words);
INSERT INTO documents SELECT * FROM shelf_documents WHERE name NOT IN {OF_LOGS};
INSERT INTO document_versions SELECT * FROM shelf_positions WHERE name NOT IN {OF_LOGS};
INSERT INTO read_model_positions SELECT * FROM shelf_positions WHERE name IN {OF_LOGS};
INSERT INTO read_model_entries SELECT * FROM shelf_documents WHERE name IN {OF_LOGS};
INSERT INTO read_model_texts SELECT * FROM shelf_texts WHERE name IN {OF_LOGS};
DROP TABLE shelf_positions, shelf_documents, shelf_texts;
"""

# Who decided in a player's absence stands after the time.
_TIMES = r"""
ALTER TABLE events DROP COLUMN time, ADD COLUMN time bigint GENERATED ALWAYS AS
    (substring(event from '"time":(\d+)(?:,"by":"[^"]*")?\}$')::bigint) STORED;
"""

# What stands in which list follows from documents and read models, and is filled by those who know
# their shapes.
_LISTS = """
CREATE TABLE document_lists (
    name text NOT NULL,
    list text COLLATE "C" NOT NULL,
    rank bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    PRIMARY KEY (name, list, rank, key)
);
CREATE INDEX document_lists_keys ON document_lists (name, key);
CREATE TABLE read_model_lists (LIKE document_lists INCLUDING ALL);
CREATE TABLE document_listings (
    name text PRIMARY KEY, version bigint NOT NULL, definition text NOT NULL
);
CREATE TABLE read_model_listings (
    name text PRIMARY KEY, position bigint NOT NULL, definition text NOT NULL
);
"""

# Stories and histories are told from the log; what else follows from it is made anew.
_NO_STORY = """
DROP TABLE read_model_texts;
TRUNCATE read_model_entries, read_model_positions, read_model_lists, read_model_listings;
"""

# What processes need of each other for a while. After a crash nobody needs it: it is not logged.
_SCRATCH = """
CREATE UNLOGGED TABLE scratch (
    key text COLLATE "C" PRIMARY KEY, body bytea NOT NULL, ends bigint NOT NULL
);
"""


def _hashes_as_bytes(tables: Tables, function: str, lock: int, content: str) -> str:
    """The hashes of a log in half the room. One that was tampered with and is no hash any more
    stays as wrong as it was."""
    log, heads, name = tables.log, tables.heads, tables.name

    def as_bytes(column: str) -> str:
        return f"""ALTER COLUMN {column} TYPE bytea USING CASE WHEN {column} ~ '^[0-9a-f]{{64}}$'
        THEN decode({column}, 'hex') ELSE convert_to({column}, 'UTF8') END"""

    return rf"""
DROP TRIGGER {log}_only_next ON {log};
DROP FUNCTION {function}();
ALTER TABLE {log} {as_bytes("previous")}, {as_bytes("hash")};
ALTER TABLE {heads} {as_bytes("hash")};
CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
    last bigint;
    head record;
BEGIN
    PERFORM pg_advisory_xact_lock({lock});
    SELECT coalesce(max(position), 0) INTO last FROM {log};
    SELECT version, hash INTO head FROM {heads} WHERE {name} = NEW.{name};
    IF NEW.position IS DISTINCT FROM last + 1
        OR NEW.version IS DISTINCT FROM coalesce(head.version, 0) + 1
        OR NEW.previous IS DISTINCT FROM coalesce(head.hash, decode('{GENESIS}', 'hex'))
        OR NEW.hash IS DISTINCT FROM sha256(convert_to(
            concat_ws(E'\n', encode(NEW.previous, 'hex'), NEW.{name}, NEW.version, ''), 'UTF8')
            || {content})
    THEN
        RAISE integrity_constraint_violation
            USING MESSAGE = 'a record can only be added as the next one';
    END IF;
    -- The head moves here and not after the row, so that a batch in one statement sees it move.
    IF NEW.version = 1 THEN
        INSERT INTO {heads} VALUES (NEW.{name}, NEW.version, NEW.hash, NEW.position);
    ELSE
        UPDATE {heads} SET version = NEW.version, hash = NEW.hash, position = NEW.position
            WHERE {name} = NEW.{name};
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER {log}_only_next BEFORE INSERT ON {log}
    FOR EACH ROW EXECUTE FUNCTION {function}();
ALTER TABLE {log} ENABLE ALWAYS TRIGGER {log}_only_next;
"""


_HASHES = _hashes_as_bytes(
    GAMES, "lacitta_only_next", LOCK, "convert_to(NEW.event, 'UTF8')"
) + _hashes_as_bytes(NOTES, "lacitta_notes_only_next", NOTE_LOCK, "NEW.note")

STEPS = {
    "log": _LOG,
    "shelf": _SHELF,
    "notes": _NOTES,
    "documents": _DOCUMENTS,
    "times": _TIMES,
    "lists": _LISTS,
    "no_story": _NO_STORY,
    "scratch": _SCRATCH,
    "hashes": _HASHES,
}

MARK = "lacitta_migrations"
"""The table that makes a schema ours, and says which steps were taken."""

MARK_TABLE = f"CREATE TABLE {MARK} (name text PRIMARY KEY, applied timestamptz DEFAULT now())"

TABLES = [
    *("events", "heads", "notes", "note_heads"),
    *("shelf_positions", "shelf_documents", "shelf_texts"),
    *("documents", "document_versions"),
    *("read_model_positions", "read_model_entries", "read_model_texts"),
    "scratch",
    *("document_lists", "document_listings", "read_model_lists", "read_model_listings"),
]

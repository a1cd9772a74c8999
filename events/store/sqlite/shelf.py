"""Read models in the SQLite file, searched with FTS5."""

from __future__ import annotations

from collections.abc import Mapping

from sqlite_utils import Database

from events.store.errors import ShelfConflict
from events.store.shelf import words_asked, words_of
from events.store.sqlite.connection import SqliteLink

_LAST = "\U0010ffff"


class SqliteShelf:
    """The shelf of a SqliteStore; see Shelf."""

    def __init__(self, link: SqliteLink) -> None:
        self._link = link

    def names(self) -> list[str]:
        rows = self._link.fetch("SELECT name FROM shelf_positions")
        return sorted(name for (name,) in rows)

    def position(self, name: str) -> int:
        rows = self._link.fetch("SELECT position FROM shelf_positions WHERE name = ?", (name,))
        return int(rows[0][0]) if rows else 0

    def save(
        self,
        name: str,
        expected_position: int,
        new_position: int,
        changes: Mapping[str, bytes | None],
        texts: Mapping[str, str] | None = None,
    ) -> None:
        with self._link.writing() as db:
            row = db.execute(
                "SELECT position FROM shelf_positions WHERE name = ?", (name,)
            ).fetchone()
            found = row[0] if row else 0
            if found != expected_position:
                raise ShelfConflict(name, expected_position, found)
            for key, body in changes.items():
                _put(db, name, key, body)
            for key, text in (texts or {}).items():
                _put_text(db, name, key, text)
            db.execute(
                "INSERT INTO shelf_positions VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET position = excluded.position",
                (name, new_position),
            )

    def get(self, name: str, key: str) -> bytes | None:
        rows = self._link.fetch(
            "SELECT body FROM shelf_documents WHERE name = ? AND key = ?", (name, key)
        )
        return bytes(rows[0][0]) if rows else None

    def items(self, name: str, prefix: str = "") -> list[tuple[str, bytes]]:
        rows = self._link.fetch(
            "SELECT key, body FROM shelf_documents WHERE name = ? AND key >= ? AND key < ?"
            " ORDER BY key",
            (name, prefix, prefix + _LAST),
        )
        return [(key, body) for key, body in rows]

    def clear(self, name: str) -> None:
        with self._link.writing() as db:
            for table in ("shelf_documents", "shelf_texts", "shelf_positions"):
                db.execute(f"DELETE FROM {table} WHERE name = ?", (name,))

    def search(self, name: str, words: str, limit: int = 50) -> list[str]:
        asked = words_asked(words)
        if not asked:
            return []
        rows = self._link.fetch(
            "SELECT key FROM shelf_texts JOIN shelf_texts_fts ON shelf_texts_fts.rowid = id"
            " WHERE shelf_texts_fts MATCH ? AND name = ? ORDER BY key LIMIT ?",
            (" AND ".join(f'"{word}"' for word in asked), name, limit),
        )
        return [key for (key,) in rows]


def _put(db: Database, name: str, key: str, body: bytes | None) -> None:
    if body is None:
        db.execute("DELETE FROM shelf_documents WHERE name = ? AND key = ?", (name, key))
        _put_text(db, name, key, "")
        return
    db.execute(
        "INSERT INTO shelf_documents (name, key, body) VALUES (?, ?, ?)"
        " ON CONFLICT (name, key) DO UPDATE SET body = excluded.body",
        (name, key, body),
    )


def _put_text(db: Database, name: str, key: str, text: str) -> None:
    words = " ".join(words_of(text))
    if not words:
        db.execute("DELETE FROM shelf_texts WHERE name = ? AND key = ?", (name, key))
        return
    db.execute(
        "INSERT INTO shelf_texts (name, key, words) VALUES (?, ?, ?)"
        " ON CONFLICT (name, key) DO UPDATE SET words = excluded.words",
        (name, key, words),
    )

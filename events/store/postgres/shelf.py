"""Read models in PostgreSQL, searched with a tsvector."""

from __future__ import annotations

from collections.abc import Mapping

from events.store.errors import ShelfConflict
from events.store.postgres.connection import Connection, PostgresLink
from events.store.shelf import words_asked, words_of

_LAST = "\U0010ffff"


class PostgresShelf:
    """The shelf of a PostgresStore; see Shelf."""

    def __init__(self, link: PostgresLink) -> None:
        self._link = link

    def names(self) -> list[str]:
        rows = self._link.fetch("SELECT name FROM shelf_positions")
        return sorted(name for (name,) in rows)

    def position(self, name: str) -> int:
        rows = self._link.fetch("SELECT position FROM shelf_positions WHERE name = %s", (name,))
        return int(rows[0][0]) if rows else 0

    def save(
        self,
        name: str,
        expected_position: int,
        new_position: int,
        changes: Mapping[str, bytes | None],
        texts: Mapping[str, str] | None = None,
    ) -> None:
        # Not tried again on a broken connection: the caller starts from the position in any case.
        with self._link.explained(), self._link.conn.transaction():
            conn = self._link.conn
            # The row must be there to be locked, so that a second worker waits for this one.
            conn.execute(
                "INSERT INTO shelf_positions VALUES (%s, 0) ON CONFLICT DO NOTHING", (name,)
            )
            row = conn.execute(
                "SELECT position FROM shelf_positions WHERE name = %s FOR UPDATE", (name,)
            ).fetchone()
            found = row[0] if row else 0
            if found != expected_position:
                raise ShelfConflict(name, expected_position, found)
            for key, body in changes.items():
                _put(conn, name, key, body)
            for key, text in (texts or {}).items():
                _put_text(conn, name, key, text)
            conn.execute(
                "UPDATE shelf_positions SET position = %s WHERE name = %s", (new_position, name)
            )

    def get(self, name: str, key: str) -> bytes | None:
        rows = self._link.fetch(
            "SELECT body FROM shelf_documents WHERE name = %s AND key = %s", (name, key)
        )
        return bytes(rows[0][0]) if rows else None

    def items(self, name: str, prefix: str = "") -> list[tuple[str, bytes]]:
        rows = self._link.fetch(
            "SELECT key, body FROM shelf_documents WHERE name = %s AND key >= %s AND key < %s"
            " ORDER BY key",
            (name, prefix, prefix + _LAST),
        )
        return [(key, bytes(body)) for key, body in rows]

    def clear(self, name: str) -> None:
        with self._link.explained(), self._link.conn.transaction():
            for table in ("shelf_positions", "shelf_documents", "shelf_texts"):
                self._link.conn.execute(f"DELETE FROM {table} WHERE name = %s".encode(), (name,))

    def search(self, name: str, words: str, limit: int = 50) -> list[str]:
        asked = words_asked(words)
        if not asked:
            return []
        rows = self._link.fetch(
            "SELECT key FROM shelf_texts WHERE name = %s AND words @@ %s::tsquery"
            " ORDER BY key LIMIT %s",
            (name, " & ".join(f"'{word}'" for word in asked), limit),
        )
        return [key for (key,) in rows]


def _put(conn: Connection, name: str, key: str, body: bytes | None) -> None:
    if body is None:
        conn.execute("DELETE FROM shelf_documents WHERE name = %s AND key = %s", (name, key))
        _put_text(conn, name, key, "")
        return
    conn.execute(
        "INSERT INTO shelf_documents VALUES (%s, %s, %s)"
        " ON CONFLICT (name, key) DO UPDATE SET body = excluded.body",
        (name, key, body),
    )


def _put_text(conn: Connection, name: str, key: str, text: str) -> None:
    words = sorted(set(words_of(text)))
    if not words:
        conn.execute("DELETE FROM shelf_texts WHERE name = %s AND key = %s", (name, key))
        return
    # The words are cut already, so no parser of PostgreSQL's has a say in what a word is.
    conn.execute(
        "INSERT INTO shelf_texts VALUES (%s, %s, array_to_tsvector(%s::text[]))"
        " ON CONFLICT (name, key) DO UPDATE SET words = excluded.words",
        (name, key, words),
    )

"""Read models in PostgreSQL, searched with its text search."""

from __future__ import annotations

from events.store.sql.tables import SqlReadModels


class PostgresReadModels(SqlReadModels):
    """The read models of a PostgresStore; see ReadModels."""

    # The words are cut already, so no parser of PostgreSQL's has a say in what a word is.
    words = "array_to_tsvector(%s::text[])"

    def _stored(self, words: list[str]) -> list[str]:
        return sorted(set(words))

    def _found(self, name: str, words: list[str], limit: int) -> list[tuple[str]]:
        return self._link.fetch(
            f"SELECT key FROM {self.texts} WHERE name = %s AND words @@ %s::tsquery"
            " ORDER BY key LIMIT %s",
            (name, " & ".join(f"'{word}'" for word in words), limit),
        )

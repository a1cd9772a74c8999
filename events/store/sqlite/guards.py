"""The guards of a SQLite file, compared with those of a new one."""

from __future__ import annotations

from functools import cache

from sqlite_utils import Database

from events.store.guards import GUARDED, GuardFault, find_faults
from events.store.sqlite.schema import migrations


@cache
def made_guards() -> dict[str, str]:
    """The guards that the steps of the schema make, by name."""
    db = Database(memory=True)
    migrations.apply(db)
    return read_guards(db)


def read_guards(db: Database) -> dict[str, str]:
    """The triggers of the guarded tables, by name."""
    found = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        f" AND tbl_name IN {GUARDED!r} ORDER BY name"
    )
    return {name: " ".join(sql.split()) for name, sql in found.fetchall()}


def guard_faults(db: Database) -> list[GuardFault]:
    return find_faults(made_guards(), read_guards(db))


def restore_guards(db: Database) -> list[GuardFault]:
    """Put right what is missing or altered, within the caller's transaction; gives what was not as
    it should be."""
    faults = guard_faults(db)
    for fault in faults:
        if fault.what != "foreign":
            db.execute(f"DROP TRIGGER IF EXISTS {fault.name}")
            db.execute(made_guards()[fault.name])
    return faults

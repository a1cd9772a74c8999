"""The guards of a PostgreSQL schema, compared with what the steps of the schema say."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from events.store.guards import GUARDED, GuardFault, find_faults
from events.store.postgres.schema import STEPS

if TYPE_CHECKING:
    from events.store.postgres.connection import Connection

_function = re.compile(r"CREATE FUNCTION (\w+)\(\) RETURNS trigger.*?AS \$\$(.*?)\$\$;", re.DOTALL)
_trigger = re.compile(r"CREATE TRIGGER (\w+) [^;]* ON (\w+)\s[^;]*EXECUTE FUNCTION (\w+)\(\);")
_always = re.compile(r"ALTER TABLE \w+ ENABLE ALWAYS TRIGGER (\w+);")

_FOUND = """
    SELECT tgname, pg_get_triggerdef(pg_trigger.oid, true), tgenabled, prosrc
    FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid
    JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND relname = ANY (%s)
        AND relnamespace = to_regnamespace(quote_ident(current_schema()))
"""


@cache
def made_guards() -> dict[str, str]:
    """The guards that the steps make, by name."""
    text = "".join(STEPS.values())
    bodies = dict(_function.findall(text))
    always = set(_always.findall(text))
    return {
        match[1]: _as_text(match[0], "A" if match[1] in always else "O", bodies[match[3]])
        for match in _trigger.finditer(text)
    }


@cache
def _restoring() -> dict[str, str]:
    """Per guard the statements that make it anew."""
    text = "".join(STEPS.values())
    functions = {match[1]: match[0] for match in _function.finditer(text)}
    always = {match[1]: match[0] for match in _always.finditer(text)}
    return {
        match[1]: functions[match[3]].replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
        + f"DROP TRIGGER IF EXISTS {match[1]} ON {match[2]}; {match[0]}"
        + always.get(match[1], "")
        for match in _trigger.finditer(text)
    }


def _as_text(trigger: str, enabled: str, body: str) -> str:
    """A trigger with its function, however it is spaced and in whatever order it names events."""
    words = " ".join(trigger.rstrip(";").split())
    events = re.search(r"(?:BEFORE|AFTER) (.*?) ON ", words)
    if events is not None:
        ordered = " OR ".join(sorted(events[1].split(" OR ")))
        words = words.replace(events[1], ordered, 1)
    return f"{words} {enabled} {' '.join(body.split())}"


def guard_faults(conn: Connection) -> list[GuardFault]:
    rows = conn.execute(_FOUND.encode(), (list(GUARDED),)).fetchall()
    return find_faults(
        made_guards(), {name: _as_text(made, on, body) for name, made, on, body in rows}
    )


def restore_guards(conn: Connection) -> list[GuardFault]:
    """Put right what is missing or altered, within the caller's transaction; gives what was not as
    it should be."""
    faults = guard_faults(conn)
    for fault in faults:
        if fault.what != "foreign":
            conn.execute(_restoring()[fault.name].encode())
    return faults

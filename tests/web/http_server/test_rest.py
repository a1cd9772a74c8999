"""A server at rest leaves its database alone."""

from __future__ import annotations

import time
from contextlib import ExitStack

import psycopg
import pytest

from tests.web.served import Served
from tests.web.sturdy import fill, new_schema

pytestmark = pytest.mark.long

TABLES, SERVERS = 100, 2
WATCHED = 5.0
"""Seconds that are counted; what an idle connection did is counted up to ten seconds later."""
WINDOWS = 8
MOST_A_SECOND = 5.0
MAIL = {
    "LACITTA_MAIL_HOST": "127.0.0.1",
    "LACITTA_MAIL_PORT": "9",
    "LACITTA_MAIL_SECURITY": "none",
    "LACITTA_MAIL_SENDER": "games@example.org",
    "LACITTA_SERVER_URL": "http://127.0.0.1",
}


def test_servers_at_rest_ask_their_database_only_now_and_then(
    request: pytest.FixtureRequest,
) -> None:
    db = new_schema(request)
    fill(db, TABLES)
    with psycopg.connect(db, autocommit=True) as watcher, ExitStack() as stack:
        for _ in range(SERVERS):
            stack.enter_context(Served(db, settings=MAIL))
        for _ in range(WINDOWS):  # until all is taken in that there was
            before = transactions(watcher)
            time.sleep(WATCHED)
            each = (transactions(watcher) - before) / WATCHED / SERVERS
            print(f"\n{each:.1f} transactions a second for each of {SERVERS} servers")
            if each <= MOST_A_SECOND:
                return
    raise AssertionError(each)


def transactions(conn: psycopg.Connection[tuple[int]]) -> int:
    """So many were there in this database until now."""
    row = conn.execute(
        "SELECT xact_commit + xact_rollback FROM pg_stat_database"
        " WHERE datname = current_database()"
    ).fetchone()
    assert row is not None
    return row[0]

"""A rebuild gives what following gives: while games go on, after a kill, in several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from events.store.protocol import Store
from events.store.stores import open_store
from events.types import AnyEvent, TakeGold
from projections.readmodels import rebuild as rebuilding
from projections.readmodels.lists import listed_games
from projections.readmodels.projector import READ_MODELS, Projector
from projections.readmodels.rebuild import CURSOR, STATE, is_due, processes, rebuild
from tests.projections.readmodels.test_projector import (
    Shown,
    all_entries,
    append_mixed,
    game,
    named_game,
)


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "AT_ONCE", 2)


def check(store: Store) -> None:
    """All that is there is what comes of following the log from its beginning, in its order."""
    found = all_entries(store)
    assert list(listed_games(store.read_models, "running")) == [key for key, _ in found["waiting"]]
    assert {store.read_models.position(name) for name in READ_MODELS} == {store.position()}
    assert store.read_models.names() == sorted(READ_MODELS)
    Projector(store).rebuild()
    assert all_entries(store) == found


def some_games() -> dict[str, list[AnyEvent]]:
    logs = {f"g{seed}": game(seed, 2 + seed % 3) for seed in range(7)}
    logs["running"] = game(8)[:30]
    logs["broken"] = [TakeGold(seat=1)] * 9
    return logs


@pytest.mark.usefixtures("few_at_once")
def test_new_read_models_are_made_game_by_game(store: Store) -> None:
    append_mixed(store, some_games())
    done: list[int] = []
    assert rebuild(store, progress=done.append) == store.position()
    assert done == [2, 4, 6, 8, 9]
    check(store)


@pytest.mark.usefixtures("few_at_once")
def test_wrong_and_strange_entries_are_replaced_where_the_read_models_stand(store: Store) -> None:
    append_mixed(store, some_games())
    Projector(store).catch_up()
    right, position = all_entries(store), store.position()
    for name in ("scoreboard", "waiting", "records"):
        wrong = dict.fromkeys(dict(right[name]), right["scoreboard"][0][1])
        stranger = {"nobody": right["scoreboard"][0][1]}
        store.read_models.save(name, position, position, wrong | stranger)
    trouble = {"g1": right["troubles"][0][1]}
    store.read_models.save("troubles", position, position, trouble)
    rebuild(store)
    assert all_entries(store) == right
    check(store)


@pytest.mark.usefixtures("few_at_once")
def test_games_go_on_meanwhile(store: Store) -> None:
    """Somebody plays and somebody follows while the rebuild is at it."""
    logs = some_games()
    append_mixed(store, {name: log[: len(log) // 2] for name, log in logs.items()})
    Projector(store).catch_up()
    following, rest = Projector(store), dict(logs)
    looks: list[int] = []

    def play(done: int) -> None:
        looks.append(done)
        for name in list(rest)[:2]:
            begun = store.head(name)
            assert begun is not None
            store.append(name, begun.version, rest.pop(name)[begun.version :])
        if done % 4 == 0:
            following.catch_up()

    rebuild(store, progress=play)
    assert len(looks) > 3
    Projector(store).catch_up()
    check(store)


def test_a_follower_that_is_quicker_is_not_overwritten(store: Store) -> None:
    """Games move between folding and saving, and the read models with them."""
    log = game(1)
    store.append("g", 0, log[:30])
    Projector(store).catch_up()

    def fold_late(lists: object) -> Iterator[rebuilding.Folded]:
        for games in lists:  # type: ignore[attr-defined]
            folded = rebuilding.fold_games(store, None, games)
            store.append("g", 30, log[30:])
            Projector(store).catch_up()
            yield folded

    rebuild(store, fold_all=fold_late)
    check(store)


def test_a_name_that_goes_while_its_game_is_folded_is_gone(store: Store) -> None:
    names = Shown()
    store.append("g", 0, named_game(["Anna", "Bert"]))
    Projector(store, names).catch_up()

    def fold_late(lists: object) -> Iterator[rebuilding.Folded]:
        for games in lists:  # type: ignore[attr-defined]
            folded = rebuilding.fold_games(store, names, games)
            names.gone.add("Anna")
            yield folded

    rebuild(store, names, fold_all=fold_late)
    assert b"Anna" not in msgspec.json.encode(all_entries(store))


CHILD = """
import os, sys, time
from events.store.stores import open_store
from projections.readmodels import rebuild
rebuild.AT_ONCE = 2
def slowly(done):
    print(done, flush=True)
    time.sleep(0.05)
with open_store(sys.argv[1]) as store:
    rebuild.rebuild(store, progress=slowly)
"""


def test_a_killed_rebuild_goes_on_where_it_was(url: str) -> None:
    with open_store(url) as store:
        append_mixed(store, some_games())
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, url], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        done = [int(child.stdout.readline()) for _ in range(2)]
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert store.read_models.get(STATE, CURSOR) is not None
        assert is_due(store)
        more: list[int] = []
        rebuild(store, progress=more.append)
        assert more[0] > done[-1]
        assert not is_due(store)
        check(store)


def no_names(store: Store) -> Shown:
    return Shown()


@pytest.mark.long
def test_processes_fold_side_by_side(url: str) -> None:
    with open_store(url) as store:
        append_mixed(store, some_games())
        with processes(url, no_names, 2) as fold_all:
            rebuild(store, Shown(), fold_all=fold_all)
        check(store)

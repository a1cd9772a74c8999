"""Read models: right at every point, the same after a rebuild, and each record counted once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from events.store.errors import StoreError
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import AnyEvent, AskTakeBack, GameOpened, Seat, TakeGold
from projections.now.scoreboard import Scoreboard, scoreboard
from projections.readmodels import projector as projector
from projections.readmodels.game_entries import Standing, Trouble
from projections.readmodels.players import CareerRecord
from projections.readmodels.projector import READ_MODELS, Changes, Projector
from projections.years.game_fold import GameFold
from tests.amounts import Amount


def game(seed: int, players: int = 3) -> list[AnyEvent]:
    return play_out(new_game(players, f"keeper/{seed}", bot="random"), RandomBot(seed)).events


def all_entries(store: Store) -> dict[str, list[tuple[str, bytes]]]:
    return {name: store.read_models.items(name) for name in READ_MODELS}


def append_mixed(store: Store, logs: dict[str, list[AnyEvent]], seed: int = 1) -> None:
    """Append several games a few events at a time, in turns."""
    rng = random.Random(seed)
    done = dict.fromkeys(logs, 0)
    while open_ := [name for name in logs if done[name] < len(logs[name])]:
        name = rng.choice(open_)
        step = rng.randint(1, 9)
        store.append(name, done[name], logs[name][done[name] : done[name] + step])
        done[name] = min(len(logs[name]), done[name] + step)


def test_following_step_by_step_gives_what_a_rebuild_gives(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "BATCH", 37)
    logs = {f"g{seed}": game(seed, 2 + seed % 4) for seed in range(6)}
    for name, log in logs.items():
        for start, end in ((0, 20), (20, 41), (41, len(log))):
            store.append(name, start, log[start:end])
            Projector(store).catch_up()
    followed = all_entries(store)
    assert Projector(store).rebuild() == store.position()
    assert all_entries(store) == followed
    assert [key for key, _ in followed["scoreboard"]] == sorted(logs)
    assert not followed["waiting"]
    assert not followed["troubles"]


def test_mixed_games_give_the_same_whatever_the_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    logs = {f"g{seed}": game(seed) for seed in range(5)}
    for number, batch in enumerate((1000, 13, 100)):
        monkeypatch.setattr(projector, "BATCH", batch)
        monkeypatch.setattr(projector, "KEPT_FOLDS", 2 + number)
        with open_store(tmp_path / f"{number}.db") as store:
            append_mixed(store, logs)
            Projector(store).catch_up()
            found.append(all_entries(store))
    assert found[0] == found[1] == found[2]


def test_workers_that_take_turns_give_what_a_rebuild_gives(store: Store) -> None:
    """Each keeps folds from when it was last on, and the other has gone on meanwhile."""
    workers = [Projector(store), Projector(store)]
    logs = {f"g{seed}": game(seed, 2 + seed % 2) for seed in range(3)}
    rng = random.Random(5)
    done = dict.fromkeys(logs, 0)
    while growing := [name for name in logs if done[name] < len(logs[name])]:
        name = rng.choice(growing)
        end = done[name] + rng.randint(1, 4)
        store.append(name, done[name], logs[name][done[name] : end])
        done[name] = min(end, len(logs[name]))
        rng.choice(workers).catch_up()
    followed = all_entries(store)
    assert not followed["troubles"]
    Projector(store).rebuild()
    assert all_entries(store) == followed


def test_a_fold_refuses_gaps_and_repetitions() -> None:
    log = game(1)
    fold = GameFold(log[0])  # type: ignore[arg-type]
    fold.advance(log[1], 2)
    for version in (1, 2, 4):
        with pytest.raises(ValueError, match=f"version {version}"):
            fold.advance(log[2], version)
    fold.advance(log[2], 3)
    assert fold.version == 3


def test_one_read_model_can_be_rebuilt_alone(store: Store) -> None:
    append_mixed(store, {f"g{seed}": game(seed) for seed in range(3)})
    Projector(store).catch_up()
    before = all_entries(store)
    for name in READ_MODELS:
        Projector(store).rebuild(names=(name,))
        assert all_entries(store) == before


def test_the_scoreboard_is_that_of_the_fold(store: Store) -> None:
    log = game(4)
    for count in (2, 10, 40, len(log)):
        done = store.game("g").version if store.game("g") else 0  # type: ignore[union-attr]
        store.append("g", done, log[done:count])
        Projector(store).catch_up()
        saved = store.read_models.get("scoreboard", "g")
        assert saved is not None
        assert msgspec.json.decode(saved, type=Scoreboard) == scoreboard(fold(log[:count]))


def test_waiting_says_who_owes_what_since_when(store: Store) -> None:
    running = new_game(3, "waiting")
    stamped = [
        msgspec.structs.replace(event, time=1000 + number)
        for number, event in enumerate(running.events, start=1)
    ]
    store.append("g", 0, stamped)
    Projector(store).catch_up()
    (entry,) = msgspec.json.decode(store.read_models.get("waiting", "g") or b"[]")
    seat = min(running.state.awaiting)
    assert entry["seat"] == seat
    assert entry["owes"] == "politics"
    assert entry["since_version"] == len(stamped)
    assert entry["since_time"] == 1000 + len(stamped)


def test_the_standing_says_where_a_game_ended(store: Store) -> None:
    log = game(5)
    store.append("other", 0, game(6)[:9])
    last = next(n for n in range(len(log)) if fold(log[: n + 1]).phase == "over")
    store.append("g", 0, log[:last])
    Projector(store).catch_up()
    assert standing(store, "g").ended == 0
    store.append("g", last, log[last:])
    Projector(store).catch_up()
    assert standing(store, "g").ended == 9 + last + 1
    assert standing(store, "other").ended == 0


def standing(store: Store, name: str) -> Standing:
    return msgspec.json.decode(store.read_models.get("scoreboard", name) or b"", type=Standing)


def test_records_count_each_finished_game_once(store: Store) -> None:
    for seed in range(4):
        store.append(f"g{seed}", 0, game(seed))
        Projector(store).catch_up()
        Projector(store).catch_up()
    saved = store.read_models.get("records", "bot random")
    assert saved is not None
    record = msgspec.json.decode(saved, type=CareerRecord)
    assert record.games == 4 * 3
    assert record.wins >= 4


def test_people_are_rated_by_how_they_do(store: Store) -> None:
    for seed in range(8):
        log = game(seed, players=2)
        board = scoreboard(fold(log))
        opened = log[0]
        names = ["Anna", "Bob"] if board.winners[0] == 1 else ["Bob", "Anna"]
        seats = [type(opened.seats[0])(name=name) for name in names]  # type: ignore[union-attr]
        store.append(f"g{seed}", 0, [msgspec.structs.replace(opened, seats=seats), *log[1:]])
    Projector(store).catch_up()
    anna, bob = (
        msgspec.json.decode(store.read_models.get("records", name) or b"", type=CareerRecord)
        for name in ("Anna", "Bob")
    )
    assert (anna.games, anna.wins) == (8, 8)
    assert anna.rating > bob.rating


def test_a_take_back_takes_what_followed_back(store: Store) -> None:
    running = new_game(2, "take-back")
    seat = min(running.state.awaiting)
    store.append("g", 0, running.events)
    store.append("g", len(running.events), [TakeGold(seat=seat), AskTakeBack(seat=seat)])
    Projector(store).catch_up()
    saved = msgspec.json.decode(store.read_models.get("scoreboard", "g") or b"", type=Scoreboard)
    assert saved.lines[seat - 1].gold == 1
    (entry,) = msgspec.json.decode(store.read_models.get("waiting", "g") or b"[]")
    assert entry["seat"] == seat
    assert legal_actions(running.state, seat)


def test_a_broken_game_is_named_and_stops_no_other(store: Store) -> None:
    store.append("broken", 0, [TakeGold(seat=1), TakeGold(seat=2)])
    store.append("whole", 0, game(1))
    Projector(store).catch_up()
    assert [key for key, _ in store.read_models.items("troubles")] == ["broken"]
    assert store.read_models.get("scoreboard", "whole") is not None


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Says at which version a game of so many seats cannot be folded; counts the attempts."""
    poison = {"seats": 5, "version": 30, "attempts": 0}
    advance = GameFold.advance

    def failing(self: GameFold, event: AnyEvent, version: int) -> Any:
        if len(self.names) == poison["seats"] and version >= poison["version"]:
            poison["attempts"] += 1
            raise RuntimeError("poison")
        return advance(self, event, version)

    monkeypatch.setattr(GameFold, "advance", failing)
    return poison


def test_a_poisoned_game_is_tried_once_not_with_each_of_its_records(
    store: Store, poisoned: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "BATCH", 40)
    append_mixed(store, {"bad": game(1, players=5), "good": game(2)})
    following = Projector(store)
    assert following.catch_up() == store.position()
    assert poisoned["attempts"] == 1
    assert following.troubles()["bad"] == Trouble(30, "RuntimeError: poison")
    good = store.read_models.get("scoreboard", "good")
    assert good is not None
    assert msgspec.json.decode(good, type=Scoreboard).over
    for name in READ_MODELS:
        before = all_entries(store)
        Projector(store).rebuild(names=(name,))
        assert all_entries(store) == before


def test_a_game_that_was_set_aside_is_tried_again_and_then_as_if_it_had_never_been(
    store: Store, poisoned: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append("good", 0, game(2))
    store.append("bad", 0, game(1, players=5))
    clock = [0.0]
    monkeypatch.setattr(projector.time, "monotonic", lambda: clock[0])
    following = Projector(store)
    following.catch_up()
    for later in (0.0, 30.0, 61.0, 100.0, 182.0):
        clock[0] = later
        following.retry()
    assert poisoned["attempts"] == 1 + 3, "at once, after a minute, after two more"
    poisoned["seats"] = 0
    clock[0] = 10_000.0
    following.retry()
    assert not following.troubles()
    found = all_entries(store)
    following.rebuild()
    assert all_entries(store) == found


def test_an_error_of_the_store_sets_no_game_aside(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: GameFold, event: AnyEvent, version: int) -> Any:
        raise StoreError("gone")

    store.append("g", 0, game(1))
    with monkeypatch.context() as broken:
        broken.setattr(GameFold, "advance", gone)
        with pytest.raises(StoreError):
            Projector(store).catch_up()
    following = Projector(store)
    following.catch_up()
    assert not following.troubles()


class Shown:
    """Names that can be replaced, as those of people who delete their account."""

    def __init__(self) -> None:
        self.gone: set[str] = set()

    def position(self) -> int:
        return len(self.gone)

    def shown(self, game: str, opened: GameOpened) -> GameOpened:
        seats = [
            msgspec.structs.replace(seat, name=f"Anonymous {number}")
            if seat.name in self.gone
            else seat
            for number, seat in enumerate(opened.seats, start=1)
        ]
        return msgspec.structs.replace(opened, seats=seats)


def named_game(names: list[str]) -> list[AnyEvent]:
    opened, *following = game(3, len(names))
    assert isinstance(opened, GameOpened)
    seats = [Seat(name=name) for name in names]
    return [msgspec.structs.replace(opened, seats=seats), *following]


@pytest.mark.parametrize("when", ["folded", "saved"])
def test_a_deleted_name_is_gone_also_when_a_worker_was_just_saving_it(
    store: Store, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody goes between what a worker folds with their name and what it saves, or in the midst
    of saving."""
    names = Shown()

    def forget() -> None:
        if not names.gone:
            names.gone.add("Anna")
            other = Projector(store, names)
            other.retell(["g"])
            other.forget_player("Anna")

    class Slow(Projector):
        def _take_in(self, *batch: Any, **more: Any) -> Changes:
            changes = super()._take_in(*batch, **more)
            if when == "folded":
                forget()
            return changes

        def _save(self, names: Iterable[str], *more: Any) -> None:
            for name in names:
                super()._save([name], *more)
                if when == "saved" and name == "scoreboard":
                    forget()

    store.append("g", 0, named_game(["Anna", "Bert"]))
    Slow(store, names).catch_up()
    assert b"Anna" not in b"".join(
        key.encode() + body for name in READ_MODELS for key, body in store.read_models.items(name)
    )


def test_a_player_is_forgotten_also_while_games_end(store: Store) -> None:
    """The records may move on between the look at where they are and the removal."""
    store.append("g", 0, named_game(["Anna", "Bert"]))
    following = Projector(store)
    following.catch_up()
    models, looks = store.read_models, 0

    class Moving:
        def __getattr__(self, name: str) -> Any:
            return getattr(models, name)

        def position(self, name: str) -> int:
            nonlocal looks
            found, looks = models.position(name), looks + 1
            if looks == 1:
                store.append("h", 0, game(5))
                Projector(store).catch_up()
            return found

    following._models = Moving()  # type: ignore[assignment]
    following.forget_player("Anna")
    assert models.get("records", "Anna") is None
    assert models.get("records", "Bert") is not None


CHILD = """
import sys
from events.store.stores import open_store
from projections.readmodels import projector
projector.BATCH = 7
store = open_store(sys.argv[1])
print("ready", flush=True)
projector.Projector(store).catch_up()
"""


def test_a_killed_keeper_goes_on_where_it_was(url: str, amount: Amount) -> None:
    with open_store(url) as store:
        append_mixed(store, {f"g{seed}": game(seed) for seed in range(6)})
    rng = random.Random(3)
    for _ in range(amount(3, 12)):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, url], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(rng.uniform(0, 0.15))
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
    with open_store(url) as store:
        Projector(store).catch_up()
        followed = all_entries(store)
        Projector(store).rebuild()
        assert all_entries(store) == followed

"""What the code of tomorrow has to do with everything that was stored today.

`tests/test_shape_changes.py` runs it by itself with code in which shapes have changed. It is
given a folder that today's code has filled, and prints what went wrong, by check.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner

from engine.bots import StewardBot
from engine.selfplay import new_game, play_out
from events.codec import encode_event, encode_events, load_game, write_game
from events.store.backups.transfer import check_store, restore
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Build, YearClosed
from replays.amendments import amendments_in
from replays.chat import Said
from replays.corpus.games import CORPUS, check_attempts, load_attempts, load_games, logs_in
from replays.corpus.record import record
from replays.files.import_ import import_file
from replays.files.proof import prove
from replays.files.stores import export_game
from replays.files.study import read_study, write_study
from replays.notation import annotated, parse_text, write_text
from replays.notes.annotations import Author, Content, Noted, Place
from replays.notes.notebook import Notebook
from web.chat.service import Chats
from web.cli.main import main
from web.notes.service import Notebooks
from web.orders.shapes import PoliticsOrder, order_upcasters
from web.plans.service import Plans

CHECKS: dict[str, Callable[[Path, Store], None]] = {}
"""By name what is checked, with the folder and its store."""


def check(function: Callable[[Path, Store], None]) -> Callable[[Path, Store], None]:
    CHECKS[function.__name__] = function
    return function


def lacitta(*words: object) -> str:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def contents(store: Store) -> list[Any]:
    """Every byte of the logs of a store."""
    return [store.read_all(limit=10**6), store.notes.read_all(limit=10**6)]


def document(store: Store, name: str, key: str) -> bytes:
    """The bytes of a document."""
    return store.documents.get(name, key) or b""


@check
def shapes_have_changed(folder: Path, store: Store) -> None:
    """Or nothing here is worth anything."""
    build = Build(seat=1, building="farm", at="c7", card="action")
    assert encode_event(build).startswith(b'{"type":"build@2"')
    assert b'"paid_with":"action"' in encode_event(build)
    assert '"weather": "fine"' in lacitta("replay", logs_in(CORPUS)[0], "--format", "json")


@check
def recorded_games_hold_and_stay(folder: Path, store: Store) -> None:
    attempts, signed = load_attempts(), amendments_in(CORPUS)
    for name, file in load_games():
        prove(file.events, signed.get(name))
        check_attempts(file.events, [each for each in attempts if each.game == name])
        data = (CORPUS / f"{name}.jsonl").read_bytes()
        assert write_game(file.header.game, file.encoded, file.header.head) == data
    assert any(isinstance(attempt.event, Build) for attempt in attempts)


@check
def verify_finds_no_difference(folder: Path, store: Store) -> None:
    lacitta("verify", CORPUS, "--jobs", 1)


@check
def check_says_what_it_said(folder: Path, store: Store) -> None:
    assert lacitta("check", "--db", folder / "games.db") == (folder / "check.txt").read_text()


@check
def exports_are_the_same(folder: Path, store: Store) -> None:
    for path in logs_in(folder / "exports"):
        assert export_game(store, path.stem) == path.read_bytes()
    assert lacitta("export", path.stem, "--db", folder / "games.db").encode() == path.read_bytes()
    assert lacitta("export", path, "--as", "log").encode() == path.read_bytes()


@check
def imports_have_the_same_heads(folder: Path, store: Store) -> None:
    with open_store(folder / "imported.db") as target:
        for path in logs_in(folder / "exports"):
            game = import_file(target, path)
            assert target.head(game).head == store.head(game).head  # type: ignore[union-attr]
            mine, its = ([each.event for each in log.read(game)] for log in (target, store))
            assert mine == its
        check_store(target)


@check
def backups_are_the_same(folder: Path, store: Store) -> None:
    store.backup(folder / "again.db")
    for name in ("again.db", "backup.db"):
        with open_store(folder / name) as copy, open_store(folder / f"from-{name}") as target:
            restore(copy, target)
            assert contents(copy) == contents(target) == contents(store)
            assert Plans(target).get("person-anna", "sampled", 1).plans


@check
def recordings_are_the_same(folder: Path, store: Store) -> None:
    path = record(store, "sampled-whole", folder / "recorded-again")
    assert path.read_bytes() == (folder / "recorded" / path.name).read_bytes()


@check
def notebooks_are_read_and_go_on(folder: Path, store: Store) -> None:
    before = store.notes.read("game/sampled")
    book = Notebooks(store, lambda: 1, "key").get("game/sampled")
    assert any(isinstance(event, Build) for event in book.lines["l1"].events)
    note = book.notes["n1"]
    assert note.seen_by == "all"
    assert note.then is not None
    by, at = Author(name="Anna", person="person-anna"), Place(number=3)
    new = Noted(by=by, note="new", at=at, content=Content(text="x"), seen_by="me", then=note.then)

    def make(book: Notebook) -> Noted:
        return new

    Notebooks(store, lambda: 1, "key").write("game/sampled", make)
    *stay, last = store.notes.read("game/sampled")
    assert stay == before
    assert last.event.startswith(b'{"type":"noted@2"')
    assert b"harbour" not in last.event
    assert Notebooks(store, lambda: 1, "key").get("game/sampled").notes["new"].then == note.then


@check
def studies_are_read_and_keep_their_games(folder: Path, store: Store) -> None:
    data = (folder / "study.json").read_bytes()
    study = read_study(data)
    games = {game: file.encoded for game, file in study.games.items()}
    again = write_study(study.study, study.book, games.__getitem__)
    assert json.loads(again)["games"] == json.loads(data)["games"]
    assert [each["type"] for each in json.loads(again)["written"]].count("noted@2") == 3
    assert read_study(again) == study
    with open_store(folder / "study.db") as target:
        import_file(target, folder / "study.json")
        head = json.loads(data)["games"][0]["head"]
        assert target.head("sampled").head == head  # type: ignore[union-attr]
    exported = lacitta("export", "water", "--as", "study", "--db", folder / "study.db")
    assert json.loads(exported)["games"] == json.loads(data)["games"]
    # One who reads it with a tool that sets it prettily has the same study.
    assert read_study(msgspec.json.format(data, indent=2)) == study


@check
def texts_are_read_and_written_the_same(folder: Path, store: Store) -> None:
    for path in sorted(folder.glob("*.txt")):
        if path.name != "check.txt":
            parsed = parse_text(path.read_bytes())
            assert parsed.errors == [], (path, parsed.errors)
            assert parsed.game is not None
            assert any(isinstance(event, Build) for event in parsed.game.events)
            assert write_text(parsed.game) == path.read_text(encoding="utf-8")


@check
def a_text_from_the_middle_keeps_its_bytes(folder: Path, store: Store) -> None:
    """The past of it is a log, and stays one when the text is stored as a game."""
    game = parse_text((folder / "position.txt").read_bytes()).game
    assert game is not None
    past = [each.event for each in store.read("sampled")][: game.first]
    assert encode_events(game.events, game.older)[: game.first] == past


@check
def plans_are_read_and_go_on(folder: Path, store: Store) -> None:
    plans = Plans(store)
    kept = plans.get("person-anna", "sampled", 1)
    first = kept.plans[0].steps[0].action
    assert isinstance(first, Build)
    assert first.card == "action"
    assert kept.last_id == 3
    stored = document(store, "plans", "person-anna/sampled/1")
    assert stored == (folder / "plans.json").read_bytes().rstrip(b"\n")
    changed = plans.change("person-anna", "sampled", 1, lambda folder: folder.without("1"))
    assert plans.get("person-anna", "sampled", 1) == changed
    stored = document(store, "plans", "person-anna/sampled/1")
    assert stored.startswith(b'{"type":"plans@2"')


@check
def orders_are_read(folder: Path, store: Store) -> None:
    stored = document(store, "orders", "sampled/1")
    orders = order_upcasters.decode(stored)
    order = orders.standing["politics"].order
    assert isinstance(order, PoliticsOrder)
    assert isinstance(order.turns[0][0].action, Build)
    assert isinstance(orders.ended[0].ending.tried[0].action, Build)
    again = msgspec.json.encode(orders)
    assert again.startswith(b'{"type":"orders@2"')
    assert order_upcasters.decode(again) == orders


@check
def talk_is_read_and_goes_on(folder: Path, store: Store) -> None:
    chats = Chats(store, lambda: 5)
    (line,) = chats.get("sampled").lines.values()
    by = Author(name="Bob", person="person-bob")
    chats.write("sampled", Said(by=by, said="s2", seat=2, words=["No."], at=line.at))
    assert store.notes.read("chat/sampled")[-1].event.startswith(b'{"type":"said@2"')
    assert list(Chats(store, lambda: 5).get("sampled").lines) == ["s1", "s2"]


@check
def new_games_are_of_the_newest_shapes(folder: Path, store: Store) -> None:
    events = play_out(new_game(3, "tomorrow"), StewardBot("tomorrow")).events
    path = folder / "tomorrow.jsonl"
    path.write_bytes(write_game("tomorrow", events))
    assert load_game(path).events == events
    assert prove(events).over
    assert import_file(store, path) == "tomorrow"
    parsed = parse_text(write_text(annotated("tomorrow", events)))
    assert parsed.game is not None, parsed.errors
    assert parsed.game.events == events
    assert all(e.digest.startswith("2:") for e in events if isinstance(e, YearClosed))


def main_(folder: Path) -> None:
    wrong: dict[str, str] = {}
    with open_store(folder / "games.db") as store:
        for name, function in CHECKS.items():
            try:
                function(folder, store)
            except Exception:
                wrong[name] = traceback.format_exc()
            else:
                wrong[name] = ""
    print(json.dumps(wrong))


if __name__ == "__main__":
    main_(Path(sys.argv[1]))

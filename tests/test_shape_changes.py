"""A drill: tomorrow every shape changes once, and all that is stored today is read and stays.

The code is copied and changed as somebody would change it; `tests/tomorrow.py` runs in the copy.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from click.testing import CliRunner

from engine import digest, snapshot
from engine.bots import StewardBot
from engine.selfplay import new_game, play_out
from events import types, upcast
from events.codec import load_game
from events.store.stores import open_store
from events.upcast import NewerEvent
from replays import chat as talk
from replays.corpus.games import CORPUS, logs_in
from replays.corpus.record import record
from replays.files.import_ import import_file
from replays.files.stores import export_game
from replays.notation import annotated, write_text
from replays.notes import annotations as written_shapes
from tests import tomorrow
from web.cli.main import main
from web.orders import shapes
from web.plans import service as plans

ROOT = Path(tomorrow.__file__).parents[1]
SAMPLES = ROOT / "tests" / "replays" / "samples"
DOCUMENTS = ROOT / "tests" / "web" / "samples"

RENAMED = """
def _renamed(old: str, new: str) -> Step:
    return lambda fields: {new if name == old else name: fields[name] for name in fields}


"""
IMPORT = f"from {upcast.__name__} import _renamed"
CHANGES: dict[ModuleType, list[tuple[str, str]]] = {
    types: [
        (
            'Build(Action, frozen=True, tag="build")',
            'Build(Action, frozen=True, tag="build@2", rename={"card": "paid_with"})',
        ),
        ('max_length=64)]\n"""Room', 'max_length=66)]\n"""Room'),
    ],
    upcast: [
        (
            "\nSTEPS: Steps = {}",
            f'{RENAMED}\nSTEPS: Steps = {{"build": [_renamed("card", "paid_with")]}}',
        ),
    ],
    snapshot: [
        (
            "    resigned: bool\n    bot: str\n",
            '    resigned: bool\n    bot: str\n    mood: str = "calm"\n',
        ),
        (
            "    figures: dict[str, list[int]]\n",
            "    figures: dict[str, list[int]]\n    harbour: bool = False\n",
        ),
        (
            "    commitment: str\n    closed: int\n",
            '    commitment: str\n    closed: int\n    weather: str = "fine"\n',
        ),
    ],
    digest: [
        ("\n\nFORMS:", "\n\nclass Form2(Form1, frozen=True):\n    weather: str\n\n\nFORMS:"),
        ("{1: Form1}", "{1: Form1, 2: Form2}"),
    ],
    written_shapes: [
        ('frozen=True, tag="noted")', 'frozen=True, tag="noted@2", rename={"seen_by": "readers"})'),
        (
            "STEPS: Steps = {}",
            f'{IMPORT}\nSTEPS: Steps = {{"noted": [_renamed("seen_by", "readers")]}}',
        ),
    ],
    talk: [
        ('frozen=True, tag="said")', 'frozen=True, tag="said@2", rename={"at": "moment"})'),
        (
            "STEPS: Steps = {}",
            f'{IMPORT}\nSTEPS: Steps = {{"said": [_renamed("at", "moment")]}}',
        ),
    ],
    plans: [
        (
            "class Folder(msgspec.Struct, ",
            'class Folder(msgspec.Struct, tag="plans@2", rename={"last_id": "newest"}, ',
        ),
        ("Upcasters(Folder, ", 'Upcasters(Folder, {"plans": [_renamed("last_id", "newest")]}, '),
        (f"from {upcast.__name__} import ", f"{IMPORT}, "),
    ],
    shapes: [
        (
            "class SeatOrders(msgspec.Struct, ",
            'class SeatOrders(msgspec.Struct, tag="orders@2", rename={"standing": "now"}, ',
        ),
        (
            "Upcasters(SeatOrders, ",
            'Upcasters(SeatOrders, {"orders": [_renamed("standing", "now")]}, ',
        ),
        (f"from {upcast.__name__} import ", f"{IMPORT}, "),
    ],
}
"""By module what is written in it today, and what is written there tomorrow."""


def fill(folder: Path) -> None:
    """Everything that is stored and handed out today."""
    for name in ("study.json", "position.txt"):
        shutil.copy(SAMPLES / name, folder)
    for name in ("plans.json", "orders.json"):
        shutil.copy(DOCUMENTS / name, folder)
    with open_store(folder / "games.db") as store:
        for path in logs_in(CORPUS):
            import_file(store, path)
        import_file(store, folder / "study.json")
        whole = play_out(new_game(3, "samples"), StewardBot("samples")).events
        store.append("sampled-whole", 0, whole)
        (folder / "whole.txt").write_text(write_text(annotated("sampled-whole", whole)))
        # The lines and notes of the study as those of its game, where they belong to no chapter.
        written = json.loads((folder / "study.json").read_bytes())["written"]
        beside = [each for each in written if each.pop("chapter", "") and "game" not in each]
        store.notes.append("game/sampled", 0, [msgspec.json.encode(each) for each in beside])
        said = (SAMPLES / "talk" / "said.json").read_bytes().rstrip()
        store.notes.append("chat/sampled", 0, [said])
        for name, key in (("plans", "person-anna/sampled/1"), ("orders", "sampled/1")):
            body = (folder / f"{name}.json").read_bytes().rstrip()
            store.documents.save(name, 0, {key: body})
        store.backup(folder / "backup.db")
        (folder / "exports").mkdir()
        for info in store.games():
            (folder / "exports" / f"{info.game}.jsonl").write_bytes(export_game(store, info.game))
        record(store, "sampled-whole", folder / "recorded")
    checked = CliRunner().invoke(main, ["check", "--db", str(folder / "games.db")])
    assert checked.exit_code == 0
    (folder / "check.txt").write_text(checked.output)


def copy_code(target: Path) -> None:
    """The code of tomorrow."""
    packages = {Path(module.__file__ or "").relative_to(ROOT).parts[0] for module in CHANGES}
    for package in {*packages, "projections"}:
        ignored = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(ROOT / package, target / package, ignore=ignored)
    for module, changes in CHANGES.items():
        path = target / Path(module.__file__ or "").relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert text.count(old) == 1, (path.name, old)
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    shutil.copy(tomorrow.__file__, target / "tomorrow.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored")
    fill(folder)
    return folder


@pytest.fixture(scope="module")
def wrong(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By check what goes wrong tomorrow."""
    code = tmp_path_factory.mktemp("code")
    copy_code(code)
    words = [sys.executable, "tomorrow.py", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(code)}
    done = subprocess.run(words, cwd=code, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", tomorrow.CHECKS)
def test_what_is_stored_today_lasts(name: str, wrong: dict[str, str]) -> None:
    assert not wrong[name], wrong[name]


def test_what_is_stored_tomorrow_is_refused_today(folder: Path, wrong: dict[str, str]) -> None:
    """Not as rubbish, but as what it is."""
    with pytest.raises(NewerEvent, match="build@2 is newer than version 1, the newest known here"):
        load_game(folder / "tomorrow.jsonl")

"""A project with recorded games whose stored chronicles were told by other rules than today's."""

from __future__ import annotations

from pathlib import Path

import msgspec

from events.codec import load_game, write_game
from events.types import AnyEvent, YearClosed
from replays.corpus.chronicle import chronicle
from replays.corpus.games import CORPUS

GAMES = ("two-beginners", "three-beginners", "german", "polling")
SETTINGS = """\
[tool.pytest.ini_options]
lacitta_corpus = "games"
lacitta_chronicles = "told"

[tool.lacitta]
renew = ["-c \\"open('renewed', 'w')\\""]
"""


def make_project(folder: Path) -> Path:
    """Games as they are recorded, with chronicles as with a smaller bonus for all services."""
    for name in ("games", "told"):
        (folder / name).mkdir()
    (folder / "pyproject.toml").write_text(SETTINGS)
    for game in GAMES:
        data = (CORPUS / f"{game}.jsonl").read_bytes()
        (folder / "games" / f"{game}.jsonl").write_bytes(data)
        events = load_game(CORPUS / f"{game}.jsonl").events
        rules = msgspec.structs.replace(events[0].ruleset, service_bonus=1)
        text = chronicle(events, rules)
        (folder / "told" / f"{game}.txt").write_text(text, encoding="utf-8")
    return folder


def forge_digest(log: Path) -> bytes:
    """A log as code with a mistake would have recorded it: its last digest is another."""
    events = load_game(log).events
    place = max(n for n, event in enumerate(events) if isinstance(event, YearClosed))
    events[place] = msgspec.structs.replace(events[place], digest="f" * 64)
    data = write_game(log.stem, list[AnyEvent](events))
    log.write_bytes(data)
    return data

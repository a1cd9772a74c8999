"""A stored game with every event type of every released version folds as it did when recorded.

A new version of a type adds a game here; the games that are here never change.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from engine.snapshot import has_digest
from engine.walk import checked_fold
from events.codec import load_game
from events.types import AnyEvent

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.jsonl"))
DIGESTS = (Path(__file__).parent / "samples" / "digests.txt").read_text(encoding="utf-8").split()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_stored_game_folds_as_it_did(path: Path) -> None:
    game = load_game(path)
    kept = dict(zip(DIGESTS[::2], DIGESTS[1::2], strict=True))
    assert has_digest(checked_fold(game.events), kept[path.name])


def test_every_event_type_is_in_a_stored_game() -> None:
    seen = {type(event) for path in SAMPLES for event in load_game(path).events}
    assert seen == set(get_args(AnyEvent))

"""What a letter or a push says depends on what its receiver may know, and on nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from engine.chance.resample import resample
from engine.fold import fold
from tests.web.access.test_leaks import Twins, moments, twins_in
from web.notices.boxes import Letter, Notice, Turn
from web.notices.letters import Writer
from web.words.catalogues import LANGUAGES


def a_letter(subject: str) -> Letter:
    return Letter(
        id="0@example.org",
        time=0,
        turns=[],
        notices=[],
        subject=subject,
        text="Hello",
        html="<p>Hello</p>",
        ways=["mail"],
        left=["mail"],
        until=0,
    )


def written(
    twins: Twins, game: str, seat: int, language: str
) -> list[tuple[Letter, tuple[str, str]]]:
    """The letter about a game that each of the twins writes to a seat, and the push."""
    letters = []
    for world in twins.worlds:
        account = world.services.people.get(twins.people[seat - 1].id)
        assert account is not None
        account = msgspec.structs.replace(account, language=language)
        writer = Writer(world.services.games, "https://play.example.org")
        turns = [Turn(game, seat, 1, 0)]
        notices = [Notice("begins", game, 0), Notice("ends", game, 0)]
        letter = writer.write(account, {game: [seat]}, turns, notices, "https://x/u", 0)
        push = writer.summary(account, game, [seat], turns, notices, 0)
        # It says nothing that is not in the letter, too.
        assert push[0] in letter.text
        assert all(sentence in push[1] for sentence in letter.text.splitlines()[4:6])
        letters.append((letter, push))
    return letters


@pytest.mark.parametrize("seed", range(4))
def test_no_letter_depends_on_hidden_cards(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    with twins_in(tmp_path) as twins:
        compared = 0
        for real, s in moments(seed):
            for seat in range(1, len(s.seats) + 1):
                other = resample(real, s, rng, seat)
                assert fold(other).awaiting == s.awaiting
                game = twins.seat(real, other)
                for language in LANGUAGES:
                    one, two = written(twins, game, seat, language)
                    assert one == two
                    compared += 1
        assert compared

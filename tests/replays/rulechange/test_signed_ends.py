"""Games that the rules of now do not follow to their end: where that was signed for, they end
there, and as far as they go they are compared as any other."""

from __future__ import annotations

from typing import get_args

import msgspec

from engine.bots import StewardBot
from engine.material import library
from engine.selfplay import new_game, play_out
from events.types import AnyEvent
from replays.amendments import Amendment, amend
from replays.files.rulesets import load_ruleset
from replays.rulechange.divergence import compare, recheck
from replays.rulechange.refold import WhenIllegal


def ended_by(seed: int) -> list[AnyEvent]:
    """A log as other code has recorded it: this one cannot follow it to its end."""
    game = new_game(2, seed, load_ruleset("growth=2"), board=library.board_ref(library.FAIR_BOARD))
    grown = play_out(game, StewardBot(str(seed))).events
    opening = msgspec.structs.replace(grown[0], ruleset=library.ruleset())  # type: ignore[type-var]
    return [opening, *grown[1:]]


def test_a_game_that_was_signed_to_end_is_the_same_as_far_as_it_goes() -> None:
    ends_by = set()
    for seed in range(8):
        events = ended_by(seed)
        assert recheck("g", events).kind != "same"
        signed = amend(events, "growth", "Anna", "2026-11-19", "A mistake.")
        assert signed is not None
        assert signed.ends
        ends_by.add(signed.reason)
        found = recheck("g", events, amendment=signed)
        assert (found.kind, found.events) == ("same", signed.ends - 1)
        for when in get_args(WhenIllegal):
            other = compare("g", events, library.ruleset("flush"), None, when, amendment=signed)
            assert other.events == signed.ends - 1
        # Signed for another reason, or elsewhere: that is no answer.
        for wrong in ({"reason": "not-awaited-so"}, {"ends": signed.ends - 1}):
            assert (
                recheck("g", events, amendment=msgspec.structs.replace(signed, **wrong)).kind
                != "same"
            ), wrong
    assert "no-year-to-close" in ends_by
    assert len(ends_by) > 1


def test_where_the_rules_go_on_again_the_whole_game_is_followed() -> None:
    events = play_out(new_game(2, 3), StewardBot("3")).events
    signed = Amendment("growth", "Anna", "2026-11-19", "A mistake.", ends=40, reason="no-room")
    found = recheck("g", events, amendment=signed)
    assert (found.kind, found.events, found.after.over) == ("same", len(events), True)

"""Seats that somebody leaves: for good, or to a bot. The game goes on."""

from __future__ import annotations

from engine import effects
from engine.effects import EffectSink
from engine.rules.demolition import settle
from engine.rules.people import go_on_relocating
from engine.rules.relocation import default_plan, find_movers, relocate, voices
from engine.rules.scoring import end_game
from engine.rules.setup import next_castle
from engine.rules.year import end_year_if_settled, proceed
from engine.state import State
from events.types import HandOver, Resign


def resign(s: State, e: Resign, sink: EffectSink) -> None:
    """A seat stops playing. Its cities stay and follow the rules; the last one left wins."""
    s.players[e.seat].resigned = True
    if sink is not None:
        sink.append(effects.SeatResigned(seat=e.seat))
    if sum(not player.resigned for player in s.players.values()) == 1:
        end_game(s, sink)
        return
    owed = s.awaiting.pop(e.seat, None)
    if owed == "castle":
        next_castle(s, sink)
    elif owed in ("bury", "politics"):
        s.phase = "politics"
        proceed(s, sink)
    elif owed == "relocate":
        spoken = voices(s)
        relocate(s, default_plan(find_movers(s, e.seat, spoken), spoken), sink)
        go_on_relocating(s, sink)
    elif owed in ("demolish", "starve"):
        settle(s, e.seat, sink)
        end_year_if_settled(s, sink)


def hand_over(s: State, e: HandOver, sink: EffectSink) -> None:
    """A bot plays the seat from now on, or with an empty name the person does again."""
    s.players[e.seat].bot = e.bot
    if sink is not None:
        sink.append(effects.SeatHandedOver(seat=e.seat, bot=e.bot))

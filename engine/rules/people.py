"""What players decide about their people: relocation (R35), demolition (R38), hunger (R39)."""

from __future__ import annotations

from engine.effects import EffectSink
from engine.material.numbers import SERVICE_INDEX
from engine.rules.demolition import demolish_one, settle, starve
from engine.rules.relocation import next_relocation, relocate
from engine.rules.year import begin_people_phase
from engine.state import State
from events.types import Demolish, Relocate, Starve


def go_on_relocating(s: State, sink: EffectSink) -> None:
    """R35: on to the next player; after the last one, to R38."""
    next_relocation(s, sink)
    if not s.awaiting:
        begin_people_phase(s, sink)


def relocate_cities(s: State, e: Relocate, sink: EffectSink) -> None:
    """R35: the cities in the order given, each with its service."""
    relocate(
        s,
        [
            (s.city_on[s.board.hex_at[mover.city]], SERVICE_INDEX[mover.service])
            for mover in e.cities
        ],
        sink,
    )


def demolish_buildings(s: State, e: Demolish, sink: EffectSink) -> None:
    """R38: the buildings fall in the order given."""
    for label in e.buildings:
        hex_ = s.board.hex_at[label]
        demolish_one(s, s.cities[s.city_on[hex_]], hex_, sink)
    del s.awaiting[e.seat]
    settle(s, e.seat, sink)


def starve_people(s: State, e: Starve, sink: EffectSink) -> None:
    """R39: so many citizens from each city named."""
    for loss in e.losses:
        starve(s, s.cities[s.city_on[s.board.hex_at[loss.city]]], loss.citizens, sink)
    del s.awaiting[e.seat]
    s.players[e.seat].care = "starved"
    settle(s, e.seat, sink)

"""The words of each action: how it is written, and how its words are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from engine.material.numbers import KINDS, SERVICES
from events import types
from events.material import Building
from events.messages.sentence import Sentence
from events.types import AnyEvent, BuildCard, By
from events.upcast import type_of
from replays.notation.quoting import quoted, word
from replays.notation.tokens import Tokens

Fields = dict[str, Any]
BUILDINGS: tuple[str, ...] = get_args(Building)
CARDS: tuple[str, ...] = get_args(BuildCard)
MARKS = {f"by-{by}": by for by in get_args(By) if by}
SMALL = frozenset(kind.name for kind in KINDS if kind.size == "small")


def own_card(building: str) -> str:
    """What builds it when nothing else is said."""
    return "action" if building in SMALL else building


def action_words(event: AnyEvent) -> str:
    """An action as it is written.

    >>> action_words(types.FoundCity(seat=1, at="c7", source="b5"))
    '1 found c7 from b5'
    """
    verb = type_of(event)
    rest = WRITE.get(type(event), lambda e: "")(event)
    if isinstance(event, types.Bury):
        verb = "bury" if event.bury else "keep"
    mark = f"by-{event.by} " if event.by else ""  # type: ignore[union-attr]
    return f"{event.seat} {mark}{verb} {rest}".rstrip(" ")  # type: ignore[union-attr]


def read_action(tokens: Tokens) -> Fields:
    """The fields of an action from its words, the seat first."""
    seat = _seat(tokens)
    mark = {"by": MARKS[tokens.take().value]} if tokens.is_word(*MARKS) else {}
    if tokens.now.kind != "word":
        tokens.wrong(
            Sentence(
                "expected what seat {seat} does, not {found}", seat=seat, found=tokens.now.shown
            )
        )
    verb = tokens.now.value.lower()
    verb = ALIASES.get(verb, verb)
    if verb not in READ:
        tokens.wrong(Sentence("there is no action {found}", found=tokens.now.shown))
    tokens.take()
    fields = READ[verb](tokens)
    return {"type": "bury" if verb == "keep" else verb, "seat": seat, **mark, **fields}


def is_seat(value: str) -> bool:
    digits = value.rstrip(".")
    return digits.isascii() and digits.isdigit() and len(digits) < 4


def _seat(tokens: Tokens) -> int:
    seat = int(tokens.now.value.rstrip("."))
    if not 1 <= seat <= 5:
        tokens.wrong(Sentence("there is no seat {seat}; seats are 1 to 5", seat=seat))
    tokens.take()
    return seat


def label(tokens: Tokens) -> str:
    return tokens.name(Sentence("a hex"))


def _place(e: Any) -> str:
    return f" place {e.place}" if e.place else ""


def _read_place(tokens: Tokens) -> Fields:
    return {"place": tokens.number(Sentence("a place"))} if tokens.took("place") else {}


def _build(e: types.Build) -> str:
    by = "" if e.card == own_card(e.building) else f" by {e.card}"
    return f"{e.building} {word(e.at)}{by}{_place(e)}"


def _games(e: types.HoldGames) -> str:
    services = " and ".join((e.service, *e.others))
    return f"{e.figures} {word(e.at)}:{services}{_place(e)}"


def _read_build(tokens: Tokens) -> Fields:
    building = tokens.one_of(BUILDINGS, Sentence("a building"))
    tokens.took("at", "on")
    fields = {"building": building, "at": label(tokens), "card": own_card(building)}
    if tokens.took("by", "with"):
        fields["card"] = tokens.one_of(CARDS, Sentence("a card that builds"))
    elif tokens.is_sign("(") and tokens.then.value.lower() in CARDS:
        tokens.take()
        fields["card"] = tokens.take().value.lower()
        tokens.sign(")")
    return fields | _read_place(tokens)


def _read_found(tokens: Tokens) -> Fields:
    at = label(tokens)
    if not tokens.took("from"):
        tokens.wrong(Sentence("expected from and a castle, not {found}", found=tokens.now.shown))
    return {"at": at, "source": label(tokens)}


def _read_games(tokens: Tokens) -> Fields:
    figures = tokens.number(Sentence("how many figures"))
    tokens.took("at", "on")
    fields = {"figures": figures, "at": label(tokens)}
    if tokens.is_sign(":"):
        tokens.take()
    fields["service"] = tokens.one_of(SERVICES, Sentence("a service"))
    others = []
    while tokens.took("and"):
        others.append(tokens.one_of(SERVICES, Sentence("a service")))
    return {**fields, **({"others": others} if others else {}), **_read_place(tokens)}


def _read_golden_times(tokens: Tokens) -> Fields:
    citizens = tokens.number(Sentence("how many citizens"))
    tokens.took("at", "in")
    return {"citizens": citizens, "city": label(tokens), **_read_place(tokens)}


def _read_poll(tokens: Tokens) -> Fields:
    look = [tokens.number(Sentence("a voice card"))]
    while tokens.now.kind == "word" and tokens.now.value.isdigit():
        look.append(tokens.number(Sentence("a voice card")))
    return {"look": look, **_read_place(tokens)}


def _pairs(tokens: Tokens, read: Callable[[], Fields]) -> list[Fields]:
    found = [read()]
    while tokens.now.kind in ("word", "string"):
        found.append(read())
    return found


def _read_relocate(tokens: Tokens) -> Fields:
    def mover() -> Fields:
        city = label(tokens)
        tokens.sign(":")
        return {"city": city, "service": tokens.one_of(SERVICES, Sentence("a service"))}

    return {"cities": _pairs(tokens, mover)}


def _read_starve(tokens: Tokens) -> Fields:
    def loss() -> Fields:
        city = label(tokens)
        tokens.sign(":")
        return {"city": city, "citizens": tokens.number(Sentence("how many citizens"))}

    return {"losses": _pairs(tokens, loss)}


def _read_demolish(tokens: Tokens) -> Fields:
    fallen = [label(tokens)]
    while tokens.now.kind in ("word", "string"):
        fallen.append(label(tokens))
    return {"buildings": fallen}


def _read_hand_over(tokens: Tokens) -> Fields:
    tokens.took("to")
    named = tokens.now.kind in ("word", "string")
    return {"bot": tokens.name(Sentence("a bot")) if named else ""}


WRITE: dict[type, Callable[[Any], str]] = {
    types.PlaceCastle: lambda e: word(e.at),
    types.FoundCity: lambda e: f"{word(e.at)} from {word(e.source)}",
    types.Build: _build,
    types.HoldGames: _games,
    types.CallGoldenTimes: lambda e: f"{e.citizens} {word(e.city)}{_place(e)}",
    types.ReapHarvest: lambda e: f"{word(e.at)}{_place(e)}",
    types.Poll: lambda e: " ".join(map(str, e.look)) + _place(e),
    types.Relocate: lambda e: " ".join(f"{word(m.city)}:{m.service}" for m in e.cities),
    types.Demolish: lambda e: " ".join(map(word, e.buildings)),
    types.Starve: lambda e: " ".join(f"{word(loss.city)}:{loss.citizens}" for loss in e.losses),
    types.HandOver: lambda e: quoted(e.bot) if e.bot else "",
}
"""What follows an action's name. The others have nothing to add."""


def _nothing(tokens: Tokens) -> Fields:
    return {}


READ: dict[str, Callable[[Tokens], Fields]] = {
    "castle": lambda tokens: {"at": label(tokens)},
    "bury": lambda tokens: {"bury": True},
    "keep": lambda tokens: {"bury": False},
    "gold": _nothing,
    "found": _read_found,
    "build": _read_build,
    "bread-and-games": _read_games,
    "golden-times": _read_golden_times,
    "rich-harvest": lambda tokens: {"at": label(tokens), **_read_place(tokens)},
    "poll": _read_poll,
    "pass": _nothing,
    "relocate": _read_relocate,
    "demolish": _read_demolish,
    "starve": _read_starve,
    "resign": _nothing,
    "hand-over": _read_hand_over,
    "take-back": _nothing,
    "take-back-granted": _nothing,
    "take-back-refused": _nothing,
}
ALIASES = {
    "games": "bread-and-games",
    "golden": "golden-times",
    "harvest": "rich-harvest",
    "polling": "poll",
    "grant": "take-back-granted",
    "refuse": "take-back-refused",
}
"""What people also type."""

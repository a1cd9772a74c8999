"""The built-in boards, boxes and rulesets, and the checks for those that people bring (R2, R6)."""

from __future__ import annotations

import copyreg
import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache, partial
from importlib import resources
from typing import TypeVar

import msgspec
from msgspec import UNSET

from engine.errors import BadMaterial
from engine.material.board import Board, encode_material
from engine.material.choices import Format, read_fields, with_choices
from engine.material.faults import Fault
from engine.material.numbers import (
    ACTION_CARDS,
    CASTLES,
    FIGURES,
    POLITICS,
    POOLS,
    SERVICES,
    numbers_of,
)
from events import material
from events.material import BoardRef, Box, BoxRef, Ruleset
from events.messages.complaints import complaint_of
from events.messages.sentence import Sentence, about

FIRST_BOARD = "toscana"
"""Whose seats were never measured. Games that began on it keep it, and whatever names no board
was made when there was no other."""
FAIR_BOARD = "toscana-fair"
"""Whose seats are even to stewards; to princes the two of two players are not."""
DEFAULT_BOARD = "toscana-fair-v2"
DEFAULT_BOX = "reconstruction"
DEFAULT_RULESET = "standard"
BOARDS = (DEFAULT_BOARD, FAIR_BOARD, FIRST_BOARD)
BOXES = (DEFAULT_BOX,)
EDITIONS = ("standard", "en", "de", "nl", "fr", "fi")
HOUSE_RULES = (
    *("ageing-display", "flush", "harsh-people", "straight-distance", "no-limits"),
    "short-evening",
)
RULESETS = EDITIONS + HOUSE_RULES

COMPONENTS = {
    "tokens farm/quarry": 40,
    "tokens palace/hospital": 20,
    "tokens statue/cathedral": 15,
    "tokens school/university": 15,
    "tokens fountain/bath": 15,
    "tokens market": 16,
    "farmland tiles": 14,
    "mountain tiles": 3,
    "lake tiles": 5,
    "politics cards": 32,
    "voice cards culture": 9,
    "voice cards education": 9,
    "voice cards health": 9,
    "citizens": 130,
    "castles per player": CASTLES,
    "figures per player": FIGURES,
    "action cards per player": ACTION_CARDS,
}
"""R2: the counts that the rulebooks print. A box may share them out otherwise, not change them."""

VOICE_CARDS = sum(COMPONENTS[f"voice cards {service}"] for service in SERVICES)

T = TypeVar("T", bound=material.Data)


def digest(data: material.Data) -> str:
    """What a game's opening remembers of its board and box."""
    return hashlib.sha256(encode_material(data)).hexdigest()


def read_material(text: bytes, shape: type[T], what: str) -> T:
    """A board, box or ruleset from its JSON, or BadMaterial with the field that is wrong."""
    try:
        return msgspec.json.decode(text, type=shape)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise BadMaterial(about(what, complaint_of(error))) from None


def check_box(box: Box) -> Box:
    """R2: compare every count with the table of components and name the first that differs."""
    for fault in box_faults(box):
        raise BadMaterial(fault)
    return box


def box_faults(box: Box) -> Iterator[Fault]:
    """R2: every count of a box that is not as the rulebooks print it."""
    found = {f"tokens {pool}": box.tokens.get(pool, 0) for pool in POOLS}
    found["farmland tiles"] = sum(n for t, n in box.tiles.items() if t.startswith("farmland"))
    found["mountain tiles"] = box.tiles.get("mountain", 0)
    found["lake tiles"] = box.tiles.get("lake", 0)
    found["politics cards"] = sum(box.politics.values())
    found |= {f"voice cards {service}": box.voice.get(service, 0) for service in SERVICES}
    found["citizens"] = box.citizens
    found["castles per player"] = box.castles_per_player
    found["figures per player"] = box.figures_per_player
    found["action cards per player"] = box.action_cards_per_player
    for unknown in sorted(set(box.tokens) - set(POOLS)):
        yield Fault(
            "box {box}: no such tokens: {tokens}", "no-such-tokens", box=box.name, tokens=unknown
        )
    for what, count in COMPONENTS.items():
        if found[what] != count:
            yield Fault(
                "box {box}: {found} {what}, not {count}",
                "count",
                box=box.name,
                found=found[what],
                what=what,
                count=count,
            )


@lru_cache(maxsize=256)
def check_ruleset(ruleset: Ruleset) -> Ruleset:
    """Refuse choices that contradict each other, or with which no game can be played."""
    numbers, contradiction = numbers_of(ruleset), partial(_contradiction, ruleset.name)
    if ruleset.flush and ruleset.display == "ageing":
        raise BadMaterial(
            Sentence(
                "ruleset {ruleset}: flush contradicts display=ageing,"
                " for no card would ever grow old",
                ruleset=ruleset.name,
            )
        )
    limit, wider = ruleset.limit_without_market, ruleset.limit_with_market
    if not ruleset.limits and (limit is not UNSET or wider is not UNSET):
        raise contradiction(
            Sentence("limits=false contradicts a limit_without_market or limit_with_market")
        )
    if numbers.limit_with_market < numbers.limit_without_market:
        raise contradiction(Sentence("limit_with_market is below limit_without_market"))
    if numbers.start_citizens > numbers.limit_without_market:
        raise contradiction(
            Sentence("start_citizens are more than limit_without_market has room for")
        )
    if numbers.new_city_citizens + 1 > numbers.limit_without_market:
        raise contradiction(
            Sentence("new_city_citizens and who founds are more than limit_without_market")
        )
    if numbers.years * numbers.voice_cards > VOICE_CARDS:
        raise contradiction(
            Sentence("years times voice_cards are more than the voice cards of the box")
        )
    for prices in (numbers.figure_prices, numbers.citizen_prices):
        if list(prices) != sorted(prices):
            raise contradiction(
                Sentence("figure_prices and citizen_prices may not fall: more never costs less")
            )
    return ruleset


def _contradiction(name: str, reason: Sentence) -> BadMaterial:
    return BadMaterial(Sentence("ruleset {ruleset}: {reason}", ruleset=name, reason=reason))


def check_cards(ruleset: Ruleset, box_: Box) -> None:
    """R7: the cards that are in play fill the display."""
    numbers = numbers_of(ruleset)
    if len(numbers.in_play(politics_cards(box_))) < numbers.display_places:
        raise _contradiction(
            ruleset.name,
            Sentence("display_places are more than the politics cards that are in play"),
        )


def read_box(text: bytes) -> Box:
    return check_box(read_material(text, Box, "box"))


def read_ruleset(text: bytes, format_: Format = "json") -> Ruleset:
    """A ruleset from a file that names only its differences to `base`, or else to `standard`.

    >>> read_ruleset(b'{"name": "mine", "base": "de", "flush": true}').pass_when
    'nothing-to-build'
    """
    fields = read_fields(text, format_)
    base = fields.pop("base", None)
    if base is not None and base not in RULESETS:
        raise BadMaterial(
            Sentence("ruleset: base must be one of {rulesets}", rulesets=", ".join(RULESETS))
        )
    usual = Ruleset(name=DEFAULT_RULESET) if base is None else ruleset(base)
    found = check_ruleset(with_choices(usual, fields))
    check_cards(found, box())
    return found


def _built_in(folder: str, name: str) -> bytes:
    return resources.files("engine").joinpath("data", folder, f"{name}.json").read_bytes()


@cache
def ruleset(name: str = DEFAULT_RULESET) -> Ruleset:
    """A preset by name.

    >>> ruleset("de").pass_when
    'nothing-to-build'
    """
    if name not in RULESETS:
        raise BadMaterial(
            Sentence(
                "no ruleset named {name}; there are {rulesets}",
                name=name,
                rulesets=", ".join(RULESETS),
            )
        )
    return read_ruleset(_built_in("rulesets", name))


@cache
def box(name: str = DEFAULT_BOX) -> Box:
    """A built-in box by name."""
    if name not in BOXES:
        raise BadMaterial(
            Sentence("no box named {name}; there are {boxes}", name=name, boxes=", ".join(BOXES))
        )
    return read_box(_built_in("boxes", name))


@cache
def board(name: str = DEFAULT_BOARD) -> Board:
    """A built-in board by name, its geometry computed."""
    if name not in BOARDS:
        raise BadMaterial(
            Sentence(
                "no board named {name}; there are {boards}", name=name, boards=", ".join(BOARDS)
            )
        )
    return Board(read_material(_built_in("boards", name), material.BoardData, "board"))


@cache
def board_ref(name: str = DEFAULT_BOARD) -> BoardRef:
    """How a game's opening names a built-in board."""
    return BoardRef(name=name, digest=digest(board(name).data))


@cache
def box_ref(name: str = DEFAULT_BOX) -> BoxRef:
    """How a game's opening names a built-in box."""
    return BoxRef(name=name, digest=digest(box(name)))


def ref_of_board(data: material.BoardData) -> BoardRef:
    """How a game's opening names a board, or carries it where it is not built in."""
    found = next((name for name in BOARDS if board(name).data == data), None)
    return custom_board_ref(data) if found is None else board_ref(found)


def custom_board_ref(data: material.BoardData) -> BoardRef:
    """How a game's opening carries a board that is not built in."""
    return BoardRef(name=data.name, digest=digest(data), content=data)


def custom_box_ref(data: Box) -> BoxRef:
    """How a game's opening carries a box that is not built in."""
    return BoxRef(name=data.name, digest=digest(data), content=data)


@lru_cache(maxsize=16)
def _custom_board(digest_: str, text: bytes) -> Board:
    return Board(read_material(text, material.BoardData, "board"))


def resolve_board(ref: BoardRef) -> Board:
    """The board that an opening names or carries; refused when its digest says it is another."""
    if ref.content is not None:
        if digest(ref.content) != ref.digest:
            raise BadMaterial(
                Sentence("board {name}: its content does not match its digest", name=ref.name)
            )
        return _custom_board(ref.digest, encode_material(ref.content))
    if ref != board_ref(ref.name if ref.name in BOARDS else DEFAULT_BOARD):
        raise BadMaterial(
            Sentence(
                "board {name} is not the built-in one with that name and digest", name=ref.name
            )
        )
    return board(ref.name)


def resolve_box(ref: BoxRef) -> Box:
    """The box that an opening names or carries; refused when its digest says it is another."""
    if ref.content is not None:
        if digest(ref.content) != ref.digest:
            raise BadMaterial(
                Sentence("box {name}: its content does not match its digest", name=ref.name)
            )
        return check_box(ref.content)
    if ref != box_ref(ref.name if ref.name in BOXES else DEFAULT_BOX):
        raise BadMaterial(
            Sentence("box {name} is not the built-in one with that name and digest", name=ref.name)
        )
    return box(ref.name)


def _pickle_board(board_: Board) -> tuple[object, tuple[BoardRef]]:
    """A board is built once in each process: another one finds its own."""
    built_in = board_.name in BOARDS and board_ is board(board_.name)
    ref = board_ref(board_.name) if built_in else custom_board_ref(board_.data)
    return resolve_board, (ref,)


copyreg.pickle(Board, _pickle_board)  # type: ignore[arg-type]


def politics_cards(box_: Box) -> list[material.Politics]:
    """All politics cards of a box in the canonical order, from which every shuffle starts."""
    return [card for card in POLITICS for _ in range(box_.politics.get(card, 0))]


def voice_cards(box_: Box) -> list[material.Service]:
    """All voice cards of a box in the canonical order."""
    return [service for service in SERVICES for _ in range(box_.voice.get(service, 0))]


def tiles(box_: Box) -> list[material.Tile]:
    """All tiles of a box, sorted by name."""
    return [tile for tile in sorted(box_.tiles) for _ in range(box_.tiles[tile])]

"""House rules by dice: any choice at any value within its bounds, as far as they go together."""

from __future__ import annotations

import random
from typing import Any, get_args

from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import ALLOWED, BOUNDS, BY_BUILDING, PRICES, with_choices
from engine.material.numbers import POLITICS
from events.material import Building, Ruleset

BUILDINGS: tuple[str, ...] = get_args(Building)


def any_value(choice: str, dice: random.Random) -> Any:
    """Something that a choice may be."""
    if choice in ALLOWED:
        return dice.choice(ALLOWED[choice])
    if choice in BOUNDS:
        return dice.randint(*BOUNDS[choice])
    if choice in PRICES:
        return sorted(dice.randint(0, 9) for _ in range(3))
    if choice == "cards_out":
        return dice.sample(POLITICS, dice.randint(1, 9))
    assert choice in BY_BUILDING
    some = dice.sample(BUILDINGS, dice.randint(1, len(BUILDINGS)))
    if choice == "arches":
        return {name: [dice.randint(0, 3) for _ in range(3)] for name in some}
    return {name: dice.randint(0, 9) for name in some}


def random_rules(seed: int | str) -> Ruleset:
    """A ruleset of some choices: the next one that does not contradict itself."""
    dice = random.Random(f"rules/{seed}")
    choices = [*ALLOWED, *BOUNDS, *PRICES, *BY_BUILDING, "cards_out"]
    while True:
        some = dice.sample(choices, dice.randint(1, len(choices)))
        fields = {choice: any_value(choice, dice) for choice in some}
        try:
            rules = with_choices(Ruleset(name="standard"), {"name": f"dice-{seed}", **fields})
            library.check_ruleset(rules)
            library.check_cards(rules, library.box())
        except BadMaterial:
            continue
        return rules

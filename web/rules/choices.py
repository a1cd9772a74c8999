"""The choices of house rules as a file writes them."""

from __future__ import annotations

from engine.material.choices import ALLOWED, BOUNDS

EXAMPLES = {
    "card_cost": "{ palace = 2, farm = 1 }",
    "master_cost": "{ farm = 0 }",
    "arches": "{ hospital = [1, 0, 1] }",
    "figure_prices": "[0, 2, 5]",
    "citizen_prices": "[0, 2, 5]",
    "cards_out": '["polling"]',
}
"""How the choices of several numbers are written."""


def allowed(choice: str) -> str:
    """What a choice may be, as a file writes it."""
    if choice in ALLOWED:
        return ", ".join(str(value).lower() for value in ALLOWED[choice])
    if choice in BOUNDS:
        least, most = BOUNDS[choice]
        return f"{least}–{most}"
    return EXAMPLES[choice]

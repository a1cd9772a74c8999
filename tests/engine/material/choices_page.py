"""The table of all choices in engine/RULESETS.md, made from the code.

`python -m tests.engine.material.choices_page` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

import engine
from engine.material.choices import (
    ALLOWED,
    BOUNDS,
    BY_BUILDING,
    CHOICES,
    PRICES,
    RULES,
    value_text,
)
from engine.material.library import ruleset
from web.rules.rulesets import NUMBERS, USUAL

PAGE = Path(engine.__file__).parent / "RULESETS.md"
BEGIN, END = "<!-- choices: made from the code -->\n", "<!-- choices end -->\n"


def values(choice: str) -> str:
    if choice in ALLOWED:
        return ", ".join(f"`{str(value).lower()}`" for value in ALLOWED[choice])
    if choice in BOUNDS:
        least, most = BOUNDS[choice]
        return f"{least} to {most}"
    if choice in PRICES:
        return "three numbers, 0 to 9, none below the one before"
    if choice == "arches":
        return "by building three numbers, 0 to 3"
    if choice in BY_BUILDING:
        return "by building, 0 to 9"
    return "one to nine kinds of politics cards"


def usual(choice: str) -> str:
    if choice in BY_BUILDING:
        return "as printed"
    value = value_text(ruleset(), choice)
    return f"`{value}`" if choice in ALLOWED else value


def meaning(choice: str) -> str:
    if choice == "years":
        return "The years that a game lasts"
    if choice in NUMBERS:
        return NUMBERS[choice].removesuffix(": {value}.")
    return USUAL[choice].removesuffix(".")


def table() -> str:
    lines = [
        "| choice | may be | in the rulebooks | what it says there | rules |",
        "| --- | --- | --- | --- | --- |",
    ]
    for choice in CHOICES:
        cells = [f"`{choice}`", values(choice), usual(choice), meaning(choice)]
        lines.append(f"| {' | '.join([*cells, ', '.join(RULES[choice])])} |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """A page with the table of today in its place."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

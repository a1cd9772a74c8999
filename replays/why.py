"""Why a number on a replay is what it is."""

from __future__ import annotations

from projections.why import account as causes
from projections.why.account import Account
from projections.words.effects import ENGLISH, Translator
from replays.cursor import Cursor


def why(cursor: Cursor, number: int, what: str, translator: Translator = ENGLISH) -> Account:
    """The events and rules that made a number by a moment; `projections.why.account` names them.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> cursor = Cursor(play_out(new_game(players=2, seed=1), RandomBot(1)).events)
    >>> for entry in why(cursor, 6, "gold/1").entries:
    ...     print(entry.moment, entry.amount, entry.rule, entry.sentence)
    1 1 R7 Every player starts with so much gold.
    5 -1 R26 Seat 1 pays 1 gold. Seat 1 builds a hospital on a5 in the city b5.
    """
    story = list(zip(cursor.events, cursor.effects, strict=True))
    return causes.why(cursor.at(number), story, number, what, translator)

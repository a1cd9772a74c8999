"""A ledger: what made one number of the table, entry by entry, each with its rule and its words."""

from __future__ import annotations

from abc import ABC, abstractmethod

import msgspec

from engine.state import State
from projections.why.steps import LedgerStep
from projections.words.effects import Translator, tell_effect


class Entry(msgspec.Struct, frozen=True):
    """One cause of a number: when, by how much, by which rule, and in words."""

    moment: int
    year: int
    amount: int
    rule: str
    sentence: str


class Ledger(ABC):
    """Takes in effects and enters those that change its number, or keep it from changing.

    The entries add up to the number; nothing is read off a state but the game's material.
    """

    title = ""
    """What the number is called; nothing while there is no such number."""

    def __init__(self, s: State, translator: Translator) -> None:
        self.s, self.translator = s, translator
        self.names = [seat.name for seat in s.seats]
        self.entries: list[Entry] = []
        self._this_year: list[Entry] = []

    @abstractmethod
    def note(self, step: LedgerStep) -> None:
        """Take in one more effect."""

    def begin(self, amount: int, rule: str, sentence: str) -> None:
        """What is there before anything has happened."""
        self.entries.append(Entry(1, 0, amount, rule, sentence))

    def enter(
        self, step: LedgerStep, amount: int, rule: str, more: str = "", this_year: bool = False
    ) -> None:
        """Enter an effect in its own words, and in more where these do not say enough."""
        sentence = tell_effect(step.effect, self.names, self.translator)
        self.write(step, amount, rule, f"{sentence} {more}" if more else sentence, this_year)

    def write(
        self, step: LedgerStep, amount: int, rule: str, sentence: str, this_year: bool = False
    ) -> None:
        """Enter an effect in other words. What holds for this year only goes with it (R42)."""
        entry = Entry(step.moment, step.year, amount, rule, sentence)
        self.entries.append(entry)
        if this_year:
            self._this_year.append(entry)

    def begin_anew(self) -> None:
        self.entries.clear()
        self._this_year.clear()

    def end_year(self) -> None:
        """R42: what figures brought goes with them."""
        gone = {id(entry) for entry in self._this_year}
        if gone:
            self.entries[:] = [entry for entry in self.entries if id(entry) not in gone]
            self._this_year.clear()

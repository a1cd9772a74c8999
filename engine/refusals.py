"""Why an action is refused: a code with parameters, its rule, and the sentence to translate."""

from __future__ import annotations

import msgspec

from engine.errors import CannotFold
from events.messages.sentence import Sentence

REASONS: dict[str, tuple[str, str]] = {
    "not-started": ("R7", "The cards have not been dealt yet."),
    "already-started": ("R7", "The game has started already."),
    "wrong-deck": ("R2", "These are not the {what} of the box."),
    "wrong-tiles": ("R9", "Every field takes exactly one tile of the box."),
    "fixed-tiles": ("R8", "The beginner set-up brings its own tiles."),
    "wrong-commitment": ("R7", "The commitment does not belong to the secret."),
    "no-shuffle-due": ("R32", "No shuffle is due."),
    "shuffle-due": ("R32", "The politics cards have to be shuffled first."),
    "no-year-to-close": ("R42", "There is no year {year} to close now."),
    "digest-differs": ("R42", "The digest is not the one of the state at the end of year {year}."),
    "game-over": ("R43", "The game is over."),
    "no-such-seat": ("R7", "There is no seat {seat} at this table."),
    "not-awaited": ("R16", "Seat {seat} has nothing to decide now."),
    "owes-another": ("R16", "Seat {seat} has to decide about something else now: {owed}."),
    "no-such-hex": ("R6", "There is no lane hex {at} on this board."),
    "hex-closed": ("R5", "{at} is not open with {players} players."),
    "hex-taken": ("R21", "{at} is built on already."),
    "too-near": ("R10", "{at} does not keep three empty hexes to every other building."),
    "too-near-here": ("R10", "{at} does not keep {hexes} empty hexes to every other building."),
    "no-action-card": ("R16", "All action cards of this year are used."),
    "founded-already": ("R19", "Only one city can be founded in a year."),
    "no-castle-left": ("R19", "All castles are on the board."),
    "supply-empty": ("R15", "The supply has not enough citizens."),
    "not-your-castle": ("R19", "{at} is no castle of seat {seat}."),
    "no-spare-citizen": ("R22", "There is no spare citizen on the castle {city}."),
    "not-beside-city": ("R21", "{at} does not lie beside a city of seat {seat}."),
    "touches-another-city": ("R21", "{at} would touch another city."),
    "no-token-left": ("R1", "There is no token left for the {building}."),
    "market-already": ("R23", "The city {city} has a market already."),
    "no-room": ("R15", "The city {city} has no room for {citizens} more."),
    "needs-lake": ("R24", "{at} does not touch a lake."),
    "card-not-shown": ("R32", "No card {card} lies face up."),
    "place-not-needed": ("R32", "A place is named only where cards age and two are alike."),
    "place-wrong": ("R32", "The card at place {place} is no {card}."),
    "wrong-card": ("R26", "The card {card} does not build a {building}."),
    "not-enough-gold": ("R32", "That costs {cost} gold; there are {gold}."),
    "no-figure-left": ("R28", "Only {figures} figures are left."),
    "not-your-building": ("R28", "{at} is no building of seat {seat}."),
    "no-such-arch": ("R28", "The {building} on {at} has no arch of {service}."),
    "one-arch-only": ("R28", "All figures of one card stand on one arch."),
    "wrong-split": ("R28", "Arches are named in the order culture, education, health."),
    "not-your-farm": ("R30", "{at} is no farm of seat {seat}."),
    "harvested-already": ("R30", "The farm {at} has its rich harvest already this year."),
    "no-harvest-now": ("R30", "In the last year there is no rich harvest."),
    "wrong-look": ("R31", "Two of the {cards} cards that lie face down can be seen, or all."),
    "two-only": ("R31", "Two cards that lie face down can be seen, no more."),
    "looked-twice": ("R31", "A card can be looked at only once."),
    "may-not-pass": ("R32", "Passing is not allowed while {what}."),
    "wrong-cities": ("R35", "Relocation has to name each of these cities once: {cities}."),
    "not-the-voice": ("R33", "The people did not ask for {service}."),
    "not-removable": ("R38", "{at} cannot fall now: what remains must hang together."),
    "enclosed": ("R38", "{at} stays until something beside it has fallen."),
    "too-many-fall": ("R38", "The city {city} has to lose no more buildings."),
    "not-your-city": ("R39", "{city} is no city of seat {seat}."),
    "city-twice": ("R39", "The city {city} is named twice."),
    "too-many-leave": ("R39", "The city {city} has only {citizens} citizens."),
    "wrong-total": ("R39", "{hungry} citizens have no food; {named} are named."),
    "resigned": ("", "Seat {seat} has resigned."),
    "played-so-already": ("", "The seat is played that way already."),
    "nothing-to-take-back": ("", "There is no action to take back."),
    "not-your-action": ("", "The last action was not made by seat {seat}."),
    "shuffled-since": ("", "The cards have been shuffled since."),
    "asked-already": ("", "A take-back is asked for already."),
    "nothing-asked": ("", "Nobody waits for an answer of seat {seat}."),
}
"""Per code the rule behind it, none for what concerns the table and not the game, and an English
sentence with the parameters in braces."""


class Refusal(msgspec.Struct, frozen=True):
    """Why an action is not allowed. Languages make their own sentence from code and parameters.

    >>> Refusal("needs-lake", {"at": "c7"}).sentence
    'c7 does not touch a lake.'
    """

    code: str
    params: dict[str, str | int] = {}

    @property
    def rule(self) -> str:
        """The number of the rule, as in R24, if there is one."""
        return REASONS[self.code][0]

    @property
    def sentence(self) -> str:
        """The reason in English."""
        return REASONS[self.code][1].format(**self.params)

    @property
    def reference(self) -> str:
        """The code, and the rule if there is one."""
        return f"{self.code}, {self.rule}" if self.rule else self.code

    @property
    def cited(self) -> Sentence:
        """The reason with its code and its rule, as an error gives it."""
        sentence = Sentence(REASONS[self.code][1], **self.params)
        return Sentence("{sentence} ({reference})", sentence=sentence, reference=self.reference)


def refuse(code: str, **params: str | int) -> Refusal:
    return Refusal(code, params)


class NotAllowed(CannotFold):
    """An event that the rules refuse where it stands, and why."""

    def __init__(self, number: int, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(number, refusal.cited)

"""Two tables of one game side by side: what differs, in words.

The first table is how it was, the second how it is now; each line says both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.snapshot import CityRecord, PlayerPosition, Position
from projections.words.effects import ENGLISH, Names, Translator, listed, name_of
from projections.words.names import BUILDINGS, CARDS, OWED, marked

PHASES = {
    "opened": marked("opening"),
    "castles": marked("placing castles"),
    "bury": marked("burying a card"),
    "politics": marked("political rounds"),
    "relocation": marked("relocation"),
    "people": marked("demolition and feeding"),
    "over": marked("after the end"),
}
NUMBERS = {
    "gold": marked("{who}: {before} gold became {after}."),
    "action_cards": marked("{who}: {before} action cards became {after}."),
    "castles": marked("{who}: {before} castles in hand became {after}."),
    "figures": marked("{who}: {before} figures in hand became {after}."),
    "starved": marked("{who}: {before} starved citizens became {after}."),
    "lost_by_moving": marked("{who}: {before} citizens lost by moving became {after}."),
}
"""What of a player is a plain number."""
YES_OR_NO = {
    "penalty": (
        marked("{who} will lose a turn to last year's misery."),
        marked("{who} no longer loses a turn to last year's misery."),
    ),
    "founded": (
        marked("{who} has founded a city this year."),
        marked("{who} has founded no city this year."),
    ),
    "resigned": (marked("{who} has resigned."), marked("{who} has not resigned.")),
}


def difference(
    before: Position, after: Position, names: Names, translator: Translator = ENGLISH
) -> list[str]:
    """What differs between two tables, in sentences; nothing when they are the same.

    >>> from engine.selfplay import new_game
    >>> from engine.snapshot import position
    >>> game = new_game(players=2, seed=1)
    >>> one = position(game.state)
    >>> game.state.players[1].gold += 2
    >>> difference(one, position(game.state), ["Anna", "Bob"])
    ['Anna: 1 gold became 3.']
    """
    return list(_Telling(before, after, names, translator).all())


class _Telling:
    def __init__(
        self, before: Position, after: Position, names: Names, translator: Translator
    ) -> None:
        self.before, self.after, self.names, self.translator = before, after, names, translator

    def say(self, text: str, **params: object) -> str:
        return self.translator.gettext(text).format(**params)

    def name(self, seat: int) -> str:
        return name_of(seat, self.names)

    def all(self) -> Iterator[str]:
        yield from self.course()
        for one, other in zip(self.before.players, self.after.players, strict=True):
            yield from self.player(one, other)
        yield from self.cities()
        yield from self.supplies()
        yield from self.cards()
        if self.before.winners != self.after.winners:
            yield self.say(
                marked("The game was won by {before}, now by {after}."),
                before=self.people(self.before.winners),
                after=self.people(self.after.winners),
            )

    def people(self, seats: Sequence[int]) -> str:
        found = listed([self.name(seat) for seat in seats], self.translator)
        return found or self.translator.gettext(marked("nobody"))

    def course(self) -> Iterator[str]:
        """Where the game stands and who owes what."""
        one, other = self.before, self.after
        if one.year != other.year:
            yield self.say(
                marked("It was year {before}, now it is year {after}."),
                before=one.year,
                after=other.year,
            )
        if one.phase != other.phase:
            yield self.say(
                marked("The game stood at {before}, now at {after}."),
                before=self.translator.gettext(PHASES[one.phase]),
                after=self.translator.gettext(PHASES[other.phase]),
            )
        if one.start != other.start:
            yield self.say(
                marked("{before} was start player, now {after} is."),
                before=self.name(one.start),
                after=self.name(other.start),
            )
        for seat in range(1, len(self.names) + 1):
            yield from self.owed(seat)
        if one.chance != other.chance:
            if other.chance == "shuffle":
                yield self.say(marked("The discards have to be shuffled now."))
            elif one.chance == "shuffle":
                yield self.say(marked("The discards need not be shuffled yet."))
        if one.phase == other.phase == "politics" and one.turn != other.turn:
            yield self.say(
                marked("{before} political turns of this year have begun; now {after}."),
                before=one.turn,
                after=other.turn,
            )
        if one.queue != other.queue:
            yield self.say(
                marked("Still to come were {before}; now {after}."),
                before=self.people(one.queue),
                after=self.people(other.queue),
            )

    def owed(self, seat: int) -> Iterator[str]:
        one, other = self.before.awaiting.get(seat), self.after.awaiting.get(seat)
        if one == other:
            return
        if one is None and other is not None:
            yield self.say(
                marked("{who} now has to {duty}."),
                who=self.name(seat),
                duty=self.translator.gettext(OWED[other]),
            )
        elif other is None and one is not None:
            yield self.say(
                marked("{who} no longer has to {duty}."),
                who=self.name(seat),
                duty=self.translator.gettext(OWED[one]),
            )
        elif one is not None and other is not None:
            yield self.say(
                marked("{who} had to {before}, now has to {after}."),
                who=self.name(seat),
                before=self.translator.gettext(OWED[one]),
                after=self.translator.gettext(OWED[other]),
            )

    def player(self, one: PlayerPosition, other: PlayerPosition) -> Iterator[str]:
        who = self.name(one.seat)
        for field, text in NUMBERS.items():
            was, now = getattr(one, field), getattr(other, field)
            if was != now:
                yield self.say(text, who=who, before=was, after=now)
        for field, (yes, no) in YES_OR_NO.items():
            if getattr(one, field) != getattr(other, field):
                yield self.say(yes if getattr(other, field) else no, who=who)
        if one.played != other.played:
            yield self.say(
                marked("{who} had taken {before} this year; now {after}."),
                who=who,
                before=self.row(one.played),
                after=self.row(other.played),
            )
        if len(one.unseen) != len(other.unseen):
            yield self.say(
                marked("{who}: {before} cards taken by passing became {after}."),
                who=who,
                before=len(one.unseen),
                after=len(other.unseen),
            )
        elif one.unseen != other.unseen:
            yield self.say(marked("{who} took other cards by passing."), who=who)
        if one.polled_voice != other.polled_voice:
            yield self.say(marked("{who} has looked at other voice cards."), who=who)
        if one.care != other.care:
            yield self.say(marked("{who} has come to another step of feeding the people."), who=who)
        if one.bot != other.bot:
            yield self.say(marked("{who}'s seat is played by another."), who=who)

    def cities(self) -> Iterator[str]:
        ones = {(city.seat, city.castle): city for city in self.before.cities}
        others = {(city.seat, city.castle): city for city in self.after.cities}
        for key, city in ones.items():
            if key not in others:
                yield self.say(
                    marked("{who}'s city {city} is not there any more."),
                    who=self.name(city.seat),
                    city=self.translator.city(city.castle),
                )
            else:
                yield from self.city(city, others[key])
        for key, city in others.items():
            if key not in ones:
                yield self.say(
                    marked("{who}'s city {city} is there now."),
                    who=self.name(city.seat),
                    city=self.translator.city(city.castle),
                )

    def city(self, one: CityRecord, other: CityRecord) -> Iterator[str]:
        who = self.name(one.seat)
        if one.citizens != other.citizens:
            yield self.say(
                marked("{who}'s city {city}: {before} citizens became {after}."),
                who=who,
                city=self.translator.city(one.castle),
                before=one.citizens,
                after=other.citizens,
            )
        for text, there, gone in (
            (marked("{who}'s city {city} lacks {buildings}."), one, other),
            (marked("{who}'s city {city} has besides {buildings}."), other, one),
        ):
            left = [
                f"{self.translator.gettext(BUILDINGS[what])} {at}"
                for at, what in there.buildings.items()
                if gone.buildings.get(at) != what
            ]
            if left:
                yield self.say(
                    text,
                    who=who,
                    city=self.translator.city(one.castle),
                    buildings=listed(left, self.translator),
                )
        if one.figures != other.figures:
            yield self.say(
                marked("{who}'s city {city}: the figures stand otherwise."),
                who=who,
                city=self.translator.city(one.castle),
            )

    def supplies(self) -> Iterator[str]:
        if self.before.supply != self.after.supply:
            yield self.say(
                marked("The supply: {before} citizens became {after}."),
                before=self.before.supply,
                after=self.after.supply,
            )
        if self.before.neighbours != self.after.neighbours:
            yield self.say(marked("Other cities are neighbours."))

    def cards(self) -> Iterator[str]:
        one, other = self.before, self.after
        if one.display != other.display:
            gone, come = Counter(one.display), Counter(other.display)
            if gone == come:
                yield self.say(marked("The cards on display lie in another order."))
            else:
                yield self.say(
                    marked("On display lay {before}, now {after} instead."),
                    before=self.row(sorted((gone - come).elements())),
                    after=self.row(sorted((come - gone).elements())),
                )
        if len(one.pile) != len(other.pile):
            yield self.say(
                marked("The pile: {before} cards became {after}."),
                before=len(one.pile),
                after=len(other.pile),
            )
        elif one.pile != other.pile:
            yield self.say(marked("The cards of the pile are others, or in another order."))
        if (one.discards, one.unseen_discards) != (other.discards, other.unseen_discards):
            yield self.say(
                marked("The discards: {before} cards became {after}."),
                before=sum(one.discards.values()) + len(one.unseen_discards),
                after=sum(other.discards.values()) + len(other.unseen_discards),
            )
        if one.voice != other.voice:
            yield self.say(marked("The voice cards are others."))

    def row(self, cards: Sequence[str]) -> str:
        named = [
            self.translator.gettext(CARDS[card])
            if card
            else self.translator.gettext(marked("a gap"))
            for card in cards
        ]
        return listed(named, self.translator) or self.translator.gettext(marked("nothing"))

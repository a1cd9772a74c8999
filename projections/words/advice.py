"""A bot's advice: the action it would take, and in one sentence why."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots import Bot
from engine.bots.motive import Code, Reason
from engine.material.board import Board
from engine.view import View
from events.types import (
    Build,
    Bury,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    HoldGames,
    Pass,
    PlaceCastle,
    Poll,
    ReapHarvest,
    Relocate,
    Starve,
    TakeGold,
    Turn,
)
from projections.words.effects import ENGLISH, Translator
from projections.words.names import A_BUILDING, marked

WHY: dict[Code, str] = {
    "dice": marked("The dice chose it."),
    "land": marked("It makes good use of the land."),
    "neighbours": marked("It counts against the neighbours’ arches."),
    "bonus": marked("It is a step towards a city with all three services."),
    "limit": marked("It lets the city go on growing."),
    "food": marked("It feeds the people."),
    "income": marked("It earns gold in every year to come."),
    "city": marked("A new city grows every year and opens up new land."),
    "people": marked("More people are points, and each of them can build."),
    "gold": marked("Gold pays for politics cards."),
    "voice": marked("Who knows the voice in time can act on it."),
    "home": marked("Wheat, water and mountains lie near."),
    "relocation": marked("It wins the most citizens that can be fed."),
    "demolition": marked("This building is missed least."),
    "hunger": marked("These citizens are missed least."),
    "nothing": marked("There is nothing better to do."),
}
ONLY = marked("Nothing else is allowed.")
COMPARED: dict[Code, tuple[str, str]] = {
    "better": (
        marked("Tried out once, it came out {points} points better than {other}."),
        marked("Tried out {n} times, it came out {points} points better than {other}."),
    ),
    "worse": (
        marked("Tried out once, it came out {points} points worse than {other}."),
        marked("Tried out {n} times, it came out {points} points worse than {other}."),
    ),
    "as-good": (
        marked("Tried out once, it came out as good as {other}."),
        marked("Tried out {n} times, it came out as good as {other}."),
    ),
}
DOING: dict[type[Turn], str] = {
    TakeGold: marked("taking gold"),
    FoundCity: marked("founding a city on {at}"),
    Build: marked("building {building} on {at}"),
    HoldGames: marked("holding games on {at}"),
    CallGoldenTimes: marked("calling golden times in {city}"),
    ReapHarvest: marked("reaping a rich harvest on {at}"),
    Poll: marked("polling the people"),
    Pass: marked("passing"),
    PlaceCastle: marked("placing the castle on {at}"),
    Bury: marked("the other choice"),
    Relocate: marked("the other choice"),
    Demolish: marked("demolishing {at}"),
    Starve: marked("the other choice"),
}


def advise(
    view: View, board: Board, actions: Sequence[Turn], bot: Bot, translator: Translator = ENGLISH
) -> tuple[Turn, str]:
    """What a bot would do in a seat's place, and why. It knows no more than the seat.

    >>> from engine.bots import make_bot
    >>> from engine.actions.legal import legal_actions
    >>> from engine.selfplay import new_game
    >>> from engine.view import view
    >>> s = new_game(players=2, seed=1).state
    >>> advise(view(s, 1), s.board, legal_actions(s, 1), make_bot("random", 1))[1]
    'The dice chose it.'
    """
    action = bot.choose(view, board, actions) if len(actions) > 1 else actions[0]
    return action, explain(view, board, actions, action, bot, translator)


def explain(
    view: View,
    board: Board,
    actions: Sequence[Turn],
    action: Turn,
    bot: Bot,
    translator: Translator = ENGLISH,
) -> str:
    """Why a bot takes an action among those that are allowed, in a sentence."""
    if len(actions) == 1:
        return translator.gettext(ONLY)
    return why(bot.explain(view, board, action), translator)


def why(reason: Reason, translator: Translator = ENGLISH) -> str:
    """A reason as a sentence."""
    if reason.other is None:
        return translator.gettext(WHY[reason.code])
    once, often = COMPARED[reason.code]
    text = translator.gettext(once) if reason.worlds == 1 else translator.gettext(often)
    return text.format(
        n=reason.worlds,
        points=tenths(reason.points, translator),
        other=doing(reason.other, translator),
    )


def doing(action: Turn, translator: Translator = ENGLISH) -> str:
    """An action as something that one does.

    >>> doing(Build(seat=1, building="farm", at="c7", card="action"))
    'building a farm on c7'
    """
    text = translator.gettext(DOING[type(action)])
    match action:
        case Build():
            return text.format(
                building=translator.gettext(A_BUILDING[action.building]), at=action.at
            )
        case Demolish():
            return text.format(at=", ".join(action.buildings))
        case CallGoldenTimes():
            return text.format(city=translator.city(action.city))
        case FoundCity() | HoldGames() | ReapHarvest() | PlaceCastle():
            return text.format(at=action.at)
        case _:
            return text


def tenths(points: float, translator: Translator = ENGLISH) -> str:
    """A number with one decimal, as a language writes it.

    >>> tenths(1.26)
    '1.3'
    """
    whole, tenth = divmod(round(10 * points), 10)
    return translator.gettext("{whole}.{tenth}").format(whole=whole, tenth=tenth)

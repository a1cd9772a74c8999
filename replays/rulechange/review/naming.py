"""What a cause is called for readers: what came about otherwise, and when, in their language."""

from __future__ import annotations

import re

from projections.words.effects import ENGLISH, Translator
from projections.words.names import marked
from replays.rulechange.review.causes import Cause, CauseGroup

EFFECTS = {
    "tiles-laid": marked("the land is laid out"),
    "city-founded": marked("a city is founded"),
    "castle-skipped": marked("no room for a castle"),
    "year-began": marked("a year begins"),
    "display-flushed": marked("the whole display is replaced"),
    "card-buried": marked("a card is buried"),
    "card-shown": marked("a card comes up"),
    "shuffled": marked("the discards are shuffled"),
    "voice-shown": marked("a voice card is shown"),
    "gold-gained": marked("gold comes in"),
    "gold-paid": marked("gold is paid"),
    "citizens-came": marked("citizens come"),
    "growth-stopped": marked("a city does not grow"),
    "building-raised": marked("a building is built"),
    "figures-placed": marked("figures are placed"),
    "voice-polled": marked("voice cards are looked at"),
    "turn-passed": marked("a turn is passed"),
    "penalty-taken": marked("a turn is lost"),
    "voice-spoke": marked("the people ask for something"),
    "citizen-moved": marked("citizens move"),
    "citizens-starved": marked("citizens leave hungry"),
    "building-fell": marked("a building falls"),
    "city-lost": marked("a city is lost"),
    "year-ended": marked("a year ends"),
    "decided-away": marked("somebody else decides"),
    "take-back-asked": marked("a take-back is asked for"),
    "take-back-answered": marked("a take-back is answered"),
    "taken-back": marked("an action is taken back"),
    "seat-handed-over": marked("a seat is handed over"),
    "seat-resigned": marked("a player resigns"),
    "scored": marked("points are counted"),
    "game-won": marked("the game is won"),
    "points on the table": marked("points on the table"),
    "gold on the table": marked("gold on the table"),
    "food on the table": marked("food on the table"),
    "citizens on the table": marked("citizens on the table"),
    "services of a city": marked("services of a city"),
    "the table": marked("the table"),
    "a digest that nobody signed": marked("a digest that nobody signed"),
    "allowed": marked("allowed"),
    "never comes about": marked("never comes about"),
}
"""By what is kept of a cause, the effect or what is read off the table."""

MOMENTS = {
    "the beginning of a year": marked("at the beginning of a year"),
    "relocation": marked("at relocation"),
    "the end of a year": marked("at the end of a year"),
    "an attempt": marked("at an attempt"),
    "opened": marked("at the opening"),
    "started": marked("at the deal"),
    "castle": marked("as a castle is placed"),
    "bury": marked("as a card is buried or not"),
    "gold": marked("as gold is taken"),
    "found": marked("as a city is founded"),
    "build": marked("as something is built"),
    "bread-and-games": marked("at bread and games"),
    "golden-times": marked("at golden times"),
    "rich-harvest": marked("at a rich harvest"),
    "poll": marked("at polling"),
    "pass": marked("as somebody passes"),
    "relocate": marked("at relocation"),
    "demolish": marked("as a building is demolished"),
    "starve": marked("as hungry citizens leave"),
    "shuffled": marked("at a shuffle"),
    "year-closed": marked("at the end of a year"),
    "resign": marked("as a player resigns"),
    "hand-over": marked("as a seat is handed over"),
    "take-back": marked("as a take-back is asked for"),
    "take-back-granted": marked("as a take-back is granted"),
    "take-back-refused": marked("as a take-back is refused"),
}
"""By the kind of event, or the part of the year that it set off."""

REFUSED = re.compile(r"(no longer )?refused as ([a-z-]+)")
WAS_REFUSED = re.compile(r"(.+), was refused as ([a-z-]+)")


def name_cause(cause: Cause, translator: Translator = ENGLISH) -> str:
    """A cause in words; its `key` stays the same in every language.

    >>> name_cause(Cause("R15", "citizens-came", "the beginning of a year"))
    'R15: citizens come at the beginning of a year'
    >>> name_cause(Cause("R29", "refused as no-room", "golden-times"))
    'R29: refused (no-room) at golden times'
    >>> name_cause(Cause("", "allowed, was refused as no-room", "an attempt"))
    'allowed, and was refused (no-room) at an attempt'
    """
    moment = MOMENTS.get(cause.event)
    when = translator.gettext(moment) if moment else cause.event
    words = f"{_name_effect(cause.effect, translator)} {when}"
    return f"{cause.rule}: {words}" if cause.rule else words


def _name_effect(effect: str, translator: Translator) -> str:
    say = translator.gettext
    if (found := WAS_REFUSED.fullmatch(effect)) is not None:
        now = _name_effect(found[1], translator)
        return say("{now}, and was refused ({code})").format(now=now, code=found[2])
    if (found := REFUSED.fullmatch(effect)) is not None:
        text = say("no longer refused ({code})") if found[1] else say("refused ({code})")
        return text.format(code=found[2])
    return say(EFFECTS[effect]) if effect in EFFECTS else effect


def headline(group: CauseGroup, translator: Translator = ENGLISH) -> str:
    """The cause and what it does in one line."""
    count, winners = len(group.games), len(group.other_winners)
    games = translator.ngettext("{n} game", "{n} games", count).format(n=count)
    say = translator.gettext
    ends = say("{n} with another winner").format(n=winners) if winners else say("no other winner")
    return f"{name_cause(group.cause, translator)}: {games}, {ends}"

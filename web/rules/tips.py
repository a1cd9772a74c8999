"""The advice that the rulebooks give, in our words: each tip with an address of its own."""

from __future__ import annotations

from engine.bots.motive import Code
from projections.words.names import marked
from web.rules.editions import KOSMOS, Edition, Printed
from web.rules.shape import Chapter, Rule

TIPS = Chapter(
    "tips",
    marked("What the books advise"),
    (
        marked(
            "Every rulebook gives its players some tips. Here they are in our words, each with a"
            " moment of a recorded game."
        ),
    ),
    (
        Rule(
            "tip-castle",
            marked("A castle among the wheat"),
            (
                marked(
                    "A young city eats what its castle reaps. So count the ears of wheat around a"
                    " hex before your castle stands there: each of them feeds one citizen a year."
                ),
            ),
            beside=("tip-castle",),
        ),
        Rule(
            "tip-farm",
            marked("Room for a farm"),
            (
                marked(
                    "Wheat is not used up. What a castle reaps, a farm beside it can reap once"
                    " more: choose a site that keeps a hex between the same good farmlands free."
                ),
            ),
            beside=("tip-farm",),
        ),
        Rule(
            "tip-quarry",
            marked("Quarries first"),
            (
                marked(
                    "A quarry pays at the beginning of every year after the one in which it was"
                    " built. Each year of waiting costs its yield once; in the last year it is"
                    " only a place to live."
                ),
            ),
            beside=("tip-quarry",),
        ),
        Rule(
            "tip-water",
            marked("A lake within reach"),
            (
                marked(
                    "With a market alone a city comes to a stop. Only a fountain or a bath opens"
                    " it for good, and both stand by a lake: look for one before you settle."
                ),
            ),
            beside=("tip-water",),
        ),
        Rule(
            "tip-services",
            marked("An arch of each colour"),
            (
                marked(
                    "A city with culture, education and health brings {bonus} points at the end,"
                    " be it ever so small. Often one building is all that it lacks."
                ),
                marked("A hospital gives two services at once, and needs no lake."),
            ),
            beside=("tip-services",),
        ),
        Rule(
            "tip-room",
            marked("Room for those who come"),
            (
                marked(
                    "Who comes to a full city goes on to the supply. If the same city loses"
                    " somebody in that year, it is smaller afterwards, for all its attractions:"
                    " make room first."
                ),
            ),
            beside=("tip-room",),
        ),
        Rule(
            "tip-cost",
            marked("What costs nothing"),
            (
                marked(
                    "An action card builds a small building for {small_cost} gold. Gold is for the"
                    " politics cards; and even a small building costs {master_small} if the"
                    " master builder puts it up."
                ),
            ),
            beside=("tip-cost",),
        ),
        Rule(
            "tip-land",
            marked("It depends on the hex"),
            (
                marked(
                    "The same farm is worth much on one hex and little on the next: what counts is"
                    " the land on both sides of it. Compare the hexes before you choose one."
                ),
            ),
            beside=("tip-land",),
        ),
        Rule(
            "tip-distance",
            marked("Far apart, or stronger"),
            (
                marked(
                    "With more than {near} empty hexes to every other player’s city, nobody leaves"
                    " yours. One building nearer, and the two cities compare their points."
                ),
                marked(
                    "So come near where you have more to offer, and keep away where you have less."
                ),
            ),
            beside=("tip-distance",),
        ),
    ),
)

ALL: tuple[Edition, ...] = ("en", *KOSMOS)
ADVISED: dict[str, tuple[Printed, ...]] = {
    "tip-castle": (
        Printed(("en",), marked("Two rich farmlands keep a city fed; a poor one may be its end.")),
        Printed(("de", "nl", "fr"), marked("A first city on one ear of wheat soon goes under.")),
        Printed(("fi",), marked("A first city on one ear of wheat will hardly grow.")),
    ),
    "tip-farm": (
        Printed(("en",), marked("A farm beside the castle doubles the food.")),
        Printed(KOSMOS, marked("The farm’s site is to be the best one around.")),
    ),
    "tip-quarry": (
        Printed(KOSMOS, marked("Build it in the first two years.")),
        Printed(
            ("en",),
            marked("Build it in the first two rounds; we read that as years."),
        ),
    ),
    "tip-water": (
        Printed(("en",), marked("Found your cities near lakes.")),
        Printed(KOSMOS, marked("As many of your cities as possible should reach water.")),
    ),
    "tip-services": (
        Printed(("en",), marked("Try for it in every city: it can decide the game.")),
        Printed(KOSMOS, marked("Keep it in mind.")),
    ),
    "tip-room": (Printed(("en",), marked("Only this book warns of it.")),),
    "tip-cost": (Printed(ALL, marked("Only the master builder is an exception.")),),
    "tip-land": (
        Printed(
            ("en", "de", "nl", "fr"),
            marked("Five ears of wheat on two sides, against a single one beside a lake."),
        ),
        Printed(("fi",), marked("Two farmlands against one.")),
    ),
    "tip-distance": (
        Printed(ALL, marked("Who has fewer points loses citizens, who has more wins some.")),
    ),
}
"""Which book gives which tip, and where they differ."""

FITTING: dict[Code, str] = {
    "home": "tip-castle",
    "city": "tip-castle",
    "food": "tip-farm",
    "income": "tip-quarry",
    "limit": "tip-water",
    "people": "tip-room",
    "bonus": "tip-services",
    "gold": "tip-cost",
    "land": "tip-land",
    "neighbours": "tip-distance",
    "relocation": "tip-distance",
}
"""The tip that goes with what speaks for an action."""

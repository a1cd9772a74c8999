"""The chapters about a year: its phases, and the cards that are played in its rounds."""

from __future__ import annotations

from projections.words.names import marked
from web.rules.shape import Chapter, Rule

YEAR = Chapter(
    "year",
    marked("A year"),
    (marked("Every year runs through the same phases. Only in the rounds you play cards."),),
    (
        Rule(
            "R12",
            marked("Start player"),
            (marked("From the second year on, the next player to the left is the start player."),),
        ),
        Rule(
            "R13",
            marked("Voice cards"),
            (
                marked(
                    "{voice_cards} voice cards are dealt: one face up, {voice_hidden} face down."
                    " They say what the people will ask for at the end of the year."
                ),
                marked(
                    "In the whole game {voice_used} of them are used. {voice_unused} stay unknown."
                ),
            ),
            beside=("voice",),
        ),
        Rule(
            "R14",
            marked("Quarries"),
            (marked("Every quarry earns one gold for each mountain that it touches."),),
        ),
        Rule(
            "R15",
            marked("Growth and limits"),
            (
                marked(
                    "So many citizens come to the castle of every city, if there is room: {growth}."
                ),
                marked(
                    "All citizens of the city count for its limit. Only people who come are"
                    " turned away: nobody has to leave because of a limit."
                ),
                marked("When the supply is empty, nobody comes: not now, and not by any card."),
            ),
            beside=("limits",),
        ),
        Rule(
            "R16",
            marked("The rounds"),
            (
                marked(
                    "Now there are {rounds} rounds. In each round everyone plays one card,"
                    " clockwise: an action card of their own, or one of the politics cards that"
                    " lie face up. It takes effect at once."
                ),
            ),
        ),
        Rule(
            "R17",
            marked("The end of the year"),
            (
                marked(
                    "Then the voice of the people is shown, citizens move, everyone is fed, and"
                    " the year is over. After year {years} the game ends."
                ),
            ),
        ),
    ),
    shows=("phases",),
)

ACTIONS = Chapter(
    "action-cards",
    marked("Action cards"),
    (
        marked(
            "You have {action_cards} action cards a year. Each of them is one of these three, as"
            " you like:"
        ),
    ),
    (
        Rule("R18", marked("Take gold"), (marked("Take {action_gold} gold."),)),
        Rule(
            "R19",
            marked("Found a city"),
            (
                marked(
                    "Put a castle of yours on an open lane hex that is far enough away from all"
                    " buildings."
                ),
                marked(
                    "One spare citizen comes from another castle of yours, {from_supply} come"
                    " from the supply. You found at most one city a year."
                ),
            ),
        ),
        Rule(
            "R20",
            marked("Build something small"),
            (
                marked(
                    "Build one small building for {small_cost} gold: a farm, a quarry, a school, a"
                    " statue, a market or a fountain."
                ),
            ),
        ),
    ),
)

BUILDING = Chapter(
    "building",
    marked("How to build"),
    (
        marked(
            "Whatever card you build by, these rules hold. A building’s arches say which services"
            " it gives: culture is white, education black, health blue."
        ),
    ),
    (
        Rule(
            "R21",
            marked("Where to build"),
            (
                marked(
                    "Build on an empty open lane hex beside a building of the same city. The new"
                    " building must not touch another city, not even one of your own."
                ),
            ),
            beside=("sites",),
        ),
        Rule(
            "R22",
            marked("Who moves in"),
            (
                marked(
                    "One citizen moves from the castle into the new building and stays there. At"
                    " least one must stay on the castle: those beyond that one are spare."
                ),
            ),
        ),
        Rule(
            "R23",
            marked("The market"),
            (
                marked(
                    "Whoever moves into a market comes from the supply ({market_citizens}), so no"
                    " spare citizen is needed. A city has one market at most."
                ),
            ),
        ),
        Rule(
            "R24",
            marked("By the water"),
            (
                marked(
                    "A fountain and a bath must touch a lake. Every other building may stand"
                    " anywhere."
                ),
            ),
        ),
        Rule(
            "R25",
            marked("What is built stays"),
            (
                marked(
                    "Nobody takes a building away by choice. Buildings fall only when a city has"
                    " too few citizens."
                ),
            ),
        ),
    ),
    shows=("buildings",),
    ends=("grown",),
)

POLITICS = Chapter(
    "politics-cards",
    marked("Politics cards"),
    (
        marked(
            "{places} of them lie face up for everyone. Taking one is your turn in this round."
            " What it costs, you pay at once."
        ),
    ),
    (
        Rule(
            "R26",
            marked("Building cards"),
            (
                marked(
                    "Build what the card shows. A palace, a hospital or a bath costs {medium_cost}"
                    " gold, a cathedral or a university {large_cost} gold."
                ),
            ),
            shows=("cards-building",),
        ),
        Rule(
            "R27",
            marked("Master builder"),
            (
                marked(
                    "Build anything: a small building for {master_small} gold, a medium one for"
                    " {master_medium}, a large one for {master_large}."
                ),
            ),
            beside=("cards-master-builder",),
        ),
        Rule(
            "R28",
            marked("Bread and games"),
            (
                marked(
                    "Put figures of yours on one service of one building that has its arch. Each"
                    " is one more point of that service, until the end of the year."
                ),
                marked(
                    "One figure costs {first} gold, two cost {second}, three cost {third}. A later"
                    " card may add more."
                ),
            ),
            beside=("cards-bread-and-games", "figures"),
        ),
        Rule(
            "R29",
            marked("Golden times"),
            (
                marked(
                    "Citizens come from the supply to the castle of one city, within its limit."
                    " One costs {first_citizen} gold, two cost {second_citizen}, three cost"
                    " {third_citizen}."
                ),
            ),
            beside=("cards-golden-times",),
        ),
        Rule(
            "R30",
            marked("Rich harvest"),
            (
                marked(
                    "Put a figure on one of your farms: its food counts twice this year. Only"
                    " once per farm and year, not for a castle, and not in year {years}."
                ),
            ),
            beside=("cards-rich-harvest",),
        ),
        Rule(
            "R31",
            marked("Polling"),
            (
                marked(
                    "Look at {poll_two} of the hidden voice cards, or for {poll} gold at all of"
                    " them. Say which before you look. Only you know what they say."
                ),
            ),
            beside=("cards-polling",),
        ),
        Rule(
            "R32",
            marked("Taking a card, and passing"),
            (
                marked(
                    "You can take a card only if you can pay for it and do what it says. Its"
                    " place is filled from the pile at once."
                ),
                marked(
                    "You may pass when all your action cards are used. Then you take the top card"
                    " of the pile, face down, without looking."
                ),
                marked(
                    "When the pile is empty, the discarded cards are shuffled. If there are none,"
                    " the place stays empty."
                ),
            ),
            shows=("display",),
        ),
    ),
)

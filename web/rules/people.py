"""The chapters about the people: what they ask for, where they move, how the game ends."""

from __future__ import annotations

from projections.words.names import marked
from web.rules.shape import Chapter, Rule

VOICE = Chapter(
    "relocation",
    marked("The voice of the people"),
    (
        marked(
            "This is the heart of the game. The people compare neighbouring cities, and some of"
            " them move."
        ),
    ),
    (
        Rule(
            "R33",
            marked("What the people ask for"),
            (
                marked(
                    "All {voice_cards} voice cards are turned up. The service on most of them is"
                    " what the people ask for. At {voice_tie} against {voice_tie} it is both."
                ),
            ),
            beside=("tally",),
        ),
        Rule(
            "R34",
            marked("Neighbours"),
            (
                marked(
                    "Two cities of different players are neighbours when at most {near} empty"
                    " hexes lie between them. Your own cities never compete."
                ),
            ),
        ),
        Rule(
            "R35",
            marked("Who takes citizens"),
            (
                marked(
                    "Clockwise from the start player, everyone goes through their cities, in any"
                    " order. From every neighbour with fewer points, the city takes one citizen."
                ),
                marked(
                    "Equal points move nobody. If the people ask for two services, you choose one"
                    " of them for each city."
                ),
            ),
            shows=("relocation", "two-voices"),
        ),
        Rule(
            "R36",
            marked("Points of a service"),
            (
                marked(
                    "A city’s points are the arches of its buildings and the figures on them. They"
                    " stay the same until all citizens have moved."
                ),
            ),
        ),
        Rule(
            "R37",
            marked("No room, nobody left"),
            (
                marked(
                    "A citizen who finds no room goes to the supply; the neighbour has lost it all"
                    " the same. A city without citizens gives none."
                ),
            ),
        ),
    ),
)

HUNGER = Chapter(
    "feeding",
    marked("Demolition and hunger"),
    (),
    (
        Rule(
            "R38",
            marked("Too few citizens"),
            (
                marked(
                    "Every building needs a citizen, the castle too. A city with fewer citizens"
                    " than buildings loses buildings until it fits."
                ),
                marked(
                    "Its owner chooses which, from the outside in: what remains must hang together"
                    " with the castle. Without any citizen the castle goes as well, back to its"
                    " owner."
                ),
            ),
            shows=("demolition",),
        ),
        Rule(
            "R39",
            marked("Hunger"),
            (
                marked(
                    "Then everyone compares citizens with food. Those who cannot be fed go back to"
                    " the supply; you choose from which cities."
                ),
                marked(
                    "After that, cities may again have too few citizens. Food is not compared a"
                    " second time."
                ),
            ),
        ),
        Rule(
            "R40",
            marked("The price of hunger"),
            (
                marked(
                    "Who let people starve turns over an action card unused on the first turn of"
                    " the next year. That leaves {rounds_left} cards to play."
                ),
            ),
        ),
        Rule(
            "R41",
            marked("All at once"),
            (
                marked(
                    "Nobody’s choice here changes anything for others. So everyone decides at the"
                    " same time, in any order."
                ),
            ),
        ),
    ),
)

END = Chapter(
    "scoring",
    marked("The end, and who wins"),
    (),
    (
        Rule(
            "R42",
            marked("The year is over"),
            (
                marked(
                    "Figures go back to their owners. The politics cards that were taken and the"
                    " voice cards are discarded. All action cards are ready again."
                ),
            ),
        ),
        Rule(
            "R43",
            marked("Points"),
            (
                marked(
                    "After year {years} points are counted. Per citizen: {citizen_points}. Every"
                    " city with at least one arch of culture, of education and of health brings"
                    " {bonus} points more."
                ),
                marked("Who lets people starve in year {years} loses {hunger} points."),
                marked("A hospital counts for education and for health."),
            ),
        ),
        Rule(
            "R44",
            marked("Ties"),
            (marked("Most points win. At a tie it is most gold; if that is equal, they share."),),
        ),
        Rule(
            "R45",
            marked("Without a city"),
            (
                marked(
                    "Who has lost every city plays on: with no income and no food, but with gold"
                    " from action cards. Nobody is thrown out of the game."
                ),
            ),
        ),
    ),
)

TABLE = Chapter(
    "at-the-table",
    marked("At this table"),
    (marked("These are not rules of the game. They are how it is played on this site."),),
    (
        Rule(
            "preview",
            marked("Try before you decide"),
            (
                marked(
                    "The table shows only what the rules allow, and what would come of it. Nothing"
                    " counts before you confirm. If you choose something that is not allowed,"
                    " it tells you the rule."
                ),
            ),
        ),
        Rule(
            "take-back",
            marked("Taking back"),
            (
                marked(
                    "Your own last action can be taken back at once if it turned up nothing that"
                    " was hidden. Otherwise the other players have to agree."
                ),
                marked(
                    "After the politics cards were shuffled, nothing before that is taken back."
                ),
            ),
        ),
        Rule(
            "leaving",
            marked("Leaving"),
            (
                marked(
                    "Who resigns leaves their cities on the board; they still follow the rules. A"
                    " seat can also be handed over to a bot."
                ),
            ),
        ),
        Rule(
            "open-cards",
            marked("What everyone may know"),
            (
                marked(
                    "Gold, food, citizens and played cards lie open. Hidden are the piles, the"
                    " cards taken by passing, and the voice cards that are face down."
                ),
            ),
        ),
    ),
)

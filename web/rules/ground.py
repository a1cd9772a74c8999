"""The first chapters: what the game is about, what lies on the table, and how it is set up."""

from __future__ import annotations

from projections.words.names import marked
from web.rules.shape import Chapter, Rule

GOAL = Chapter(
    "goal",
    marked("What it is about"),
    (
        marked(
            "Everyone rules a few small cities between fields, lakes and mountains. You want as"
            " many people as possible to live in yours."
        ),
        marked(
            "People need room and food. And once a year they look around: where a neighbouring"
            " city offers more culture, education or health, they move there."
        ),
        marked(
            "The game lasts {years} years. In each year everyone plays {rounds} cards, one at a"
            " time. Then the people speak, and then they are fed."
        ),
        marked(
            "Points per citizen at the end: {citizen_points}. A city with all three services"
            " brings {bonus} points more. It is a game for {least} to {most} players."
        ),
    ),
    beside=("full",),
)

PIECES = Chapter(
    "pieces",
    marked("The pieces"),
    (
        marked(
            "Each player has {castles} castles, {figures} figures and {action_cards} action cards."
            " All share the building tokens and {citizens} citizens."
        ),
        marked(
            "There are {politics} politics cards of {kinds} kinds, and {voice_all} voice cards:"
            " {voice_each} each for culture, education and health."
        ),
    ),
    (
        Rule(
            "R1",
            marked("Building tokens"),
            (
                marked(
                    "Most tokens have two sides and can be either of two buildings. All farms and"
                    " quarries together are {farm_tokens} tokens, for example."
                ),
                marked(
                    "When a stock is empty, neither of its buildings can be built. A building that"
                    " falls goes back to its stock."
                ),
            ),
            beside=("tokens",),
        ),
        Rule(
            "R2",
            marked("What is in the box"),
            (
                marked(
                    "The number of tokens, citizens and cards is printed in the rulebooks. How"
                    " the politics cards and the farmlands are shared out is not: this box is a"
                    " reconstruction. A host can play with another one."
                ),
            ),
            shows=("box",),
        ),
    ),
)

BOARD = Chapter(
    "board",
    marked("The board"),
    (),
    (
        Rule(
            "R3",
            marked("Lanes and fields"),
            (
                marked(
                    "Lanes, one hex wide, run across the land in three directions. Between them"
                    " lie fields of {cells} hexes each. You build on the lanes only."
                ),
                marked(
                    "A lane hex touches the two areas of land beside it. Where six lanes meet is"
                    " a crossing; it touches no land at all."
                ),
            ),
            beside=("land",),
        ),
        Rule(
            "R4",
            marked("The land"),
            (
                marked(
                    "The {fields} fields take {farmlands} farmlands, {mountains} mountains and"
                    " {lakes} lakes. A farmland shows how much wheat it bears."
                ),
                marked(
                    "At the rim there is land that is always the same. It works just as a field"
                    " does. Wasteland gives nothing."
                ),
            ),
        ),
        Rule(
            "R5",
            marked("How much of the board is in play"),
            (
                marked(
                    "With few players a part of the board is closed. Some lanes open with"
                    " {brown_from} players, the last ones with {yellow_from} or more."
                ),
                marked(
                    "A closed hex is not there: nobody builds on it, and no distance is counted"
                    " across it."
                ),
            ),
        ),
        Rule(
            "R6",
            marked("Names of the hexes"),
            (
                marked(
                    "Every lane hex has a name: the letter of its row and the number of its"
                    " column. The board is a file; another board can have other lanes."
                ),
            ),
        ),
    ),
)

SET_UP = Chapter(
    "set-up",
    marked("Set-up"),
    (),
    (
        Rule(
            "R7",
            marked("What everyone starts with"),
            (
                marked(
                    "Everyone gets {start_gold} gold, {castles} castles, {figures} figures and"
                    " {action_cards} action cards."
                ),
                marked(
                    "{places} politics cards lie face up, the others are a pile. The voice cards"
                    " are a pile as well. The start player is drawn by lot."
                ),
            ),
        ),
        Rule(
            "R8",
            marked("Set-up for beginners"),
            (
                marked(
                    "The land and {castles_at_start} castles for each player are given, with"
                    " {first_citizens} citizens on each. Food is shared out fairly, and nobody is"
                    " far from a lake or a mountain."
                ),
            ),
        ),
        Rule(
            "R9",
            marked("Set-up for experts"),
            (
                marked(
                    "The land is shuffled. The start player puts a castle on any open lane hex,"
                    " then it goes on counter-clockwise."
                ),
                marked(
                    "Whoever comes last places the second castle at once, and it goes back"
                    " clockwise. Each castle gets {first_citizens} citizens. To the left of"
                    " whoever placed the last castle sits the player who begins."
                ),
            ),
        ),
        Rule(
            "R10",
            marked("Distance"),
            (
                marked(
                    "The distance between two buildings is the number of empty hexes between"
                    " them, on the shortest way along open and empty lanes."
                ),
                marked(
                    "A new castle keeps at least {apart} empty hexes from every other building,"
                    " your own included."
                ),
            ),
            beside=("founding",),
        ),
        Rule(
            "R11",
            marked("Food"),
            (
                marked(
                    "A castle or a farm yields the wheat of the farmlands that it touches: of both"
                    " if there are two."
                ),
                marked(
                    "Your food is the sum over all your castles and farms. It is not used up: it"
                    " says how many citizens you can feed every year."
                ),
            ),
            beside=("food",),
        ),
    ),
)

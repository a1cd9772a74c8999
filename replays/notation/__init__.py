r"""A whole game as a text for people: `NOTATION.md` beside this file tells what it looks like.

`annotated(game, events, book)` makes an `AnnotatedGame` of a log and its notebook, `write_text`
writes it, `parse_text` reads what somebody typed, checks it against the rules and gives
`Parsed(game, errors, warnings)`: a game, or every problem with its line and column.
What is written is read as the same game, and written again it is the same text.
A text tells everything, hidden cards and the secret included, as the log does.

>>> from engine.bots import RandomBot
>>> from engine.selfplay import new_game, play_out
>>> events = play_out(new_game(players=2, seed=1), RandomBot(1)).events
>>> game = annotated("g1", events)
>>> text = write_text(game)
>>> text.splitlines()[0]
'[Game "g1"]'
>>> parse_text(text).game == game
True
>>> [str(problem) for problem in parse_text('[Seat1 "A"]\n[Seat2 "B"]\n1 glod').errors]
['line 3, column 3: there is no action glod']
"""

from replays.notation.model import AnnotatedGame, Parsed, TextProblem, annotated, excerpt
from replays.notation.parsing import parse_text
from replays.notation.writing import write_text

__all__ = [
    "AnnotatedGame",
    "Parsed",
    "TextProblem",
    "annotated",
    "excerpt",
    "parse_text",
    "write_text",
]

"""Prints one hash over what an engine makes of games: `python -m tests.engine.fingerprint`.

The recorded games folded, and games of all bots with every decision they had.
"""

from __future__ import annotations

import hashlib

from engine import fold as fold_module
from engine.actions.legal import legal_actions
from engine.bots import BOTS, ask, make_bot
from engine.fold import fold
from engine.selfplay import new_game
from engine.snapshot import snapshot
from engine.year_end import year_ends
from events.codec import encode_event
from replays.corpus.games import load_games

DECISIONS = {"random": 400, "steward": 120, "prince": 6}


def print_hash() -> None:
    hash_ = hashlib.sha256()
    for _, game in load_games():
        hash_.update(snapshot(fold(game.events)))
        for year, end in year_ends(game.events).items():
            hash_.update(repr((year, end.number, end.effects)).encode())
            hash_.update(snapshot(end.state))
    for players in (2, 3, 4, 5):
        for name in BOTS:
            game = new_game(players, seed=7, setup="expert" if players % 2 else "beginner")
            bot = make_bot(name, 7)
            for _ in range(DECISIONS[name]):
                if not game.state.awaiting:
                    break
                seat = min(game.state.awaiting)
                hash_.update(repr(legal_actions(game.state, seat)).encode())
                game.add(ask(bot, game.state, seat))
            hash_.update(b"".join(map(encode_event, game.events)))
            hash_.update(snapshot(game.state))
    print(fold_module.__file__)
    print(hash_.hexdigest())


if __name__ == "__main__":
    print_hash()

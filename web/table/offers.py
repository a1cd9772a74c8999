"""What a seat can do now, as the API tells it and as the table's page brings it along."""

from __future__ import annotations

from engine.actions.legal import legal_actions
from engine.rules.demolition import surplus
from engine.state import State
from projections.now.suggestion import suggest
from projections.now.yields import holdings, yields
from web.games.live import Live
from web.table.shapes import ActionsAnswer


def offered(live: Live, seat: int) -> ActionsAnswer:
    """Its actions, and a suggestion where one is sensible. The game is locked."""
    return live.keep(("offered", seat), lambda: _offered(live.state, live.version, seat))


def _offered(s: State, version: int, seat: int) -> ActionsAnswer:
    owes = s.awaiting.get(seat, "")
    actions = legal_actions(s, seat)
    cities = s.cities_of(seat) if owes == "demolish" else []
    return ActionsAnswer(
        version=version,
        seat=seat,
        owes=str(owes),
        actions=actions,
        suggestion=suggest(s, seat) if owes else None,
        holds=holdings(s, seat),
        yields=yields(s, seat, actions),
        falls={s.board.label[city.castle]: surplus(city) for city in cities if surplus(city)},
    )

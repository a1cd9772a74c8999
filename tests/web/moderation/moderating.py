"""A server with a host, for the tests of moderation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.selfplay import new_game
from tests.web.world import Someone, World, holder
from web.services import now
from web.settings import Settings


class Club(World):
    """Hanna is its host; Anna and Bert play."""

    def __init__(
        self,
        folder: Path,
        *,
        settings: Settings | None = None,
        limits: bool = False,
        clock: Callable[[], int] = now,
    ) -> None:
        super().__init__(folder, settings=settings, limits=limits, clock=clock)
        self.hanna, self.anna, self.bert = map(self.person, ("Hanna", "Anna", "Bert"))
        self.services.hosts.add(self.hanna.id, 1)
        self.game = new_game(2, "club")
        self.seat("game", self.game, [holder(self.anna, "Anna"), holder(self.bert, "Bert")])

    def act(self, path: str, **form: str) -> str:
        """The host does something, and the page that follows says so."""
        answer = self.hanna.ask("POST", path, form=form)
        assert answer.status_code == 303, answer.text
        return self.hanna.get(answer.location).text

    def close_account(self, who: Someone, reason: str = "Insults.") -> str:
        return self.act(f"/host/accounts/{who.id}/close", reason=reason)

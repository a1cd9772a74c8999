"""Plans as they are kept: per person, game and seat a folder that nobody else opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store
from events.upcast import Upcasters, upcasters
from replays.whatif.plans import Plan
from web.site.problems import Problem

MAX_PLANS = 20
MAX_DELETED = 5
"""So many of the last deleted plans can be taken back."""


class Folder(msgspec.Struct, frozen=True, omit_defaults=True):
    """The plans of one seat, and the last ones that were deleted."""

    plans: list[Plan] = []
    deleted: list[Plan] = []
    last_id: int = 0

    def find(self, plan: str) -> Plan:
        return _find(self.plans, plan)

    def added(self, plan: Plan) -> Folder:
        """With one plan more, under an id of its own."""
        self._check_room()
        new = msgspec.structs.replace(plan, id=self.last_id + 1)
        return msgspec.structs.replace(self, plans=[*self.plans, new], last_id=new.id)

    def joined(self, other: Folder) -> Folder:
        """With the plans of another folder after its own, as many as there is room for."""
        added = other.plans[: MAX_PLANS - len(self.plans)]
        new = [
            msgspec.structs.replace(plan, id=self.last_id + place)
            for place, plan in enumerate(added, start=1)
        ]
        return msgspec.structs.replace(
            self, plans=[*self.plans, *new], last_id=self.last_id + len(new)
        )

    def changed(self, plan: Plan) -> Folder:
        plans = [plan if each.id == plan.id else each for each in self.plans]
        return msgspec.structs.replace(self, plans=plans)

    def without(self, plan: str) -> Folder:
        gone = self.find(plan)
        return msgspec.structs.replace(
            self,
            plans=[each for each in self.plans if each.id != gone.id],
            deleted=[*self.deleted, gone][-MAX_DELETED:],
        )

    def restored(self, plan: str) -> Folder:
        back = _find(self.deleted, plan)
        self._check_room()
        return msgspec.structs.replace(
            self,
            plans=sorted([*self.plans, back], key=lambda each: each.id),
            deleted=[each for each in self.deleted if each.id != back.id],
        )

    def _check_room(self) -> None:
        if len(self.plans) >= MAX_PLANS:
            raise Problem(
                409, "too-many-plans", "A game has room for {most} plans.", most=MAX_PLANS
            )


folder_upcasters: Upcasters[Folder] = Upcasters(Folder, document="plans", within=upcasters)
"""Of a folder with its plans. So far it is in its first version."""


def _find(plans: list[Plan], id_: str) -> Plan:
    for plan in plans:
        if str(plan.id) == id_:
            return plan
    raise Problem(404, "no-such-plan", "There is no such plan.")


class Plans:
    """All plans of a server."""

    def __init__(self, store: Store) -> None:
        self._folders = Collection(store, "plans", folder_upcasters)

    def get(self, person: str, game: str, seat: int) -> Folder:
        return self._folders.get(_key(person, game, seat)) or Folder()

    def change(self, person: str, game: str, seat: int, edit: Callable[[Folder], Folder]) -> Folder:
        """Save what `edit` makes of a folder; it is called again when another change came first."""
        result: list[Folder] = []

        def edited() -> Mapping[str, Folder]:
            result[:] = [edit(self.get(person, game, seat))]
            return {_key(person, game, seat): result[0]}

        self._folders.change(edited)
        return result[0]

    def everything(self, person: str) -> list[Any]:
        """All that somebody has planned, for their own eyes."""
        found = []
        for key, folder in self._folders.all(f"{person}/"):
            _, game, seat = key.split("/")
            found.append({"game": game, "seat": int(seat), **msgspec.to_builtins(folder)})
        return found

    def move(self, person: str, heir: str) -> None:
        """A guest's plans belong to the account that the guest is by now, after its own."""

        def moved() -> Mapping[str, Folder | None]:
            changes: dict[str, Folder | None] = {}
            for key, folder in self._folders.all(f"{person}/"):
                changes[key] = None
                own_key = f"{heir}/{key.partition('/')[2]}"
                own = self._folders.get(own_key)
                changes[own_key] = own.joined(folder) if own else folder
            return changes

        self._folders.change(moved)

    def forget(self, person: str) -> None:
        self._folders.change(
            lambda: dict.fromkeys(key for key, _ in self._folders.all(f"{person}/"))
        )


def _key(person: str, game: str, seat: int) -> str:
    return f"{person}/{game}/{seat}"

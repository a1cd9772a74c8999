"""Who is sought among many accounts is found without reading them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.store.collection import Collection
from tests.web.world import CHEAP, World
from web.accounts.account import Account
from web.accounts.service import People


def people_without_reading_all(world: World, patched: pytest.MonkeyPatch) -> People:
    def refuse(*_: Any) -> None:
        raise AssertionError("all accounts are read")

    patched.setattr(type(world.store.documents), "items", refuse)
    return world.services.people


def test_an_address_is_found_while_it_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path)
    anna, bert, carla = (world.person(name) for name in ("Anna", "Bert", "Carla"))
    with monkeypatch.context() as patched:
        people = people_without_reading_all(world, patched)
        for who, address in ((anna, "Both@Example.org"), (bert, "both@example.org")):
            people.want_email(who.id, address)
            assert who.id not in {each.id for each in people.with_address(address)}
            assert people.confirm_email(who.id, address)
        people.want_email(carla.id, "both@example.org")
        found = people.with_address(" BOTH@example.org ")
        assert {each.id for each in found} == {anna.id, bert.id}
        people.want_email(anna.id, "")
        assert [each.id for each in people.with_address("both@example.org")] == [bert.id]
        people.remove(bert.id)
        assert people.with_address("both@example.org") == []
        assert people.with_address("\x00") == people.with_address("") == []
    world.close()


def test_accounts_of_before_are_found(tmp_path: Path) -> None:
    """Stored before there were lists."""
    world = World(tmp_path)
    anna = world.person("Anna")
    account = world.services.people.get(anna.id)
    assert account is not None
    confirmed = msgspec.structs.replace(account, email="anna@example.org", confirmed=True)
    Collection(world.store, "accounts", Account).change(lambda: {f"id/{anna.id}": confirmed})
    (found,) = People(world.store, CHEAP).with_address("anna@example.org")
    assert found == confirmed
    world.close()

"""Names that look alike are one name, and what cannot be seen is none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.collection import Collection
from tests.web.world import CHEAP, PASSWORD, World
from web.accounts.account import Account
from web.accounts.keys import name_key
from web.accounts.service import People
from web.site.names import is_readable, looks
from web.site.problems import Problem

UNREADABLE = [
    "\u3164",
    "Anna\u3164",
    "An\u200bna",
    "An\u200dna",
    "\u202eannA",
    "Anna\u200f",
    "An\u00adna",
    "Anna\u0000",
    "\ufeffAnna",
    "\u2800",
    "Anna\u115f",
    "\u0430nna",
    "Ann\u03b1",
    "\u0391nna",
    "Anna\ue000",
    "",
    " ",
]
"""Nothing to see, something that cannot be seen, or letters of two scripts."""
READABLE = [
    "Anna",
    "Jürgen Müller-Lüdenscheidt",
    "O'Brien",
    "Дмитрий",
    "Ελένη",
    "王小明",
    "さくら花子",
    "김철수",
    "עברית",
    "Ana 3",
    "Player 🎲",
    "René & Zoë",
]
ALIKE = [
    ("Anna", "ANNA"),
    ("Anna", "Anna "),
    ("Anna", "Ａnna"),
    ("coco", "\u0441\u043e\u0441\u043e"),
    ("AHHA", "\u0410\u041d\u041d\u0410"),
    ("Iris", "lris"),
    ("Iris", "1ris"),
    ("Otto", "0tto"),
    ("Zoë", "Zoe\u0308"),
    ("modem", "modern"),
]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_no_name(name: str, world: World) -> None:
    assert not is_readable(name)
    with pytest.raises(Problem, match="can be read"):
        world.services.people.register(name, PASSWORD)
    form = {"name": name, "password": PASSWORD}
    assert world.nobody().ask("POST", "/register", form=form).status_code == 422
    assert world.nobody().post("/api/accounts", form).status_code == 422
    if name.strip():
        form = {"kind": "now", "name": name}
        assert world.nobody().ask("POST", "/play", form=form).status_code == 422


@pytest.mark.parametrize("name", READABLE)
def test_names_of_all_the_world_are_welcome(name: str, world: World) -> None:
    assert world.services.people.register(name, PASSWORD).name == name
    assert world.services.people.log_in(name, PASSWORD).name == name
    assert len({look for each in READABLE for look in looks(each)}) >= len(READABLE)


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_names_that_look_alike_are_one(first: str, second: str, world: World) -> None:
    for one, other in ((first, second), (second, first)):
        made = world.services.people.register(one, PASSWORD)
        with pytest.raises(Problem, match="taken"):
            world.services.people.register(other, PASSWORD)
        world.services.people.remove(made.id)


def test_nobody_at_a_table_looks_like_another(world: World) -> None:
    anna, bert = world.person("Iris"), world.person("Bert")
    table = anna.post("/api/tables", {"players": 2}).json or {}
    world.services.lobby.join(table["id"], bert.id, "lris")
    names = [seat.name for seat in world.services.lobby.get(table["id"]).seats]
    assert names == ["Iris", "lris 2"]


def test_accounts_of_before_stay_as_they_are(world: World) -> None:
    """Two that look alike, and one that would be refused today, log in by their names as ever."""
    old = ["Anna", "\u0410nna", "Bert\u3164"]
    accounts = Collection(world.store, "accounts", Account)
    made = [world.services.people.register(f"Old {n}", PASSWORD) for n in range(3)]
    for name, account in zip(old, made, strict=True):
        renamed = Account(id=account.id, name=name, password=account.password)
        world.services.people.remove(account.id)
        key = name_key(name)
        accounts.change(
            lambda renamed=renamed, key=key: {  # type: ignore[misc]
                f"name/{key}": renamed,
                f"id/{renamed.id}": renamed,
                "look/": None,
            }
        )
    people = People(world.store, CHEAP)
    for name in old:
        assert people.log_in(name, PASSWORD).name == name
    for name in ("ANNA", "\u0391NNA", "Bert"):
        with pytest.raises(Problem):
            people.register(name, PASSWORD)
    people.remove(made[0].id)
    with pytest.raises(Problem, match="taken"):
        people.register("Anna", PASSWORD)  # the other one still looks so
    people.remove(made[1].id)
    assert people.register("Anna", PASSWORD)


def test_it_does_not_take_long(world: World) -> None:
    looks("Anna")
    began = time.thread_time()
    for number in range(200):
        looks(f"\u0410\u043d\u043d\u0430 {number} " + "m" * 20)
        is_readable(f"Anna {number} " + "m" * 20)
    assert time.thread_time() - began < 1


@pytest.mark.parametrize("title", ["\u3164", "La\u200bkes", "\u202eLakes", "\u2800"])
def test_titles_can_be_read(title: str, world: World) -> None:
    anna = world.person("Anna")
    assert anna.post("/api/studies", {"title": title}).status_code == 422
    assert anna.ask("POST", "/studies", form={"title": title}).status_code == 422
    made = anna.post("/api/studies", {"title": "Lakes"}).json or {}
    change = anna.post(f"/api/studies/{made['id']}", {"title": title})
    assert change.status_code == 422

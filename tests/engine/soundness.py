"""Section 7 of the rules as one function, and the games in which it has to hold."""

from __future__ import annotations

from collections import Counter
from itertools import product

from engine.material import library
from engine.material.numbers import POLITICS, POOLS
from engine.state import City, State

PLAYERS = (2, 3, 4, 5)
SETUPS = ("beginner", "expert")
EVERY_KIND_OF_GAME = list(product(library.RULESETS, PLAYERS, SETUPS))


def assert_sound(s: State) -> None:
    """Everything that must be true after every event."""
    citizens = sum(city.citizens for city in s.cities.values())
    assert citizens + s.supply == 130
    assert s.supply >= 0
    assert_tokens_complete(s)
    if s.chance != "start":
        assert_cards_complete(s)
    for city in s.cities.values():
        assert_city_sound(s, city)
    assert_players_sound(s)


def assert_tokens_complete(s: State) -> None:
    standing = Counter(s.stands_on.values())
    for index, pool in enumerate(POOLS):
        out = sum(standing[building] for building in pool.split("/"))
        assert s.pools[index] + out == s.box.tokens[pool], pool
        assert s.pools[index] >= 0, pool


def assert_cards_complete(s: State) -> None:
    cards = Counter(POLITICS[card] for card in s.display + s.pile if card >= 0)
    for player in s.players.values():
        cards.update(POLITICS[card] for card in player.played + player.unseen)
    cards.update(POLITICS[card] for card in s.all_discards())
    assert +cards == Counter(s.numbers.in_play(library.politics_cards(s.box)))
    assert Counter(s.voice) == {0: 9, 1: 9, 2: 9}
    assert len(s.display) == s.numbers.display_places


def assert_city_sound(s: State, city: City) -> None:
    hexes = {hex_ for hex_, number in enumerate(s.city_on) if number == city.number}
    assert hexes == set(city.hexes)
    assert s.stands_on[city.castle] == "castle"
    assert [s.stands_on[hex_] for hex_ in hexes].count("castle") == 1
    assert [s.stands_on[hex_] for hex_ in hexes].count("market") == int(city.market)
    reached, todo = {city.castle}, [city.castle]
    while todo:
        beside = s.board.neighbours[todo.pop()]
        for hex_ in hexes - reached:
            if beside >> hex_ & 1:
                reached.add(hex_)
                todo.append(hex_)
        touched = {s.city_on[h] for h in s.stands_on if beside >> h & 1}
        assert touched <= {city.number}, "two cities touch"
    assert reached == hexes, "a city does not hang together"
    assert city.citizens >= 0
    if s.phase not in ("relocation", "people") and not broken_off(s):
        assert city.citizens >= len(hexes)
    kinds = [(s.numbers.kind[s.stands_on[h]], h) for h in hexes if h != city.castle]
    assert city.arches == [sum(kind.arches[i] for kind, _ in kinds) for i in range(3)]
    farms = [city.castle, *(h for kind, h in kinds if kind.name == "farm")]
    assert city.food == sum(s.land.wheat[h] for h in farms)
    figures = [s.figures_on[h] for h in hexes if h in s.figures_on]
    assert city.figures == [sum(on[i] for on in figures) for i in range(3)]


def assert_players_sound(s: State) -> None:
    for seat, player in s.players.items():
        assert player.gold >= 0
        assert 0 <= player.action_cards <= s.numbers.action_cards
        assert player.castles + len(s.cities_of(seat)) == s.numbers.castles
        out = sum(sum(on) for h, on in s.figures_on.items() if s.cities[s.city_on[h]].seat == seat)
        assert player.figures + out == s.numbers.figures
        assert player.figures >= 0
    if s.phase in ("opened", "castles", "bury", "over") and not broken_off(s):
        assert s.figures_on == {}


def broken_off(s: State) -> bool:
    """Whether the game ended because all others left, wherever the year stood."""
    return sum(not player.resigned for player in s.players.values()) == 1

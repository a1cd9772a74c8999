"""A second state like the first, sharing nothing that a fold changes: quicker than a snapshot.

Written out field by field, for trials and take-backs copy states by the thousand.
"""

from __future__ import annotations

from engine.state import City, Player, State


def copy_state(s: State) -> State:
    """The same game at the same point, to be folded on in another way.

    >>> from engine.selfplay import new_game
    >>> s = new_game(players=2, seed=1).state
    >>> other = copy_state(s)
    >>> other.players[1].gold += 1
    >>> s.players[1].gold + 1 == other.players[1].gold
    True
    """
    other = State(s.rules, s.board, s.box, s.setup, s.seats)
    become(other, s)
    return other


def become(s: State, other: State) -> None:
    """Make a state the same game at the same point as another, which stays as it is."""
    # Numbers, words, and what is never changed once it is there.
    s.rules, s.board, s.box, s.numbers = other.rules, other.board, other.box, other.numbers
    s.setup, s.seats, s.open = other.setup, other.seats, other.open
    s.phase, s.year, s.turn, s.start = other.phase, other.year, other.turn, other.start
    s.chance, s.tiles, s.land = other.chance, other.tiles, other.land
    s.founded_cities, s.occupied, s.supply = other.founded_cities, other.occupied, other.supply
    s.pile_seen, s.shown_voice, s.shuffles = other.pile_seen, other.shown_voice, other.shuffles
    s.secret, s.commitment, s.closed = other.secret, other.commitment, other.closed
    s.checkpoints, s.last_reveal, s.asked_at = other.checkpoints, other.last_reveal, other.asked_at
    # What a fold changes in place.
    s.awaiting, s.queue, s.winners = other.awaiting.copy(), other.queue.copy(), other.winners.copy()
    s.city_on, s.stands_on = other.city_on.copy(), other.stands_on.copy()
    s.pools, s.display, s.pile = other.pools.copy(), other.display.copy(), other.pile.copy()
    s.voice = other.voice.copy()
    s.discards, s.unseen_discards = other.discards.copy(), other.unseen_discards.copy()
    s.draws, s.trail, s.take_back = other.draws.copy(), other.trail.copy(), other.take_back.copy()
    s.figures_on = {hex_: figures.copy() for hex_, figures in other.figures_on.items()}
    s.neighbours = {number: near.copy() for number, near in other.neighbours.items()}
    s.cities = {number: _copy_city(city) for number, city in other.cities.items()}
    s.players = {seat: _copy_player(player, s) for seat, player in other.players.items()}


def _copy_city(city: City) -> City:
    other = City(city.number, city.seat, city.castle, city.citizens, city.food)
    other.hexes, other.mask, other.gold = city.hexes.copy(), city.mask, city.gold
    other.arches, other.figures = city.arches.copy(), city.figures.copy()
    other.market, other.water = city.market, city.water
    return other


def _copy_player(player: Player, s: State) -> Player:
    other = Player(s.numbers, player.bot)
    other.gold, other.castles = player.gold, player.castles
    other.figures, other.action_cards = player.figures, player.action_cards
    other.cities = [s.cities[city.number] for city in player.cities]
    other.played, other.unseen = player.played.copy(), player.unseen.copy()
    other.founded, other.penalty = player.founded, player.penalty
    other.starved, other.lost_by_moving = player.starved, player.lost_by_moving
    other.care, other.polled_voice = player.care, player.polled_voice
    other.resigned = player.resigned
    return other

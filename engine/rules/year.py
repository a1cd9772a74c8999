"""The course of a year (R12–R17, R33, R42): each phase a function, named as in the rules."""

from __future__ import annotations

from engine import effects
from engine.effects import EffectSink
from engine.material.numbers import POLITICS, POLITICS_INDEX, SERVICES
from engine.rules.demolition import everyone_settled, settle_everyone
from engine.rules.options import has_choice_of_turns
from engine.rules.relocation import begin_relocation
from engine.rules.scoring import end_game
from engine.state import City, State
from events.types import Bury, PoliticsShuffled, YearClosed


def begin_year(s: State, sink: EffectSink) -> None:
    """The four phases before the first political round, which nobody decides anything in."""
    move_start_player(s, sink)
    lay_out_voice(s, sink)
    earn_from_quarries(s, sink)
    grow(s, sink)
    prepare_display(s, sink)
    s.phase = "bury"
    s.turn = 0
    proceed(s, sink)


def move_start_player(s: State, sink: EffectSink) -> None:
    """R12: from year 2 on the start player's token moves to the left."""
    s.year += 1
    if s.year > 1:
        s.start = s.seat_after(s.start)
    if sink is not None:
        sink.append(effects.YearBegan(year=s.year, start=s.start))


def lay_out_voice(s: State, sink: EffectSink) -> None:
    """R13: the year's voice cards, the first face up."""
    show_voice(s, range(1), sink)


def show_voice(s: State, places: range, sink: EffectSink) -> None:
    """Everyone sees some of the year's voice cards."""
    first = s.numbers.voice_cards * (s.year - 1)
    s.last_reveal = len(s.trail)
    s.shown_voice |= (1 << first + places.stop) - (1 << first + places.start)
    if sink is not None:
        for place in places:
            service = SERVICES[s.voice[first + place]]
            sink.append(effects.VoiceShown(place=place + 1, service=service))


def earn_from_quarries(s: State, sink: EffectSink) -> None:
    """R14: each quarry earns one gold per mountain that it touches."""
    for city in s.cities.values():
        if city.gold:
            s.players[city.seat].gold += city.gold
    if sink is not None:
        for seat in s.clockwise(s.start):
            if gold := sum(city.gold for city in s.cities_of(seat)):
                sink.append(effects.GoldGained(seat=seat, gold=gold, why="quarries"))


def grow(s: State, sink: EffectSink) -> None:
    """R15: each city gains a citizen within its limit, clockwise, while the supply lasts."""
    growth = s.numbers.growth
    if not growth:
        return
    cities: list[City] = list(s.cities.values())
    if s.supply < growth * len(cities) or sink is not None:
        order = s.clockwise(s.start)
        cities.sort(key=lambda city: order.index(city.seat))
    for city in cities:
        if s.supply and s.has_room(city):
            citizens = 1 if growth == 1 else min(growth, s.room(city))
            city.citizens += citizens
            s.supply -= citizens
            if sink is not None:
                sink.append(
                    effects.CitizensCame(
                        seat=city.seat,
                        city=s.board.label[city.castle],
                        citizens=citizens,
                        why="growth",
                    )
                )
        elif sink is not None:
            sink.append(
                effects.GrowthStopped(
                    seat=city.seat,
                    city=s.board.label[city.castle],
                    why="limit" if s.supply else "supply",
                )
            )


def prepare_display(s: State, sink: EffectSink) -> None:
    """Fill what stayed empty (R32); with the house rule `flush` replace all that is left."""
    if s.rules.flush and s.year > 1:
        for card in s.display:
            if card >= 0:
                s.discards[card] += 1
        if sink is not None:
            cards = [POLITICS[card] for card in s.display if card >= 0]
            sink.append(effects.DisplayFlushed(cards=cards))
        s.display = [-1] * s.numbers.display_places
    s.draws = [place for place, card in enumerate(s.display) if card < 0]


def proceed(s: State, sink: EffectSink) -> None:
    """Go on as soon as all draws are done: to burying, or to the next political turn."""
    if s.draws and not draw(s, sink):
        s.awaiting = {}
        return
    if s.phase == "bury":
        s.phase = "politics"
        if may_bury(s):
            s.phase = "bury"
            s.awaiting[s.start] = "bury"
            return
    next_turn(s, sink)


def may_bury(s: State) -> bool:
    """House rule `ageing-display`: from year 2 on, while there is a card to bury."""
    ageing = s.rules.display == "ageing" and s.year > 1
    return ageing and s.display[0] >= 0 and not s.players[s.start].resigned


def draw(s: State, sink: EffectSink) -> bool:
    """R32: take the due cards from the pile. False when the discards must be shuffled first."""
    while s.draws:
        if not s.pile:
            if any(s.discards) or s.unseen_discards:
                s.chance = "shuffle"
                return False
            s.draws.clear()
            return True
        place = s.draws.pop(0)
        card = s.pile.pop()
        if place < 0:
            s.players[-place].unseen.append(card)
        else:
            s.display[place] = card
            s.last_reveal = len(s.trail)
            s.pile_seen |= 1 << len(s.pile)
            if sink is not None:
                sink.append(effects.CardShown(place=place + 1, card=POLITICS[card]))
    return True


def shuffle(s: State, e: PoliticsShuffled, sink: EffectSink) -> None:
    """R32: the discards become the new pile."""
    s.pile = [POLITICS_INDEX[card] for card in reversed(e.cards)]
    s.pile_seen = 0
    s.discards, s.unseen_discards = [0] * len(POLITICS), []
    s.shuffles += 1
    s.chance = ""
    proceed(s, sink)


def bury(s: State, e: Bury, sink: EffectSink) -> None:
    """House rule `ageing-display`: the start player may put the oldest card away."""
    s.awaiting.clear()
    s.phase = "politics"
    if e.bury:
        card = s.display.pop(0)
        s.discards[card] += 1
        s.display.append(-1)
        s.draws = [len(s.display) - 1]
        if sink is not None:
            sink.append(effects.CardBuried(seat=e.seat, card=POLITICS[card]))


def next_turn(s: State, sink: EffectSink) -> None:
    """R16: clockwise from the start player, round by round, whoever can decide something."""
    players = s.players
    seats = len(players)
    last = s.numbers.rounds * seats
    while s.turn < last:
        # As `seat_after` says; without the call, for this is asked at every turn.
        seat = (s.start + s.turn - 1) % seats + 1
        s.turn += 1
        player = players[seat]
        if player.resigned:
            if sink is not None:
                sink.append(effects.TurnPassed(seat=seat, why="resigned"))
        elif player.penalty:
            serve_penalty(s, seat, sink)
        elif has_choice_of_turns(s, seat):
            s.awaiting = {seat: "politics"}
            return
        elif player.action_cards:
            gain_gold(s, seat, sink)
        else:
            if sink is not None:
                sink.append(effects.TurnPassed(seat=seat, why="nothing-possible"))
            s.draws = [-seat]
            if not draw(s, sink):
                s.awaiting = {}
                return
    s.awaiting = {}
    tally(s, sink)


def gain_gold(s: State, seat: int, sink: EffectSink) -> None:
    """R18: an action card for gold."""
    player, gold = s.players[seat], s.numbers.action_gold
    player.action_cards -= 1
    player.gold += gold
    if sink is not None:
        sink.append(effects.GoldGained(seat=seat, gold=gold, why="action-card"))


def serve_penalty(s: State, seat: int, sink: EffectSink) -> None:
    """R40: the first turn after a hungry year is spent on turning an action card face down."""
    s.players[seat].penalty = False
    s.players[seat].action_cards -= 1
    if sink is not None:
        sink.append(effects.PenaltyTaken(seat=seat))


def tally(s: State, sink: EffectSink) -> None:
    """R33: all voice cards are shown. Relocation, demolition and feeding follow."""
    show_voice(s, range(1, s.numbers.voice_cards), sink)
    begin_relocation(s, sink)
    if not s.awaiting:
        begin_people_phase(s, sink)


def begin_people_phase(s: State, sink: EffectSink) -> None:
    """R38–R41, once relocation is over."""
    s.phase = "people"
    settle_everyone(s, sink)
    end_year_if_settled(s, sink)


def end_year_if_settled(s: State, sink: EffectSink) -> None:
    """The year ends when every seat has settled its people."""
    if everyone_settled(s):
        end_year(s, sink)


def end_year(s: State, sink: EffectSink) -> None:
    """R42: figures, cards and action cards return; R40 notes who must pay next year."""
    for hex_ in s.figures_on:
        s.cities[s.city_on[hex_]].figures = [0, 0, 0]
    s.figures_on = {}
    s.neighbours = {}
    harsh, numbers, last = s.rules.penalty_for == "starved-or-moved", s.numbers, s.last_year
    for player in s.players.values():
        player.figures = numbers.figures
        player.action_cards = numbers.action_cards
        for card in player.played:
            s.discards[card] += 1
        s.unseen_discards += player.unseen
        player.played, player.unseen = [], []
        player.founded = False
        player.penalty = not last and bool(player.starved or (harsh and player.lost_by_moving))
    if sink is not None:
        sink.append(effects.YearEnded(year=s.year))
    if last:
        end_game(s, sink)
        return
    for player in s.players.values():
        player.starved = player.lost_by_moving = 0
    begin_year(s, sink)


def close_year(s: State, e: YearClosed, sink: EffectSink) -> None:
    """The digest is proof, not play: it changes nothing but the memory that it was written."""
    s.closed = e.year

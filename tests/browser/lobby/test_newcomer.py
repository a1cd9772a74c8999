"""A newcomer plays a whole game against a bot."""

from __future__ import annotations

import random

import pytest

from engine.fold import fold
from projections.now.scoreboard import scoreboard
from tests.browser.table.page import TablePage


@pytest.mark.long
def test_a_newcomer_plays_against_a_bot_to_the_final_score(visit, server):
    page = visit()
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")
    table, chance = TablePage(page), random.Random(4)
    table.wait_for_question()
    while not table.over:
        table.take_turn(chance)
        table.wait_for_question()
    shown = [row.split("\t") for row in table.final.locator("tbody tr").all_inner_texts()]
    state = fold(record.decode() for record in server.store.read(table.id))
    scores = scoreboard(state)
    assert state.phase == "over"
    expected = [
        [line.place, f"{line.seat} {line.name}", line.citizens, line.cities, line.hunger]
        for line in sorted(scores.lines, key=lambda line: line.place)
    ]
    points = [[line.total, line.gold] for line in sorted(scores.lines, key=lambda x: x.place)]
    assert [[cell.strip() for cell in row] for row in shown] == [
        [str(cell) for cell in [*first, *last]]
        for first, last in zip(expected, points, strict=True)
    ]
    page.reload()
    assert table.over
    assert not table.turn.is_visible()

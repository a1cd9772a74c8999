"""Living together at a table: taking back, resigning, talking, and notes that are one's own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine.actions.legal import legal_actions
from engine.fold import apply, fold
from engine.rules.take_back import revealed_something
from engine.selfplay import Game
from tests.browser.table.page import TablePage


def lighting(game: Game) -> object | None:
    """An action of the first seat by which a card comes up."""
    for action in legal_actions(game.state, 1):
        then = fold(game.events)
        apply(then, action, [])
        if revealed_something(then) and not then.chance and then.phase == "politics":
            return action
    return None


def can_light(s: object) -> bool:
    cards = {getattr(each, "card", "action") for each in legal_actions(s, 1)}
    return s.phase == "politics" and 1 in s.awaiting and s.round >= 2 and len(cards) > 1


def to_take_back(server, *names: str) -> tuple[str, object]:
    """A game in which the first seat can do something that brings a card to light."""
    table = server.new_table(*names)
    game = server.play_until(table, lambda s: can_light(s))
    action = lighting(game)
    assert action is not None
    return server.begin(table, game), action


REPORT = r" ⚑Report \w+ to the hosts"


def shown(page: Page) -> tuple[list[str], str, str]:
    """What lies on the table: the open cards, the players, the board but for the last move."""
    hexes = "all => all.map(hex => hex.querySelector('title').textContent.split(';')[0]).join()"
    board = page.eval_on_selector_all("#board [data-hex]", hexes)
    cards = page.locator(".display .name").all_text_contents()
    # Everybody can report the others alone.
    text = " ".join(page.locator("table.players").text_content().split())
    players = re.sub(REPORT, "", text)
    return cards, players, board


@pytest.mark.long
def test_a_take_back_that_all_agree_to(visit, server):
    id_, action = to_take_back(server, "Asta", "Bela", "Cleo")
    asta, bela, cleo = (visit(name) for name in ("Asta", "Bela", "Cleo"))
    tables = [TablePage(page).open(id_) for page in (asta, bela, cleo)]
    for page in (asta, bela, cleo):
        page.evaluate("document.notReloaded = true")
    before = [shown(page) for page in (asta, bela, cleo)]
    version = tables[0].version
    server.services.games.act(id_, action)
    for table in tables:
        table.wait_past(version)
    assert shown(bela) != before[1]

    button = asta.get_by_role("button", name="Take back")
    expect(button).to_have_accessible_description(
        "Something has come to light since: the others have to agree."
    )
    button.focus()
    asta.keyboard.press("Enter")
    mine = asta.get_by_role("region", name="You ask to take back your last action")
    expect(mine).to_contain_text(re.compile("Waited for: .*Bela.*Cleo"))
    expect(mine).to_be_focused()
    question = bela.get_by_role("region", name="Asta asks to take back the last action")
    expect(question).to_contain_text("Asta ")
    expect(bela.locator("#live")).to_have_text("Asta asks to take the last action back.")
    question.get_by_role("button", name="Agree").focus()
    bela.keyboard.press("Enter")
    expect(mine).to_contain_text(re.compile("Waited for: .*Cleo"))
    expect(mine).to_contain_text(re.compile("Agreed: .*Bela"))
    expect(question.get_by_role("button")).to_have_count(0)
    cleo.get_by_role("button", name="Agree").click()

    expect(mine).to_have_count(0)
    for table, known in zip(tables, before, strict=True):
        expect(table.page.locator("#take-back-head")).to_have_count(0)
        assert shown(table.page) == known
        assert table.page.evaluate("document.notReloaded")
        expect(table.story.first).to_contain_text("Asta")
    tables[0].wait_for_question()
    assert tables[0].owes == "politics"


@pytest.mark.long
def test_a_take_back_that_is_refused(visit, server):
    id_, action = to_take_back(server, "Dora", "Egon")
    dora, egon = TablePage(visit("Dora")).open(id_), TablePage(visit("Egon", 390, 844)).open(id_)
    server.services.games.act(id_, action)
    dora.page.get_by_role("button", name="Take back").click()
    question = egon.page.locator("#take-back")
    expect(question.get_by_role("button")).to_have_count(2)
    # Wherever one has scrolled to, the question is there.
    egon.page.mouse.wheel(0, 2000)
    expect(question.get_by_role("button", name="Agree")).to_be_in_viewport()
    acted = shown(egon.page)
    question.get_by_role("button", name="Refuse").click()
    expect(dora.story.first).to_contain_text("Egon refuses")
    expect(dora.live).to_contain_text("Egon refuses")
    for table in (dora, egon):
        expect(table.page.locator("#take-back-head")).to_have_count(0)
        assert shown(table.page) == acted
    # It can be asked for again, and lapses when somebody acts.
    dora.page.get_by_role("button", name="Take back").click()
    expect(question.get_by_role("button")).to_have_count(2)
    egon.page.mouse.wheel(0, -4000)
    version = dora.version
    state = server.state(id_)
    owing = min(state.awaiting)
    server.services.games.act(id_, legal_actions(state, owing)[0])
    dora.wait_past(version)
    expect(dora.page.locator("#take-back-head")).to_have_count(0)
    expect(question.get_by_role("button", name="Agree")).to_have_count(0)


def test_at_one_screen_all_agree_with_one_button(visit, server):
    page = visit("Fritz")
    page.goto("/")
    form = page.get_by_role("region", name="Hot-seat")
    form.get_by_role("heading", name="Hot-seat").click()
    form.get_by_role("group", name="People").get_by_text("3", exact=True).click()
    form.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")
    table = TablePage(page)
    id_ = table.id
    for _ in range(200):
        state = server.state(id_)
        seat = min(state.awaiting)
        server.services.games.act(id_, legal_actions(state, seat)[0])
        state = server.state(id_)
        if state.phase == "politics" and revealed_something(state) and not state.chance:
            break
    table.wait_past(server.end(id_)[0] - 1)
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="Agree").click()
    expect(page.locator("#take-back-head")).to_have_count(0)
    table.wait_for_question()
    assert table.seat == seat


@pytest.mark.long
def test_nobody_resigns_by_a_stray_click(visit, server):
    table = server.new_table("Gerd", "Hans")
    game = server.play_until(table, lambda s: s.phase == "politics" and 1 in s.awaiting)
    id_ = server.begin(table, game)
    gerd, hans = TablePage(visit("Gerd")).open(id_), TablePage(visit("Hans")).open(id_)
    version = gerd.version
    gerd.open_panel("away")
    gerd.page.get_by_role("button", name="Resign …").click()
    dialog = gerd.page.get_by_role("dialog", name="Do you want to resign?")
    expect(dialog).to_contain_text("Your cities stay on the board and follow the rules.")
    expect(dialog).to_contain_text("the game ends at once, and that player wins")
    # Who goes on pressing Enter keeps playing; so does who presses Escape.
    expect(dialog.get_by_role("button", name="Keep playing")).to_be_focused()
    gerd.page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    gerd.page.get_by_role("button", name="Resign …").click()
    gerd.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert server.end(id_)[0] == version
    gerd.page.get_by_role("button", name="Resign …").click()
    dialog.get_by_role("button", name="Resign now").click()
    hans.final.wait_for()
    gerd.final.wait_for()
    expect(gerd.page.locator("#panel-resign")).to_be_hidden()
    assert server.state(id_).players[1].resigned


@pytest.fixture
def talkers(visit, server):
    table = server.new_table("Ines", "Jan", "Kai")
    game = server.play_until(table, lambda s: s.year == 2 and s.phase == "politics")
    id_ = server.begin(table, game)
    return [TablePage(visit(name)).open(id_) for name in ("Ines", "Jan")]


@pytest.mark.long
def test_talk_with_a_mention_by_keyboard(talkers):
    ines, jan = (table.page for table in talkers)
    for page in (ines, jan):
        page.evaluate("document.notReloaded = true")
    badge = jan.locator("#tab-chat .badge")
    expect(badge).to_be_hidden()
    ines.locator("#tab-chat").focus()
    ines.keyboard.press("Enter")
    field = ines.get_by_role("combobox", name="Say something")
    field.focus()
    field.press_sequentially("Well played, @")
    options = ines.get_by_role("option")
    expect(options).to_have_text(["Jan", "Kai"])
    ines.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    ines.keyboard.press("Escape")
    expect(options).to_have_count(0)
    ines.keyboard.type("j")
    expect(options).to_have_text(["Jan"])
    ines.keyboard.press("Enter")
    expect(field).to_have_value("Well played, @Jan ")
    ines.keyboard.type("<img src=x>")
    ines.keyboard.press("Enter")
    expect(field).to_have_value("")
    expect(ines.locator(".chat-line")).to_have_count(1)

    # The other hears of it without asking, and is led there.
    expect(badge).to_have_text("New: 1")
    expect(jan.locator("#live")).to_have_text(
        "In the table chat, Ines: Well played, @Jan <img src=x>"
    )
    jan.get_by_role("tab", name="Chat").click()
    expect(jan.locator("#panel-chat .mention.mine")).to_have_text("@Jan")
    expect(badge).to_be_hidden()
    expect(jan.locator(".chat-line img")).to_have_count(0)
    jan.reload()
    expect(jan.locator("#panel-chat")).not_to_have_attribute("open", "")
    talkers[1].open_panel("chat")
    # A line leads to the moment at which it was said.
    jan.locator(".said-at").click()
    expect(talkers[1].walk).to_be_visible()
    jan.keyboard.press("Escape")

    ines.get_by_role("button", name="Withdraw").click()
    expect(jan.locator(".said-words")).to_have_text("Withdrawn by its author.")
    expect(ines.locator(".said-words")).to_have_text("Withdrawn by its author.")
    assert ines.evaluate("document.notReloaded")


@pytest.mark.long
def test_a_notepad_saves_itself_and_two_windows_meet(visit, talkers):
    visit.expected = "status of 409"
    page = talkers[0].page
    talkers[0].open_panel("notepad")
    pad, state = page.get_by_label("My notepad"), page.locator(".notepad-state")
    pad.fill("A bath at d4.")
    expect(state).to_have_text("Saved.")
    # What is typed last is kept, though the page goes before it saved itself.
    pad.press_sequentially(" And gold.")
    page.reload()
    talkers[0].open_panel("notepad")
    expect(pad).to_have_value("A bath at d4. And gold.")

    other = page.context.new_page()
    other.goto(page.url)
    TablePage(other).open_panel("notepad")
    other.get_by_label("My notepad").fill("Other window.")
    expect(other.locator(".notepad-state")).to_have_text("Saved.")
    pad.fill("This window.")
    expect(state).to_have_text("Not saved: your notepad was changed in another window.")
    expect(page.locator("[data-theirs]")).to_have_text("Other window.")
    page.get_by_role("button", name="Keep what is written here").click()
    expect(state).to_have_text("Saved.")
    other.get_by_label("My notepad").fill("Once more.")
    other.get_by_role("button", name="Take the other text").click()
    expect(other.get_by_label("My notepad")).to_have_value("This window.")
    other.close()

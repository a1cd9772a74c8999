"""Notes and what-if lines in the viewer: written, drawn, answered, tried out, gone back from."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.places import Places
from tests.browser.viewer.notes import NotesPage


@pytest.fixture(scope="module")
def over(server):
    return Places(server).game("over")


def test_a_note_with_text_sign_and_drawing_is_there_after_a_reload(visit, over):
    viewer = NotesPage(visit("Lucia"))
    viewer.open(over, 40)
    viewer.write("**Too early.** <img src=x>", sign="a mistake")
    viewer.start_drawing()
    first, second, third = viewer.open_hexes()[30:90:25]
    viewer.hex(first).click()
    viewer.take_colour("blue")
    viewer.hex(second).click()
    viewer.drag(first, third)
    assert (viewer.rings.count(), viewer.arrows.count()) == (2, 1)
    # A second click with the same colour takes it away.
    viewer.hex(second).click()
    expect(viewer.rings).to_have_count(1)
    viewer.save()
    assert not viewer.reloaded
    viewer.notes.wait_for()
    viewer.page.reload()
    assert viewer.notes.locator("strong", has_text="Too early.").count() == 1
    assert viewer.notes.locator("img").count() == 0
    assert "a mistake" in viewer.notes.inner_text()
    assert viewer.rings.count() == viewer.arrows.count() == 1
    expect(viewer.arrows.locator(".s-note-blue")).to_have_count(1)
    # The drawing goes with its moment, forth and back, and stands in words for who cannot see it.
    assert f"{first} red, {first} → {third} blue" in viewer.notes.text_content()
    goal = viewer.page.evaluate("JSON.parse(document.querySelector('#state').dataset.steps)")
    viewer.press("ArrowRight", goal["turn-on"])
    assert viewer.rings.count() == viewer.arrows.count() == viewer.notes.count() == 0
    viewer.press("ArrowLeft", 40)
    assert viewer.rings.count() == viewer.arrows.count() == viewer.notes.count() == 1
    viewer.notes.get_by_role("button", name="Drawn on the board").click()
    assert viewer.rings.count() == viewer.arrows.count() == 0
    # The story and the list lead there.
    viewer.press("Home", 1)
    viewer.story.get_by_role("link", name="Note: a mistake").click()
    viewer.wait_for(40)
    viewer.press("Home", 1)
    viewer.page.locator("#all-notes summary").click()
    viewer.page.locator("#all-notes").get_by_role("link", name="Moment 40").click()
    viewer.wait_for(40)


@pytest.mark.long
def test_another_person_answers_and_the_author_changes_and_withdraws(visit, over):
    anna, bert = NotesPage(visit("Anna")), NotesPage(visit("Bert"))
    anna.open(over, 50)
    anna.write("Why not the lake?")
    anna.save()
    anna.notes.wait_for()
    bert.open(over, 50)
    bert.notes.get_by_role("button", name="Answer").click()
    expect(bert.form.get_by_role("heading")).to_have_text("Answer to Anna", use_inner_text=True)
    bert.write("No gold.")
    bert.save()
    bert.page.locator("#notes-here .depth-1").wait_for()
    assert bert.notes.first.get_by_role("button", name="Edit").count() == 0
    anna.page.reload()
    assert "No gold." in anna.notes.nth(1).inner_text()
    anna.notes.first.get_by_role("button", name="Edit").click()
    expect(anna.page.locator("#note-text")).to_have_value("Why not the lake?")
    anna.write("Why not the market?")
    anna.save()
    anna.page.locator(".note", has_text="Why not the market?").wait_for()
    assert "changed since" in anna.notes.first.inner_text()
    anna.notes.first.get_by_role("button", name="Withdraw").click()
    anna.page.locator(".note.withdrawn").wait_for()
    assert "market" not in anna.page.locator("#notes-here").inner_text()
    assert "No gold." in anna.page.locator("#notes-here").inner_text()


@pytest.mark.long
def test_drawing_by_keys_alone(visit, over):
    viewer = NotesPage(visit("Lucia"))
    viewer.open(over, 44)
    viewer.write("By keys.")
    viewer.start_drawing()
    page = viewer.page
    page.locator("#board [data-hex][tabindex='0']").focus()
    here = "document.activeElement.dataset.hex"
    first = page.evaluate(here)
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    second = page.evaluate(here)
    assert second not in (first, None)
    page.keyboard.press("a")
    drawn = page.locator("#drawn").inner_text()
    assert f"{first} red" in drawn
    assert f"{first} → {second} red" in drawn
    assert viewer.number == 44
    page.get_by_label("Arrow from").select_option(second)
    page.locator("#arrow-to").select_option(first)
    page.get_by_role("button", name="Add").click()
    expect(viewer.arrows).to_have_count(2)
    page.get_by_role("button", name=f"Take away: {second} → {first} red").click()
    expect(viewer.arrows).to_have_count(1)
    page.get_by_role("button", name="Cancel").click()
    assert viewer.arrows.count() == viewer.rings.count() == 0
    assert page.locator("#board [role=button]").count() == 0


@pytest.mark.long
def test_a_link_lets_others_read_while_they_step(visit, over):
    anna = NotesPage(visit("Anna", permissions=["clipboard-read", "clipboard-write"]))
    anna.open(over, 60)
    anna.write("For those with the link.", seen_by="Whoever has my link")
    anna.save()
    anna.notes.wait_for()
    anna.page.get_by_role("button", name="Copy my link").click()
    anna.page.get_by_role("button", name="Copied").wait_for()
    address = anna.page.evaluate("navigator.clipboard.readText()")
    other = NotesPage(visit())
    other.open(over, 60)
    assert other.notes.count() == 0
    other.page.goto(address)
    expect(other.notes).to_have_count(1)
    other.press("Home", 1)
    assert "by=" in other.page.url
    other.page.go_back()
    other.wait_for(60)
    other.notes.wait_for()


@pytest.mark.long
def test_a_stranger_becomes_a_guest_with_the_first_note(visit, over):
    viewer = NotesPage(visit())
    viewer.open(over, 55)
    viewer.write("I was only passing.")
    viewer.form.get_by_label("Your name").fill("Gina")
    viewer.save()
    viewer.notes.wait_for()
    assert "Gina (guest)" in viewer.notes.inner_text()
    viewer.page.get_by_role("button", name="Write a note").click()
    assert viewer.form.get_by_label("Your name").count() == 0


@pytest.mark.long
def test_a_line_of_three_actions_a_nested_one_and_back(visit, server, over):
    # What was fetched ahead may be gone with the line.
    visit.expected = "404"
    viewer = NotesPage(visit("Lucia"))
    replay = server.services.replays.get(over)
    start = next(n for n in range(30, replay.last) if replay.at(n).awaiting)
    viewer.open(over, start)
    viewer.try_another_way("Otherwise")
    for _ in range(3):
        viewer.act()
    page = viewer.page
    assert "What if: Otherwise" in viewer.banner.inner_text()
    line = re.search(r"line=([0-9a-f]+)", page.url)[1]
    book = server.services.notebooks.get(f"game/{over}")
    actions = [event for event in book.lines[line].events if hasattr(event, "seat")]
    assert len(actions) == 3
    last = viewer.number
    assert last == book.lines[line].last
    page.get_by_role("button", name="Cancel").click()
    # Keys, story and slider stay in the line.
    viewer.press("Home", 1)
    viewer.press("End", last)
    viewer.story.get_by_role("link").first.click()
    page.wait_for_function("() => Number(document.querySelector('#state').dataset.number) < 30")
    assert f"line={line}" in page.url
    # From the middle of the line another one leaves.
    page.goto(f"/replay/{over}/{start + 1}?line={line}")
    viewer.slider.wait_for()
    page.get_by_role("button", name="Try another way").click()
    viewer.trying.get_by_label("Title").fill("Inside")
    viewer.trying.get_by_label("turns").fill("3")
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(lambda url: "line=" in url and line not in url)
    assert "What if: Inside" in viewer.banner.inner_text()
    viewer.write("In the line.")
    viewer.save()
    viewer.notes.wait_for()
    page.get_by_role("link", name="Back to the line that it leaves").click()
    page.wait_for_url(f"**/{start + 1}?line={line}")
    expect(viewer.lines).to_have_text("Inside", use_inner_text=True)
    # The end of one's own line can be cut off, and the line deleted.
    page.get_by_role("button", name="Cut off").click()
    page.locator(f"#state[data-last='{start + 1}']").wait_for(state="attached")
    page.get_by_role("link", name="Back to the game").click()
    page.wait_for_url(f"**/replay/{over}/{start}")
    assert not viewer.banner.is_visible()
    expect(viewer.lines).to_have_text("Otherwise", use_inner_text=True)
    viewer.lines.click()
    viewer.banner.wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete this line").click()
    page.wait_for_url(f"**/replay/{over}/{start}")
    assert viewer.lines.count() == 0


@pytest.mark.long
def test_in_a_running_game_only_other_cards_can_be_tried(visit, server):
    game = Places(server).game("turn")
    viewer = NotesPage(visit("Watcher"))
    viewer.open(game)
    page = viewer.page
    page.get_by_role("button", name="Try another way").click()
    offered = page.locator("#line-cards option").all_inner_texts()
    assert offered == ["dealt anew, as a spectator knew them"]
    hidden = page.locator(".voice-hidden").count()
    viewer.try_another_way()
    viewer.act()
    assert "dealt anew, as a spectator knew them" in viewer.banner.inner_text()
    assert page.locator(".voice-hidden").count() == hidden > 0


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_while_drawing_and_in_a_line(visit, over, scheme):
    viewer = NotesPage(visit("Lucia", color_scheme=scheme))
    viewer.open(over, 46)
    viewer.write("A note.", sign="brilliant")
    viewer.save()
    viewer.notes.first.wait_for()
    viewer.write("Another.")
    viewer.start_drawing()
    viewer.hex(viewer.open_hexes()[20]).click()
    # In the dark nothing differs but the colours.
    rules = {} if scheme == "light" else {"runOnly": ["color-contrast", "link-in-text-block"]}
    found = [violations(viewer, rules)]
    viewer.page.get_by_role("button", name="Cancel").click()
    viewer.try_another_way("Tried")
    found.append(violations(viewer, rules))
    viewer.act()
    found.append(violations(viewer, rules))
    assert found == [[], [], []]
    for width in (360, 390, 1440):
        viewer.page.set_viewport_size({"width": width, "height": 844})
        assert viewer.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def violations(viewer, rules):
    options = {"resultTypes": ["violations"], "preload": False, **rules}
    return [
        (finding["id"], [node["html"][:150] for node in finding["nodes"][:3]])
        for finding in Axe().run(viewer.page, options=options).response["violations"]
        if finding["impact"] in ("serious", "critical")
    ]

"""A guest plays, writes and studies; what is theirs is the account's once they have one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.serving import PASSWORD
from tests.browser.viewer.notes import NotesPage


@pytest.mark.parametrize("way", ["log in", pytest.param("register", marks=pytest.mark.long)])
def test_what_a_guest_has_is_kept(visit, server, way):
    name = f"Gil {way}"
    if way == "log in":
        server.account(name)
    finished = server.new_table("Rosa", "Sven")
    over = server.begin(finished, server.play_until(finished, lambda s: s.phase == "over"))
    page = visit()
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")
    table = page.url.rpartition("/")[2]

    page.goto(f"/replay/{over}/20")
    notes = NotesPage(page)
    notes.write("Mine.", seen_by="Only I")
    notes.save()
    page.goto("/studies")
    page.get_by_label("Title").fill("My openings")
    page.get_by_role("button", name="Open the study").click()
    page.get_by_role("heading", name="My openings").wait_for()

    # From the note's page to the account, and back there.
    page.goto(f"/replay/{over}/20")
    page.get_by_role("link", name="Log in", exact=True).first.click()
    if way == "register":
        page.get_by_role("main").get_by_role("link", name="Make").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    word = "Make an account" if way == "register" else "Log in"
    page.get_by_role("main").get_by_role("button", name=word, exact=True).click()
    page.wait_for_url(f"**/replay/{over}/20")
    expect(notes.notes.first.get_by_text("Mine.")).to_be_visible()
    assert name in notes.notes.first.inner_text()
    page.goto("/studies")
    page.get_by_role("link", name="My openings").wait_for()
    page.goto("/")
    assert page.locator(f"#my-games a[href='/table/{table}']").count() == 1
    page.goto(f"/table/{table}")
    page.locator("#state[data-seat='1']").wait_for(state="attached")

    # And on another device it is there, too, while nobody else has it.
    elsewhere = visit(name)
    elsewhere.goto(f"/replay/{over}/20")
    NotesPage(elsewhere).notes.first.get_by_text("Mine.").wait_for()
    stranger = visit("Tove")
    stranger.goto(f"/replay/{over}/20")
    assert NotesPage(stranger).notes.count() == 0

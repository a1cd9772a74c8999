"""Studies made by hand, a turn guessed, games handed on, and files full of scripts."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from replays.guess import likeness
from replays.notes.annotations import Author, ChapterPut, StudyOpened
from tests.browser.places import Places
from tests.browser.viewer.page import ReplayPage
from tests.web.share.test_import import evil_study


@contextmanager
def elsewhere(body):
    """Another site with one page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def over(server):
    return Places(server).game("over")


@pytest.fixture(scope="module")
def study(server, over):
    """A study for everyone: one chapter to look through, one to guess in."""
    by, write = (
        Author(name="Lucia", person=server.account("Lucia")),
        server.services.notebooks.write,
    )
    put = {"by": by, "game": over, "introduction": "Look at **c7**."}
    for each in (
        StudyOpened(by=by, title="Hunger", introduction="- farms", seen_by="all"),
        ChapterPut(**put, chapter="c1", title="A city too many", start=20),
        ChapterPut(**put, chapter="c2", title="What would you do?", start=12, guess=2),
    ):
        write("study/hunger", lambda _, each=each: each)
    return "/study/hunger"


@pytest.mark.long
def test_a_study_of_two_chapters_is_made_by_hand(visit, over):
    page = visit("Lucia")
    page.goto("/")
    page.get_by_role("link", name="Studies").click()
    page.get_by_label("Title").fill("Two cities")
    page.get_by_label("Introduction").fill("Where *lakes* are.")
    page.locator("label.pill", has_text="everyone").click()
    page.get_by_role("button", name="Open the study").click()
    page.get_by_role("heading", name="Two cities").wait_for()
    add = page.get_by_role("region", name="Add a chapter")
    add.get_by_label("Game", exact=True).select_option(over)
    add.get_by_label("Title").fill("First")
    add.get_by_role("button", name="Add the chapter").click()
    page.get_by_role("link", name="First", exact=True).wait_for()
    add.get_by_text("A game that is not in the list").click()
    add.get_by_label("Its id, or the address").fill(
        f"{page.url.split('/study')[0]}/replay/{over}/30"
    )
    add.get_by_label("Title").fill("Second")
    add.get_by_role("button", name="Add the chapter").click()
    titles = page.locator(".chapter h3")
    titles.nth(1).wait_for()
    assert titles.all_inner_texts() == ["First", "Second"]
    # By keyboard alone.
    page.get_by_role("button", name="Further up: Second").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.chapter h3').innerText === 'Second'")
    page.get_by_role("link", name="Second", exact=True).click()
    page.locator("#state[data-number='30']").wait_for(state="attached")
    page.locator("#slider").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("#state:not([data-number='30'])").wait_for(state="attached")
    page.wait_for_function("() => document.getElementById('share-link').value === location.href")
    page.get_by_role("navigation", name="Chapters").get_by_role("link", name="First →").click()
    page.locator("#state[data-number='1']").wait_for(state="attached")


def test_a_turn_is_guessed_by_keyboard(visit, server, over, study):
    page = visit()
    page.goto(study)
    page.get_by_role("link", name="What would you do?").click()
    page.locator("#turn .options button").first.wait_for()
    at = int(page.locator("#state").get_attribute("data-number"))
    cursor = server.services.replays.get(over).cursor
    told = [
        int(each) for each in page.locator(".story li").evaluate_all("all => all.map(x => x.value)")
    ]
    assert max(told) <= at
    assert page.locator("#charts").count() == 0
    picked = 0
    while page.locator("#turn .options button").count():
        before = page.locator("#turn").inner_html()
        page.locator("#turn .options button").first.focus()
        page.keyboard.press("Enter")
        picked += 1
        page.wait_for_function(
            "before => document.querySelector('#turn').innerHTML !== before", arg=before
        )
    assert picked
    page.locator("#turn .primary").focus()
    page.keyboard.press("Enter")
    page.locator(".both").wait_for()
    state = cursor.at(at)
    words = {"same": "The same!", "similar": "Much the same.", "other": "Something else."}
    possible = {words[likeness(state, each, cursor.events[at])] for each in legal_actions(state, 2)}
    assert page.locator("#guess-head").inner_text() in possible
    assert "of 1 the same" in page.locator(".tally").inner_text()
    assert int(page.locator("#state").get_attribute("data-number")) == at + 1
    page.get_by_role("link", name="On to the next turn").focus()
    page.keyboard.press("Enter")
    page.locator("#turn .options button").first.wait_for()
    assert int(page.locator("#state").get_attribute("data-number")) > at


@pytest.mark.long
def test_without_scripts_a_turn_is_guessed_from_a_list(visit, study):
    page = visit(java_script_enabled=False)
    page.goto(f"{study}/c2/guess")
    page.get_by_label("Choose one of these").select_option(index=0)
    page.get_by_role("button", name="This is my guess").click()
    expect(page.get_by_text("What was played")).to_be_visible()


@pytest.mark.long
def test_what_can_be_taken_along_follows_the_moment(visit, over):
    page = visit()
    viewer = ReplayPage(page).open(over, 20)
    goal = page.evaluate("JSON.parse(document.querySelector('#state').dataset.steps)")["turn-on"]
    viewer.press("ArrowRight", goal)
    share = page.get_by_role("region", name="Share")
    assert share.get_by_label("Link to this moment").input_value().endswith(f"/{goal}")
    assert f'/embed/{over}/{goal}"' in share.get_by_label("another site").input_value()
    names = {}
    for link in share.get_by_role("link").all():
        with page.expect_download() as download:
            link.click()
        names[download.value.suggested_filename] = Path(download.value.path()).read_bytes()[:60]
    assert names[f"lacitta-{over}.html"].startswith(b"<!doctype html>")
    assert names[f"lacitta-{over}-{goal}.png"].startswith(b"\x89PNG")
    assert names[f"lacitta-{over}-{goal}.svg"].startswith(b"<svg")
    assert names[f"lacitta-{over}.jsonl"].startswith(b'{"format":"lacitta-game"')
    assert names[f"lacitta-{over}.txt"].startswith(b"[Game ")


@pytest.mark.long
def test_a_frame_on_another_site_shows_the_game_and_nothing_else_can_be_framed(visit, server, over):
    visit.expected = "frame-ancestors"
    page = visit()
    frames = "".join(
        f'<iframe src="{server.address}{path}" width="700" height="600" name="{name}"></iframe>'
        for name, path in (("game", f"/embed/{over}/30"), ("page", f"/replay/{over}/30"))
    )
    with elsewhere(f'<link rel="icon" href="data:,">{frames}') as address:
        page.goto(address)
        frame = page.frame_locator("[name=game]")
        frame.locator("svg [data-hex]").first.wait_for()
        assert frame.locator("form, input, header").count() == 0
        before = frame.locator("h1").inner_text()
        frame.get_by_role("link", name="A turn on").click()
        frame.locator("h1").filter(has_not_text=before).wait_for()
        frame.locator("body").press("ArrowLeft")
        frame.locator("h1").filter(has_text=before).wait_for()
        assert page.frame_locator("[name=page]").locator("svg [data-hex]").count() == 0


@pytest.mark.long
def test_an_uploaded_study_runs_nothing(visit):
    visit.expected = "422"
    page, ran = visit("Lucia"), []
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    page.goto("/studies")
    page.get_by_role("link", name="Import a game or a study").click()
    file = {"name": "<b>study</b>.json", "mimeType": "application/json"}
    page.get_by_label("A log").set_input_files({**file, "buffer": b"PK\x03\x04"})
    page.get_by_role("button", name="Import").click()
    assert "compressed files (zip) are not opened" in page.get_by_role("alert").inner_text()
    page.get_by_label("A log").set_input_files({**file, "buffer": evil_study()})
    page.get_by_role("button", name="Import").click()
    page.wait_for_url("**/study/*")
    assert "<script>alert(1)</script>" in page.get_by_role("heading", level=1).inner_text()
    study = page.url
    for path in (study, f"{study}/c1", f"{study}/c1/2", "/studies"):
        page.goto(path)
        page.wait_for_timeout(150)
        assert page.evaluate("document.querySelectorAll('main script, main [onload]').length") == 0
    assert not ran


@pytest.mark.long
def test_axe_and_width_on_every_new_page(visit, over, study):
    pages = {
        "/studies": "Lucia",
        study: "Lucia",
        f"{study}/c1": "",
        f"{study}/c2/guess": "",
        "answered": "",
        "/import": "Lucia",
        f"/embed/{over}/30": "",
    }
    found = []
    for scheme in ("light", "dark"):
        windows = {name: visit(name, color_scheme=scheme) for name in ("", "Lucia")}
        for path, name in pages.items():
            page = windows[name]
            if path == "answered":
                page.evaluate("document.getElementById('guess-form').submit()")
                page.locator(".both").wait_for()
            else:
                page.goto(path)
            if path == study:
                page.get_by_text("Change", exact=False).first.click()
            options = {"resultTypes": ["violations"], "preload": False}
            found += [
                (scheme, path, each["id"], each["nodes"][0]["html"][:150])
                for each in Axe().run(page, options=options).response["violations"]
                if each["impact"] in ("serious", "critical")
            ]
            for width in (390, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                over_by = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if over_by > 0:
                    found.append((path, width, over_by))
    assert not found, json.dumps(found, indent=1)

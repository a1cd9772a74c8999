"""Logging in by the page; elsewhere, tests begin with the cookie that it leaves."""

from __future__ import annotations

from tests.browser.serving import PASSWORD


def test_somebody_logs_in(visit, server):
    server.account("Lucia")
    page = visit()
    page.goto("/login")
    page.get_by_label("Name").fill("Lucia")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda url: "/login" not in url)
    page.goto("/account")
    assert page.url.endswith("/account")

"""A passkey is added on the account page and logs in, with a device that the browser plays."""

from __future__ import annotations

from tests.browser.serving import PASSWORD


def with_device(page):
    """The browser pretends to have a device with a screen lock."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return tools, made["authenticatorId"]


def test_somebody_logs_in_with_a_passkey(visit, server):
    server.account("Paula")
    # Devices know sites by name, and an address in numbers has none.
    here = server.address.replace("127.0.0.1", "localhost")
    page = visit()
    tools, device = with_device(page)
    page.goto(f"{here}/login?next=/account")
    page.get_by_label("Name").fill("Paula")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(f"{here}/account")

    form = page.locator("form[data-passkey=add]")
    form.get_by_label("What you call it").fill("My phone")
    form.get_by_label("Your password").fill(PASSWORD)
    form.get_by_role("button", name="Add a passkey").click()
    page.locator("section[aria-labelledby=passkeys] li", has_text="My phone").wait_for()
    (kept,) = tools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    assert kept["rpId"] == "localhost"

    page.get_by_role("button", name="Log out", exact=True).first.click()
    page.goto(f"{here}/login?next=/studies")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url(f"{here}/studies")
    page.goto(f"{here}/account")
    page.get_by_role("heading", name="Paula").wait_for()

    # Removed here, it is known to the device alone.
    page.locator("section[aria-labelledby=passkeys]").get_by_role("button", name="Remove").click()
    page.goto(f"{here}/login")
    visit.expected = "403"
    page.get_by_role("button", name="Log in with a passkey").click()
    page.get_by_text("This passkey is not known here").wait_for()


def test_where_no_passkey_can_be_used_none_is_offered(visit, server):
    page = visit("Paula")
    page.goto("/account")
    page.get_by_text("cannot use passkeys").wait_for()
    assert not page.locator("form[data-passkey=add]").is_visible()

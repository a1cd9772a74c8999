"""Messages to chats, in the forms that Discord and Slack take."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from projections.words.names import marked
from web.accounts.account import Webhook
from web.notices import egress
from web.notices.post import Never, NotNow
from web.site.problems import Problem

LONGEST = 1900
"""Discord takes 2000 characters."""

SENT = marked("The test message has been sent.")
SILENT = marked("The server there does not answer.")
REFUSED = marked("The server there answers with {status}.")

Post = Callable[[str, bytes], int]


def body(hook: Webhook, text: str) -> bytes:
    """A message in the form of a chat. No name in it can call everybody.

    >>> body(Webhook(kind="slack", url=""), "<!channel> & Bert")
    b'{"text":"&lt;!channel&gt; &amp; Bert"}'
    """
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    if hook.kind == "slack":
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return msgspec.json.encode({"text": safe})
    # A name must not pass for a link.
    text = text.replace("[", "\\[")
    return msgspec.json.encode({"content": text, "allowed_mentions": {"parse": []}})


def send(hook: Webhook, text: str, post: Post = egress.post) -> None:
    """Tell a chat. NotNow or Never when it did not take the message."""
    hand_over(lambda: post(hook.url, body(hook, text)))


def hand_over(send: Callable[[], int]) -> None:
    """Send something; NotNow or Never when the server there did not take it."""
    try:
        status = send()
    except Problem as problem:
        # Name servers have bad days, too.
        later = problem.code == "webhook-not-found"
        raise (NotNow if later else Never)(str(problem)) from None
    except OSError as error:
        raise NotNow(str(error)) from None
    if status == 429 or status >= 500:
        raise NotNow(f"answered {status}")
    if status >= 400:
        raise Never(f"answered {status}")


def send_test(hook: Webhook, text: str, post: Post) -> tuple[str, int]:
    """Try a chat. Gives a sentence about how it went, and the status that it speaks of."""
    return attempt(lambda: post(hook.url, body(hook, text)))


def attempt(send: Callable[[], int]) -> tuple[str, int]:
    """Try to send something. Gives a sentence about how it went, and the status in it."""
    try:
        status = send()
    except Problem as problem:
        return problem.template, 0
    except OSError:
        return SILENT, 0
    return (SENT if status < 400 else REFUSED), status

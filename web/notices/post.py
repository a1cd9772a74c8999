"""Letters by SMTP: one conversation per letter, with a time limit for each step and for all."""

from __future__ import annotations

import contextlib
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any
from urllib.parse import urlsplit

from web.accounts.account import Account
from web.notices.boxes import Letter
from web.settings import Mail
from web.site.forms import is_address

STEPS = 6
"""A conversation may take so many times as long as one step of it."""
Connect = Callable[[Mail, str], smtplib.SMTP]


class NotNow(Exception):
    """It did not go, and may go later."""


class Never(Exception):
    """It did not go, and will not: nobody is there, or it is not wanted."""


class Unsure(Exception):
    """The line broke while it was handed over: it may have gone."""


def one_line(text: str, most: int = 150) -> str:
    """A text for a header: on one line, whatever it was made of.

    >>> one_line("Anna\\r\\nBcc: eve@example.org")
    'Anna Bcc: eve@example.org'
    """
    line = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(line.split())[:most]


def message(account: Account, sender: str, written: Letter, unsubscribe: str) -> EmailMessage:
    """A letter as it is handed over, the same bytes every time."""
    if not is_address(account.email):
        raise Never("not an address")
    letter = EmailMessage(policy=SMTP)
    letter["Date"] = datetime.fromtimestamp(written.time // 1000, UTC)
    letter["From"] = Address("La Città", addr_spec=sender)
    letter["To"] = Address(one_line(account.name, 30), addr_spec=account.email)
    letter["Subject"] = one_line(written.subject)
    letter["Message-ID"] = f"<{written.id}>"
    letter["Auto-Submitted"] = "auto-generated"
    letter["List-Unsubscribe"] = f"<{unsubscribe}>"
    letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    letter.set_content(written.text)
    letter.add_alternative(written.html, subtype="html")
    # The line between the parts is random otherwise.
    letter.set_boundary(f"=={written.id.partition('@')[0]}==")
    return letter


class Timed(smtplib.SMTP):
    """A conversation that is cut off at a deadline: a server that answers byte by byte keeps every
    single step in time."""

    def __init__(self, mail: Mail, name: str, **options: Any) -> None:
        self._over = threading.Event()
        self._seconds = STEPS * mail.timeout
        threading.Thread(target=self._watch, name="mail deadline", daemon=True).start()
        try:
            super().__init__(mail.host, mail.gate, name, timeout=mail.timeout, **options)
        except BaseException:
            self._over.set()
            raise

    def close(self) -> None:
        self._over.set()
        super().close()

    def _watch(self) -> None:
        wait = self._seconds
        while not self._over.wait(wait):
            wait = 1.0
            if self.sock is not None:
                with contextlib.suppress(OSError, ValueError):
                    self.sock.shutdown(socket.SHUT_RDWR)


class TimedSSL(Timed, smtplib.SMTP_SSL):
    """The same over TLS from the start."""


def connect(mail: Mail, name: str) -> smtplib.SMTP:
    """A connection that is ready to take letters. `name` is what we call ourselves."""
    if mail.security == "ssl":
        server: smtplib.SMTP = TimedSSL(mail, name, context=ssl.create_default_context())
    else:
        server = Timed(mail, name)
    try:
        if mail.security == "starttls":
            server.starttls(context=ssl.create_default_context())
        if mail.user:
            server.login(mail.user, mail.password)
    except BaseException:
        server.close()
        raise
    return server


def send(mail: Mail, url: str, letter: EmailMessage, connect: Connect = connect) -> None:
    """Hand a letter over. NotNow or Never when the server did not take it, Unsure when it may."""
    try:
        server = connect(mail, urlsplit(url).hostname or "localhost")
    except (OSError, smtplib.SMTPException) as error:
        raise NotNow(str(error)) from None
    try:
        server.send_message(letter)
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise (Never if min(codes) >= 500 else NotNow)(f"refused with {codes}") from None
    except smtplib.SMTPResponseException as error:
        # Whatever else is refused is about us, and not about this letter.
        final = error.smtp_code >= 500 and isinstance(error, smtplib.SMTPDataError)
        raise (Never if final else NotNow)(str(error)) from None
    except (OSError, smtplib.SMTPException) as error:
        raise Unsure(str(error)) from None
    else:
        # It is handed over; whatever goes wrong with the farewell changes nothing.
        with contextlib.suppress(OSError, smtplib.SMTPException):
            server.quit()
    finally:
        server.close()

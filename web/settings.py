"""What the host decides: from a TOML file, from the environment, from the command line.

Later ones win. Every value is checked before anything starts, and an error names its setting.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from events.errors import EventError
from events.messages.complaints import complaint
from events.messages.sentence import Sentence, about, message_of
from events.store.names import place_of

PREFIX = "LACITTA_"
ADDRESS = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"
"""An e-mail address as mail servers take it, without anything that could end a header."""

Port = Annotated[int, Meta(ge=0, le=65535)]
Minutes = Annotated[float, Meta(ge=0, le=7 * 24 * 60)]
Header = Literal["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port"]


class BadSettings(EventError):
    """A setting that cannot be used; the message names it."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file. Its settings are called by both names: `mail.host`."""


class Server(Part, frozen=True):
    """Where the games lie and where they are served."""

    host: str = "127.0.0.1"
    port: Port = 8000
    db: str = "lacitta.db"
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Server processes at this address. They share the games and the work."""
    replica: Annotated[str, Meta(max_length=500)] = ""
    """A folder on another disk, or an address like s3://…, where Litestream keeps a copy."""
    url: Annotated[str, Meta(max_length=200)] = ""
    """The address that people use, for the links in letters: https://play.example.org"""
    secure_cookies: bool | None = None
    """Cookies over HTTPS only; without a word, when `url` begins with https."""
    registration: Literal["open", "invited", "closed"] = "open"
    """Who makes an account: anybody, whoever has an invitation, or nobody."""
    members_invite: bool = False
    """Whether everyone with an account may invite others, as hosts do."""
    guests: bool = True
    """Whether people play without an account."""
    ruleset: Annotated[str, Meta(max_length=2000)] = "standard"
    """The rules of a new table unless it names others: a preset, a file of house rules or a mix."""
    board: Annotated[str, Meta(max_length=500)] = ""
    box: Annotated[str, Meta(max_length=500)] = ""
    """Of a new table unless it names others: files of one's own; the built-in ones without."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve the same games."""
        return self.workers > 1 or self.db.startswith(("postgresql:", "postgres:"))


class Proxy(Part, frozen=True):
    """A reverse proxy in front: whose word about the asker's address is believed."""

    trusted: str = ""
    """The proxy's own address as this server sees it."""
    headers: tuple[Header, ...] = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")
    count: Annotated[int, Meta(ge=1, le=9)] = 1


class Mail(Part, frozen=True):
    """The server that takes letters. Without a host none are sent."""

    host: str = ""
    port: Port = 0
    user: str = ""
    password: str = ""
    security: Literal["starttls", "ssl", "none"] = "starttls"
    sender: Annotated[str, Meta(max_length=200)] = ""
    timeout: Annotated[float, Meta(ge=0.1, le=120)] = 20.0
    """Seconds that one step of a conversation with the server may take."""

    @property
    def gate(self) -> int:
        """The port, or the usual one."""
        return self.port or {"starttls": 587, "ssl": 465, "none": 25}[self.security]


class Notices(Part, frozen=True):
    """When people are told."""

    wait: Minutes = 10.0
    """Minutes until a turn is worth a letter: who acts at once gets none."""
    pace: Minutes = 60.0
    """Minutes between two letters to the same person; what comes up meanwhile goes into one."""
    webhooks: bool = True
    push: bool = True
    """Whether devices are told by Web Push."""
    push_wait: Minutes = 0.5
    """Minutes until a turn is told to devices: who has the game open gets no push meanwhile."""


class Metrics(Part, frozen=True):
    """Who may read /metrics: whoever shows the token; without one, this machine alone."""

    token: Annotated[str, Meta(max_length=200)] = ""


class Compute(Part, frozen=True):
    """What bots, hints, files and other rules may take of the machine."""

    processes: Annotated[int, Meta(ge=0, le=256)] = 0
    """Worker processes; 0: one for each core but one."""
    person: Annotated[float, Meta(ge=1, le=86_400)] = 120.0
    """Seconds of processor time that one person may use within `minutes`."""
    address: Annotated[float, Meta(ge=1, le=86_400)] = 480.0
    """The same for everybody at one address together."""
    minutes: Annotated[float, Meta(ge=0.01, le=1440)] = 10.0
    review: Annotated[float, Meta(ge=0, le=3600)] = 40.0
    """Seconds of processor time that the review of a game may take; 0: none are made."""
    bots_wait: Annotated[float, Meta(ge=0, le=60)] = 3.0
    """Seconds that bots leave people to take an action back before they answer it."""


class Limits(Part, frozen=True):
    """How much of the server one visitor can take."""

    storage: Annotated[
        str, Meta(max_length=300, pattern=r"^(auto|memory|store|(redis|rediss|redis\+unix)://.+)\Z")
    ] = "auto"
    """Where requests are counted: in the memory of each worker, in the store, or in Redis, by its
    address. By itself in the store where several workers may share it: in PostgreSQL, or when
    there are several at one address."""
    connections: Annotated[int, Meta(ge=10, le=100_000)] = 2000
    """Open ones at once; an open page holds one or two."""
    connections_per_address: Annotated[int, Meta(ge=1, le=100_000)] = 200
    """The same from one address, or from one /64 of IPv6; a proxy that is trusted has no limit."""

    def place(self, server: Server) -> str:
        """Where requests to a server are counted."""
        if self.storage != "auto":
            return self.storage
        return "store" if server.is_shared else "memory"


class Settings(Part, frozen=True):
    """All of them."""

    server: Server = Server()
    proxy: Proxy = Proxy()
    mail: Mail = Mail()
    notices: Notices = Notices()
    metrics: Metrics = Metrics()
    compute: Compute = Compute()
    limits: Limits = Limits()

    @property
    def contact(self) -> str:
        """Where a push service that has something to say finds whoever is in charge."""
        if self.mail.sender:
            return f"mailto:{self.mail.sender}"
        return self.server.url if self.server.url.startswith("https:") else "https://localhost"

    @property
    def secure_cookies(self) -> bool:
        wanted = self.server.secure_cookies
        return self.server.url.startswith("https:") if wanted is None else wanted


def load(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> Settings:
    """The settings of a file, overridden by the environment, overridden by options.

    >>> load(environment={"LACITTA_MAIL_HOST": "mail.example.org", "LACITTA_MAIL_PORT": "25",
    ...     "LACITTA_MAIL_SENDER": "games@example.org", "LACITTA_SERVER_URL": "https://example.org",
    ... }).mail.gate
    25
    """
    parts: dict[str, Any] = _file(file) if file is not None else {}
    for part, name, value in _variables(environment or {}):
        _table(parts, part)[name] = value
    for part, chosen in (options or {}).items():
        _table(parts, part).update({k: v for k, v in chosen.items() if v is not None})
    try:
        found = msgspec.convert(parts, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise BadSettings(_complaint(str(error))) from None
    return _sound(found)


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(about(path, message_of(error))) from None


def _table(parts: dict[str, Any], part: str) -> dict[str, Any]:
    table = parts.setdefault(part, {})
    if not isinstance(table, dict):
        raise BadSettings(Sentence("settings: {part}: it has to be a table", part=part))
    return table


def _variables(environment: Mapping[str, str]) -> list[tuple[str, str, Any]]:
    """What LACITTA_PART_NAME says, per part and name. A misspelt one must not pass unseen."""
    known = {
        f"{PREFIX}{part.name}_{field.name}".upper(): (part.name, field.name)
        for part in msgspec.structs.fields(Settings)
        for field in msgspec.structs.fields(part.type)
    }
    ours = tuple(f"{PREFIX}{part.name}_".upper() for part in msgspec.structs.fields(Settings))
    found: list[tuple[str, str, Any]] = []
    for key, value in sorted(environment.items()):
        if key.startswith(ours) and key not in known:
            raise BadSettings(Sentence("settings: there is no setting {key}", key=key))
        if key in known:
            part, name = known[key]
            found.append((part, name, value.split() if name == "headers" else value))
    return found


def _complaint(message: str) -> str:
    """What msgspec says, with the setting's name in front.

    >>> _complaint("Expected `int` <= 65535 - at `$.mail.port`")
    'settings: mail.port: expected `int` <= 65535'
    >>> _complaint("Object contains unknown field `hots` - at `$.mail`")
    'settings: mail: object contains unknown field `hots`'
    """
    sentence, _, place = message.partition(" - at `$")
    name = place.strip("`.").replace("[...]", "")
    reason = complaint(sentence)
    return Sentence("settings: {reason}", reason=about(name, reason) if name else reason)


def _sound(settings: Settings) -> Settings:
    """What one value alone does not show."""
    url, mail = settings.server.url, settings.mail
    if url:
        try:
            parts = urlsplit(url)
            plain = parts.scheme in ("http", "https") and parts.hostname and not parts.username
            plain = plain and parts.path in ("", "/") and not (parts.query or parts.fragment)
            plain = plain and url.isprintable() and " " not in url
        except ValueError:
            plain = False
        if not plain:
            raise BadSettings(
                Sentence("settings: server.url: it has to be like https://play.example.org")
            )
    if mail.host and not url:
        raise BadSettings(
            Sentence("settings: server.url: mail needs it, for the links in the letters")
        )
    if mail.host and not re.fullmatch(ADDRESS, mail.sender):
        raise BadSettings(Sentence("settings: mail.sender: it has to be an e-mail address"))
    if mail.user and mail.security == "none" and mail.host not in ("localhost", "127.0.0.1", "::1"):
        raise BadSettings(
            Sentence("settings: mail.security: a password must not travel in the clear")
        )
    if settings.server.replica and settings.server.db.startswith(("postgresql:", "postgres:")):
        raise BadSettings(
            Sentence("settings: server.replica: PostgreSQL has means of its own for that")
        )
    if settings.proxy.trusted == "*":
        raise BadSettings(
            Sentence("settings: proxy.trusted: name the proxy; * lets anyone claim an address")
        )
    return msgspec.structs.replace(
        settings, server=msgspec.structs.replace(settings.server, url=url.rstrip("/"))
    )


def summary(settings: Settings) -> list[str]:
    """What a host should see at the start. Never a password."""
    lines: list[str] = []
    if settings.server.url:
        lines.append(Sentence("Links lead to {url}", url=f"{settings.server.url}/"))
    if settings.server.replica:
        lines.append(
            Sentence("A replica is kept at {place}", place=place_of(settings.server.replica))
        )
    if mail := settings.mail if settings.mail.host else None:
        lines.append(
            Sentence(
                "Letters go out by {host} ({security}), {sender}",
                host=f"{mail.host}:{mail.gate}",
                security=mail.security,
                sender=mail.sender,
            )
        )
    if settings.proxy.trusted:
        proxy = settings.proxy.trusted
        lines.append(Sentence("Addresses are believed from the proxy {proxy}", proxy=proxy))
    limits = settings.limits
    lines.append(
        Sentence(
            "At most {connections} connections are open, {each} of them to one address",
            connections=limits.connections,
            each=limits.connections_per_address,
        )
    )
    own = {
        "memory": Sentence("Requests are counted by this process alone"),
        "store": Sentence("Requests are counted in the store, by all workers together"),
    }
    redis = Sentence("Requests are counted in Redis, by all workers together")
    lines.append(own.get(limits.place(settings.server), redis))
    return lines

"""People: accounts with a password, guests without one, and tokens for programs."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from events.store.collection import Collection, ListRule
from events.store.protocol import Store
from web.accounts.account import (
    Account,
    Closure,
    Passkey,
    Subscription,
    Token,
    Webhook,
    lists_of,
    looks_of,
)
from web.accounts.hashing import Hashing
from web.accounts.keys import name_key, subscription_key, token_key
from web.api.scopes import SCOPES, Scope
from web.site.clock import now
from web.site.names import is_readable, looks
from web.site.problems import Problem

MAX_WEBHOOKS = 3
MAX_SUBSCRIPTIONS = 5
MAX_MUTED = 200
"""Games that somebody has muted; the one muted first is told of again when there are more."""
MAX_TOKENS = 20
MAX_PASSKEYS = 10
MOST_ALIKE = 100
"""Accounts of one address, or of one look, that are found."""
DAY = 24 * 3600 * 1000


class People:
    """The accounts of a server."""

    def __init__(
        self, store: Store, hasher: PasswordHasher, clock: Callable[[], int] = now
    ) -> None:
        self._clock = clock
        rule = ListRule("by-address-and-look", lists_of)
        self._accounts = Collection(store, "accounts", Account, rule)
        self._hasher = Hashing(hasher)
        self.changed: Callable[[str], object] = lambda person: None
        """Told of whom something has changed."""
        # Checked when a name is unknown, so that both answers take the same time.
        self._nobody = hasher.hash(secrets.token_hex(16))
        self._accounts.change(self._note_looks)

    def register(self, name: str, password: str, email: str = "", language: str = "") -> Account:
        """A new account. The name must be free; nothing goes to the address until it is
        confirmed."""
        key = name_key(name)
        if not key or not is_readable(name):
            raise Problem(422, "bad-name", "Please choose a name that can be read.")
        account = Account(
            id=f"person-{secrets.token_hex(8)}",
            name=" ".join(name.split()),
            password=self._hasher.hash(password),
            wanted_email=email.strip(),
            language=language,
        )

        def edit() -> dict[str, Account | None]:
            taken = [f"name/{key}", *(f"look/{look}" for look in looks(name))]
            if any(map(self._accounts.get, taken)):
                raise Problem(409, "name-taken", "This name is taken.")
            return {**self._both(account), **self._looks_of(account)}

        self._accounts.change(edit)
        return account

    def log_in(self, name: str, password: str) -> Account:
        """The account, or one and the same answer for a wrong name and a wrong password."""
        account = self._accounts.get(f"name/{name_key(name)}")
        try:
            self._hasher.verify(account.password if account else self._nobody, password)
        except VerifyMismatchError:
            account = None
        if account is None:
            raise Problem(401, "wrong-login", "Name or password is wrong.")
        return account

    def get(self, id_: str) -> Account | None:
        return self._accounts.get(f"id/{id_}")

    def by_name(self, name: str) -> Account | None:
        return self._accounts.get(f"name/{name_key(name)}")

    def with_address(self, address: str) -> list[Account]:
        """The accounts whose confirmed address this is."""
        return self._listed(f"address/{address.strip().lower()}")

    def want_email(self, id_: str, address: str) -> Account:
        """Another address, which must be confirmed before it counts; an empty one, none, counts
        at once."""

        def edit(me: Account) -> Account:
            if not address:
                return msgspec.structs.replace(me, email="", confirmed=False, wanted_email="")
            same = address == me.email and me.confirmed
            return msgspec.structs.replace(me, wanted_email="" if same else address)

        return self.change(id_, edit)

    def confirm_email(self, id_: str, address: str) -> bool:
        """An address has shown to be somebody's. False when another is wanted by now."""
        if (me := self.get(id_)) is None or me.wanted_email != address:
            return False

        def edit(me: Account) -> Account:
            if me.wanted_email != address:
                return me
            return msgspec.structs.replace(me, email=address, confirmed=True, wanted_email="")

        return self.change(id_, edit).email == address

    def can_be_told(self, id_: str) -> bool:
        """Whether there is any way to tell a person something."""
        account = self.get(id_)
        return (
            account is not None
            and account.closed is None
            and bool(account.email or account.webhooks or account.subscriptions)
        )

    def check_password(self, id_: str, password: str) -> None:
        """Problem unless this is the account's password."""
        try:
            self._hasher.verify(self._known(id_).password, password)
        except VerifyMismatchError:
            raise Problem(403, "wrong-password", "This is not your password.") from None

    def change_password(self, id_: str, old: str, new: str) -> Account:
        """A new password, for who knows the old one."""
        self.check_password(id_, old)
        return self.set_password(id_, new)

    def set_password(self, id_: str, new: str) -> Account:
        """A new password. All tokens go with the old one; whoever calls this ends the sessions."""
        hashed = self._hasher.hash(new)
        result: list[Account] = []

        def edit() -> dict[str, Account | None]:
            me = self._known(id_)
            result[:] = [msgspec.structs.replace(me, password=hashed, era=me.era + 1, tokens={})]
            return {**self._both(result[0]), **dict.fromkeys(f"token/{key}" for key in me.tokens)}

        self._accounts.change(edit)
        return result[0]

    def change(self, id_: str, edit: Callable[[Account], Account]) -> Account:
        """Change anything of an account but its name."""
        result: list[Account] = []

        def apply() -> dict[str, Account | None]:
            before = self._known(id_)
            result[:] = [edit(before)]
            return self._both(result[0]) if result[0] != before else {}

        self._accounts.change(apply)
        self.changed(id_)
        return result[0]

    def add_webhook(self, id_: str, hook: Webhook) -> None:
        key = secrets.token_hex(4)

        def edit(me: Account) -> Account:
            if len(me.webhooks) >= MAX_WEBHOOKS:
                raise Problem(409, "too-many-webhooks", "Three webhooks are enough.")
            return msgspec.structs.replace(me, webhooks={**me.webhooks, key: hook})

        self.change(id_, edit)

    def remove_webhook(self, id_: str, key: str) -> None:
        def edit(me: Account) -> Account:
            if key not in me.webhooks:
                raise Problem(404, "no-such-webhook", "There is no such webhook.")
            left = {other: hook for other, hook in me.webhooks.items() if other != key}
            return msgspec.structs.replace(me, webhooks=left)

        self.change(id_, edit)

    def add_subscription(self, id_: str, subscription: Subscription) -> str:
        """A device takes pushes, or takes them on as before. Gives its key."""
        key = subscription_key(subscription.endpoint)

        def edit(me: Account) -> Account:
            others = {other: each for other, each in me.subscriptions.items() if other != key}
            if len(others) >= MAX_SUBSCRIPTIONS:
                raise Problem(409, "too-many-devices", "Five devices are enough.")
            return msgspec.structs.replace(me, subscriptions={**others, key: subscription})

        self.change(id_, edit)
        return key

    def remove_subscription(self, id_: str, key: str) -> bool:
        """A device takes no pushes any more. False when it did not before."""
        found = False

        def edit(me: Account) -> Account:
            nonlocal found
            found = key in me.subscriptions
            left = {other: each for other, each in me.subscriptions.items() if other != key}
            return msgspec.structs.replace(me, subscriptions=left)

        self.change(id_, edit)
        return found

    def move_subscriptions(self, id_: str, session: str, to: str) -> None:
        """A browser goes on in another session, and its pushes with it."""

        def edit(me: Account) -> Account:
            moved = {
                key: msgspec.structs.replace(each, session=to) if each.session == session else each
                for key, each in me.subscriptions.items()
            }
            return msgspec.structs.replace(me, subscriptions=moved)

        self.change(id_, edit)

    def mute(self, id_: str, game: str, on: bool) -> None:
        """Tell somebody nothing of a game any more, or again."""

        def edit(me: Account) -> Account:
            others = [other for other in me.muted if other != game]
            muted = [*others, game][-MAX_MUTED:] if on else others
            return msgspec.structs.replace(me, muted=tuple(muted))

        self.change(id_, edit)

    def add_passkey(self, id_: str, key: str, passkey: Passkey) -> None:
        def edit(me: Account) -> Account:
            if len(me.passkeys) >= MAX_PASSKEYS:
                raise Problem(409, "too-many-passkeys", "Ten passkeys are enough.")
            return msgspec.structs.replace(me, passkeys={**me.passkeys, key: passkey})

        self.change(id_, edit)

    def note_passkey(self, id_: str, key: str, count: int, time: int) -> None:
        """A passkey was used."""

        def edit(me: Account) -> Account:
            if key not in me.passkeys:
                return me
            used = msgspec.structs.replace(me.passkeys[key], count=count, used=time)
            return msgspec.structs.replace(me, passkeys={**me.passkeys, key: used})

        self.change(id_, edit)

    def remove_passkey(self, id_: str, key: str) -> None:
        def edit(me: Account) -> Account:
            if key not in me.passkeys:
                raise Problem(404, "no-such-passkey", "There is no such passkey.")
            left = {other: each for other, each in me.passkeys.items() if other != key}
            return msgspec.structs.replace(me, passkeys=left)

        self.change(id_, edit)

    def remove(self, id_: str) -> None:
        """An account and its tokens are gone; the name is free again."""

        def edit() -> dict[str, Account | None]:
            account = self.get(id_)
            if account is None:
                return {}
            tokens = [f"token/{key}" for key in account.tokens]
            gone = dict.fromkeys([*self._both(account), *self._looks_of(account), *tokens])
            # Accounts of before may share a look.
            others = [each for look in looks_of(account) for each in self._listed(f"look/{look}")]
            alike = [each for each in others if each.id != id_]
            return {**gone, **{k: v for each in alike for k, v in self._looks_of(each).items()}}

        self._accounts.change(edit)

    def close(self, id_: str, closure: Closure) -> None:
        """Nobody logs in with an account any more; its sessions and tokens are over for good."""

        def edit() -> dict[str, Account | None]:
            account = self._known(id_)
            shut = msgspec.structs.replace(account, closed=closure, tokens={}, era=account.era + 1)
            return {**self._both(shut), **{f"token/{key}": None for key in account.tokens}}

        self._accounts.change(edit)
        self.changed(id_)

    def reopen(self, id_: str) -> None:
        self.change(id_, lambda account: msgspec.structs.replace(account, closed=None))

    def hide_name(self, id_: str) -> tuple[str, str]:
        """Show an account by a name that says nothing; its owner logs in with the old one as
        before. Gives both, the old one first."""
        shown = f"Player {secrets.token_hex(3)}"
        before = self._known(id_)
        self.change(
            id_,
            lambda me: msgspec.structs.replace(me, name=shown, login=me.login or me.name),
        )
        return before.name, shown

    def all(self) -> list[Account]:
        """Every account, by name."""
        found = (account for _, account in self._accounts.all("id/"))
        return sorted(found, key=lambda account: name_key(account.name))

    def by_token(self, token: str) -> tuple[Account, Token] | None:
        """Whose token this is, and what it may do."""
        key = token_key(token)
        holder = self._accounts.get(f"token/{key}")
        account = None if holder is None else self.get(holder.id)
        found = None if account is None else account.valid_tokens(self._clock()).get(key)
        return None if account is None or found is None else (account, found)

    def tokens(self, id_: str) -> dict[str, Token]:
        """A person's tokens by the hash of each."""
        return self._known(id_).valid_tokens(self._clock())

    def add_token(
        self, id_: str, label: str, scopes: Iterable[Scope] = SCOPES, days: int = 0
    ) -> str:
        """A new token for a program of this person; shown once, kept as a hash."""
        token, time = secrets.token_urlsafe(32), self._clock()
        chosen = tuple(scope for scope in SCOPES if scope in {"read", *scopes})
        made = Token(label, chosen, time + days * DAY if days else 0)

        def edit() -> dict[str, Account | None]:
            account = self._known(id_)
            valid = account.valid_tokens(time)
            if len(valid) >= MAX_TOKENS:
                raise Problem(409, "too-many-tokens", "Twenty tokens are enough.")
            over = [f"token/{key}" for key in account.tokens if key not in valid]
            tokens: dict[str, Token | str] = {**valid, token_key(token): made}
            # By its token alone an account need only be named.
            named = Account(id=account.id, name=account.name, password="")
            return {
                **self._both(msgspec.structs.replace(account, tokens=tokens)),
                **dict.fromkeys(over),
                f"token/{token_key(token)}": named,
            }

        self._accounts.change(edit)
        return token

    def remove_token(self, id_: str, key: str) -> None:
        def edit() -> dict[str, Account | None]:
            account = self._known(id_)
            if key not in account.tokens:
                raise Problem(404, "no-such-token", "There is no such token.")
            left = {other: each for other, each in account.tokens.items() if other != key}
            changed = msgspec.structs.replace(account, tokens=left)
            return {**self._both(changed), f"token/{key}": None}

        self._accounts.change(edit)

    def _listed(self, list_: str) -> list[Account]:
        places = self._accounts.listed(list_, MOST_ALIKE)
        return self._accounts.get_many([place.key for place in places])

    def _known(self, id_: str) -> Account:
        account = self.get(id_)
        if account is None:
            raise Problem(401, "log-in-first", "Please log in first.")
        return account

    def _note_looks(self) -> dict[str, Account | None]:
        """What the names look like of accounts that were made before that was noted; once."""
        if self._accounts.get("look/") is not None:
            return {}
        found: dict[str, Account | None] = {"look/": Account(id="", name="", password="")}
        for _, account in self._accounts.all("id/"):
            found |= self._looks_of(account)
        return found

    def _looks_of(self, account: Account) -> dict[str, Account | None]:
        named = Account(id=account.id, name=account.login or account.name, password="")
        return {f"look/{look}": named for look in sorted(looks_of(account))}

    def _both(self, account: Account) -> dict[str, Account | None]:
        return {
            f"name/{name_key(account.login or account.name)}": account,
            f"id/{account.id}": account,
        }

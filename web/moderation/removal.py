"""A host removes what somebody wrote, or a name. The streams keep it; nothing shows it any more."""

from __future__ import annotations

from projections.readmodels.projector import Projector
from replays.chat import Removed
from replays.notes.annotations import TextRemoved
from web.accounts.visitor import Visitor
from web.moderation.subjects import Found, Subject, find
from web.notes.access import author
from web.seating.anonymity import ANONYMOUS
from web.services import services
from web.words.language import gettext as _


def remove_text(subject: Subject, reason: str, host: Visitor) -> None:
    """Take a text away, or a name where the subject is one."""
    found = find(subject)
    if subject.kind == "seat":
        return remove_name(subject, found, reason, host)
    services().audit.record("text-removed", host.person, subject.key, reason)
    if subject.kind == "chat":
        services().chats.write(subject.stream, Removed(by=author(host), said=subject.id))
        return None
    stream = f"study/{subject.stream}" if subject.kind == "study" else subject.stream
    gone = TextRemoved(by=author(host), what=subject.kind, id=subject.id)
    services().notebooks.write(stream, lambda _: gone)
    return None


def remove_name(subject: Subject, found: Found, reason: str, host: Visitor) -> None:
    """Show whoever wrote it, or sits there, by no name; an account gets one that says nothing."""
    services().audit.record("name-removed", host.person, found.person or subject.key, reason)
    if found.person:
        hide_name(found.person)
    elif subject.kind == "seat":  # of a game that was imported: nobody here sits there
        services().anonymity.forget("", {subject.stream: [int(subject.id)]})
        projector().retell([subject.stream])


def hide_name(person: str) -> None:
    all_services = services()
    tables = [table for table in all_services.lobby.of(person) if table.started]
    seats = {table.id: table.seats_of(person) for table in tables}
    before, name = "", _("Guest")
    if all_services.people.get(person) is not None:
        before, name = all_services.people.hide_name(person)
    all_services.sessions.rename(person, name)
    all_services.anonymity.forget(person, seats, before)
    all_services.lobby.rename(person, name, ANONYMOUS)
    projector().retell(seats)
    if before:
        projector().forget_player(before)


def projector() -> Projector:
    return Projector(services().store, services().anonymity)

"""What is said at a table folds to what stands there now; a line is its author's alone."""

from __future__ import annotations

import msgspec
import pytest

from replays import chat as t
from replays.chat import (
    AnyUttered,
    BadTalk,
    ChatMoment,
    Inherited,
    Removed,
    Said,
    Talk,
    Unsaid,
    hear,
)
from replays.notes.annotations import Author

ANNA, BOB = Author(name="Anna", person="p1"), Author(name="Bob", person="p2")
AT = ChatMoment(number=3, year=1, turn=2)


def line(id_: str, by: Author = ANNA, words: list[str | int] | None = None) -> Said:
    return Said(by=by, said=id_, seat=1, words=words or ["Hello, ", 2], at=AT)


def read_talk(uttered: list[AnyUttered]) -> Talk:
    talk = Talk()
    for each in uttered:
        hear(talk, each)
    return talk


def test_everything_said_can_be_read_again_as_bytes():
    decoder = msgspec.json.Decoder(AnyUttered)
    for each in (line("s1"), Unsaid(by=ANNA, said="s1"), Inherited(by=ANNA, heir="p3")):
        assert decoder.decode(msgspec.json.encode(each)) == each


@pytest.mark.parametrize(
    "words",
    [[], [""], ["x" * (t.LONGEST + 1)], ["a\nb"], ["\x00"], ["\x9f"], ["\u202etxet"], [0], [6]],
)
def test_what_cannot_be_said(words):
    body = msgspec.to_builtins(line("s1")) | {"words": words}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, Said)


def test_words_of_any_language_and_joined_signs_can_be_said():
    for text in ("Città, où, größer, Äiti", "😀👩‍🌾", "עיר", "<script>"):
        assert msgspec.convert(msgspec.to_builtins(line("s1", words=[text])), Said).words == [text]


def test_a_withdrawn_line_keeps_its_place_and_loses_its_words():
    talk = read_talk([line("s1"), line("s2", BOB), Unsaid(by=ANNA, said="s1")])
    assert [(each.said, each.words, each.withdrawn) for each in talk.lines.values()] == [
        ("s1", [], True),
        ("s2", ["Hello, ", 2], False),
    ]
    assert [each.version for each in talk.lines.values()] == [1, 2]
    assert talk.version == 3


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (line("s1", BOB), "said-twice"),
        (Unsaid(by=BOB, said="s1"), "not-yours"),
        (Unsaid(by=ANNA, said="s9"), "no-such-line"),
    ],
)
def test_what_does_not_fit_changes_nothing(wrong, code):
    talk = read_talk([line("s1")])
    before = talk.copy()
    with pytest.raises(BadTalk) as error:
        t.hear(talk, wrong)
    assert error.value.code == code
    assert talk == before


def test_a_talk_has_an_end(monkeypatch):
    monkeypatch.setattr(t, "MAX_LINES", 2)
    with pytest.raises(BadTalk, match="at most 2"):
        read_talk([line("s1"), line("s2"), line("s3")])


def test_what_a_guest_said_belongs_to_the_account_that_the_guest_made():
    guest = Author(name="Gina", person="guest-1")
    heir = Author(name="Gina", person="p9")
    told = [line("s1", guest), line("s2", BOB), Inherited(by=guest, heir="p9")]
    talk = read_talk(told)
    assert [each.by.person for each in talk.lines.values()] == ["p9", "p2"]
    t.hear(talk, Unsaid(by=heir, said="s1"))
    with pytest.raises(BadTalk, match="somebody else's"):
        t.hear(talk, Unsaid(by=guest, said="s2"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@Anna", [1]),
        ("@ANNA 2: you", [2, ": you"]),
        ("@Anna 23", [1, " 23"]),
        ("@Annabel", ["@Annabel"]),
        ("mail@Anna.org", ["mail@Anna.org"]),
        ("(@(x)) or @A.*", ["(", 3, ") or @A.*"]),
        ("@ſ", ["@ſ"]),
        ("@anna@Anna", [1, "@Anna"]),
    ],
)
def test_the_longest_name_is_meant(text, words):
    names = ["Anna", "Anna 2", "(x)"]
    found = t.words_of(text, names)
    assert found == words
    assert t.text_of(found, names).casefold() == text.casefold()


def test_names_are_those_of_now():
    said = t.words_of("Well, @Bob!", ["Anna", "Bob"])
    assert t.mentioned(said) == [2]
    assert t.text_of(said, ["Anna", "Anonymous"]) == "Well, @Anonymous!"


def test_what_a_host_removes_keeps_its_place_and_loses_its_words() -> None:
    talk = read_talk([line("s1"), line("s2", BOB), Removed(by=BOB, said="s1")])
    removed, other = talk.lines.values()
    assert (removed.words, removed.withdrawn, removed.removed) == ([], True, True)
    assert not other.removed
    with pytest.raises(BadTalk, match="no line s9"):
        t.hear(talk, Removed(by=BOB, said="s9"))

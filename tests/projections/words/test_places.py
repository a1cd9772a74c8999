"""Cities have names: one each, the same in every language, from the hex alone."""

from __future__ import annotations

import pytest

from engine import effects
from engine.material import library
from projections.words.effects import ENGLISH, ENGLISH_FOR_PEOPLE, tell_effect
from projections.words.places import NAMES, place_name
from web.words.catalogues import LANGUAGES, translator


def test_every_hex_of_the_map_has_a_name_of_its_own():
    labels = library.board("toscana").hex_at
    assert len({place_name(label) for label in labels}) == len(labels)
    assert not {place_name(label) for label in labels} & set(labels)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_the_same_in_every_language(language):
    lost = effects.CityLost(seat=1, city="d4")
    assert place_name("d4") in tell_effect(lost, ["Ada", "Bob"], translator(language))


def test_what_is_compared_by_programs_keeps_the_hex():
    lost = effects.CityLost(seat=1, city="d4")
    assert tell_effect(lost, ["Ada"], ENGLISH) == "Ada's city d4 is no more."
    founded = effects.CityFounded(seat=1, city="d4", citizens=2, source="")
    told = tell_effect(founded, ["Ada"], ENGLISH_FOR_PEOPLE)
    assert f"d4 ({place_name('d4')})" in told

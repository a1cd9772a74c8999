"""Words: every text of the code is translated, and the compiled catalogues are those in force."""

from __future__ import annotations

import re

import pytest
from flask import Flask, render_template_string
from flask_babel import force_locale

from engine import effects
from engine.material import library
from engine.material.choices import ALLOWED, CHOICES, chosen
from engine.material.numbers import KINDS, POLITICS, SERVICES
from engine.refusals import REASONS, refuse
from projections.words.names import A_BUILDING, BUILDINGS, CARDS, THE_BUILDING
from projections.words.names import SERVICES as SERVICE_NAMES
from tests.web import catalogue
from tests.web.catalogue import strings
from web.rules.rulesets import DIFFERENCES, NUMBERS, TITLES, USUAL, explained
from web.site.problems import TO_YOU, refused
from web.words.catalogues import BOOK
from web.words.language import LANGUAGES
from web.words.sentences import in_words, sentences

_place = re.compile(r"\{\w*\}|%\(\w+\)s")


def test_every_language_that_is_offered_has_a_catalogue() -> None:
    assert {"en", BOOK, *catalogue.languages()} == set(LANGUAGES)


@pytest.mark.parametrize("language", catalogue.languages())
def test_the_catalogue_has_every_text_of_the_code_and_no_other(language: str) -> None:
    said = {text if isinstance(text, str) else text[0] for text, _ in catalogue.said()}
    kept = {strings(message.id)[0] for message in catalogue.read(language) if message.id}
    assert said - kept == set(), "run python -m tests.web.catalogue and translate what is new"
    assert kept - said == set(), "run python -m tests.web.catalogue"


@pytest.mark.parametrize("language", catalogue.languages())
def test_every_text_is_translated_with_its_parameters(language: str) -> None:
    for message in catalogue.read(language):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        english, other = strings(message.id), strings(message.string)
        assert len(english) == len(other)
        for text, translated in zip(english, other, strict=True):
            assert translated, text
            assert sorted(_place.findall(text)) == sorted(_place.findall(translated)), text


@pytest.mark.parametrize("language", catalogue.languages())
def test_the_compiled_catalogue_is_up_to_date(language: str) -> None:
    source, compiled = (
        {strings(message.id): strings(message.string) for message in messages if message.id}
        for messages in (catalogue.read(language), catalogue.read_compiled(language))
    )
    assert compiled == source, "run python -m tests.web.catalogue"


def test_every_thing_has_a_name() -> None:
    buildings = {"castle", *(kind.name for kind in KINDS)}
    assert set(BUILDINGS) == set(A_BUILDING) == set(THE_BUILDING) == buildings
    assert set(CARDS) == {*POLITICS, "action"}
    assert set(SERVICE_NAMES) == set(SERVICES)


def test_every_ruleset_is_explained(app: Flask) -> None:
    assert tuple(TITLES) == library.RULESETS
    with app.test_request_context():
        told = [difference for _, differences in explained() for difference in differences]
    shorter = NUMBERS["years"].format(value=5)
    assert set(told) <= {*DIFFERENCES.values(), shorter}
    usual = library.ruleset(library.DEFAULT_RULESET)
    others = {
        (choice, value)
        for choice, values in ALLOWED.items()
        for value in values
        if value != chosen(usual, choice)
    }
    assert set(DIFFERENCES) == others
    assert set(USUAL) == set(ALLOWED)
    assert {*USUAL, *NUMBERS} == set(CHOICES)


STORY = {
    "de": [
        "Anna baut auf d4 eine Universität in der Stadt Lamole.",
        "1 Bürger verlässt hungrig die Stadt Rufina von {who} 100 %s.",
        "2 Bürger verlassen hungrig die Stadt Rufina von {who} 100 %s.",
        "Das Volk verlangt Kultur und Gesundheit.",
        "Anna und {who} 100 %s gewinnen gemeinsam.",
    ],
    "fi": [
        "Anna rakentaa korkeakoulun kaupunkiin Lamole, kuusikulmioon d4.",
        "Kaupungista Rufina ({who} 100 %s) lähtee nälän takia 1 asukas.",
        "Kaupungista Rufina ({who} 100 %s) lähtee nälän takia 2 asukasta.",
        "Kansan toive: kulttuuri ja terveys.",
        "Anna ja {who} 100 %s jakavat voiton.",
    ],
    "fr": [
        "Anna construit une université en d4, dans la ville Lamole.",
        "Par manque de nourriture, 1 citoyen quitte la ville Rufina ({who} 100 %s).",
        "Par manque de nourriture, 2 citoyens quittent la ville Rufina ({who} 100 %s).",
        "Le peuple réclame\u00a0: culture et santé.",
        "Anna et {who} 100 %s se partagent la victoire.",
    ],
    "nl": [
        "Anna bouwt een universiteit op d4 in de stad Lamole.",
        "1 burger verlaat hongerig de stad Rufina van {who} 100 %s.",
        "2 burgers verlaten hongerig de stad Rufina van {who} 100 %s.",
        "Het volk vraagt om cultuur en gezondheid.",
        "Anna en {who} 100 %s delen de overwinning.",
    ],
}
REFUSAL = {
    "de": "Die Karte „Bürgernähe“ liegt nicht offen aus.",
    "fi": "Kortti ”Ihmisläheisyys” ei ole esillä.",
    "fr": "La carte «\u00a0Proche de la population\u00a0» n’est pas visible.",
    "nl": "De kaart “Referendum” ligt niet open.",
}


@pytest.mark.parametrize("language", catalogue.languages())
def test_the_story_is_told_in_every_language(language: str, app: Flask) -> None:
    told: list[effects.AnyEffect] = [
        effects.BuildingRaised(seat=1, city="c7", building="university", at="d4", card="action"),
        effects.CitizensStarved(seat=2, city="f9", citizens=1),
        effects.CitizensStarved(seat=2, city="f9", citizens=2),
        effects.VoiceSpoke(services=["culture", "health"]),
        effects.GameWon(seats=[1, 2]),
    ]
    with app.test_request_context(), force_locale(language):
        assert sentences(told, ["Anna", "{who} 100 %s"]) == STORY[language]


@pytest.mark.parametrize("language", catalogue.languages())
def test_a_refusal_is_told_in_every_language_with_its_names(language: str, app: Flask) -> None:
    problem = refused(refuse("card-not-shown", card="polling"))
    with app.test_request_context(), force_locale(language):
        told = in_words(problem.template, problem.params)
    assert told == REFUSAL[language]


def test_a_refusal_says_you_to_whoever_acts_and_names_the_seat_to_others(app: Flask) -> None:
    poor = refuse("not-enough-gold", cost=3, gold=1)
    foreign = refuse("not-your-city", city="c7", seat=1)
    with app.test_request_context(), force_locale("de"):
        told = [
            in_words(problem.template, problem.params)
            for problem in (refused(poor), refused(foreign), refused(foreign, to_you=False))
        ]
    assert told == [
        "Das kostet 3 Gold, du hast nur 1.",
        "Lamole ist keine deiner Städte.",
        "Lamole ist keine Stadt von Platz 1.",
    ]


def test_what_is_said_to_you_names_no_seat_and_fills_in_what_the_rule_gives() -> None:
    for code, sentence in TO_YOU.items():
        assert "{seat}" not in sentence
        assert set(_place.findall(sentence)) <= set(_place.findall(REASONS[code][1]))


@pytest.mark.parametrize(("language", "said"), [("fr", "La cause\u00a0: "), ("de", "La cause: ")])
def test_a_label_has_its_colon_as_the_language_sets_it(
    language: str, said: str, app: Flask
) -> None:
    with app.test_request_context(), force_locale(language):
        shown = render_template_string("{{ label|colon }} ", label="La cause")
        escaped = render_template_string("{{ label|colon }}", label="<b>")
    assert shown == said
    assert escaped.startswith("&lt;b&gt;")


def test_a_template_sets_the_colon_anew_for_every_reader(app: Flask) -> None:
    template = app.jinja_env.from_string("{{ 'La cause'|colon }}")
    told = []
    for language in ("fr", "de", "fr"):
        with app.test_request_context(), force_locale(language):
            told.append(template.render())
    assert told == ["La cause\u00a0:", "La cause:", "La cause\u00a0:"]


def test_every_reason_has_a_rule_and_a_sentence() -> None:
    assert all(re.fullmatch(r"(R\d+)?", rule) and text for rule, text in REASONS.values())

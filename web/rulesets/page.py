"""The page on which house rules are put together. Its address is the rules themselves, as a mix
(`/ruleset/flush+growth=2`), so that a link carries them."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.bots import DEFAULT_BOT
from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import (
    ALLOWED,
    MAX_BYTES,
    RULES,
    Format,
    chosen,
    differing,
)
from events.material import Ruleset
from replays.files.rulesets import OWN, own_ruleset, read_choices, write_mix, write_ruleset
from web.jobs.requests import compute
from web.rules.rulesets import all_rulesets, read_address, sentence, title, value_in_words
from web.rulesets.form import base_or_standard, groups, sent_fields
from web.rulesets.trial import Trial, try_rules
from web.services import limiter, services
from web.site.forms import Form
from web.words import language, terms
from web.words.language import gettext as _
from web.words.sentences import error_in_words

bp = Blueprint("rulesets", __name__)
MOST_SENT = 100
"""Characters of one field that are looked at."""
TYPES: dict[Format, str] = {"toml": "application/toml", "json": "application/json"}


@bp.get("/ruleset")
def begin() -> ResponseReturnValue:
    """The standard rules to start from, or another preset with the choices made so far."""
    base = request.args.get("base", "")
    if not base:
        return show(library.DEFAULT_RULESET)
    own = request.args.get("choices", "")
    mix = "+".join(part for part in (base_or_standard(base), own) if part)
    return redirect(url_for("rulesets.show", rules=mix), 303)


@bp.get("/ruleset/<path:rules>")
def show(rules: str) -> ResponseReturnValue:
    """Rules that an address names: as a page, or as a file."""
    base, found = read_address(rules)
    wanted = request.args.get("as", "")
    for format_, mimetype in TYPES.items():
        if wanted == format_:
            data = write_ruleset(found, format_, base)
            name = f"{found.name.replace(' ', '-')}.{format_}"
            answer = Response(data, mimetype=mimetype)
            answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
            return answer
    trial: Trial | None = None
    if request.args.get("try"):
        trial = compute(try_rules, found, library.ruleset(base), language.chosen())
    return builder(base, found, Form(), trial)


@bp.post("/ruleset")
@limiter.limit("120 per minute")
def build() -> ResponseReturnValue:
    """What the form says, as an address."""
    form = Form.sent("rules")
    sent = {name: value[:MOST_SENT].strip() for name, value in form.values.items()}
    base = base_or_standard(sent.get("base", ""))
    usual = library.ruleset(base)
    cards_out = [card[:MOST_SENT] for card in request.form.getlist("cards_out")]
    fields = sent_fields(sent, cards_out, usual)
    if name := sent.get("name"):
        fields["name"] = name
    try:
        found = own_ruleset(base, fields)
    except BadMaterial as error:
        form.values = sent | {"cards_out": "/".join(cards_out)}
        form.wrong("rules", error_in_words(error))
        return builder(base, usual, form, status=422)
    return to_rules(base, found)


@bp.post("/ruleset/file")
@limiter.limit("60 per minute")
def bring() -> ResponseReturnValue:
    """A file of house rules, sent or pasted, as an address."""
    form = Form.sent("file")
    sent = request.files.get("file")
    data = sent.read(MAX_BYTES + 1) if sent is not None and sent.filename else b""
    data = data or form.text("text").encode()
    base = library.DEFAULT_RULESET
    try:
        if not data.strip():
            raise BadMaterial(_("Please choose a file."))
        named, fields = read_choices(data.decode(errors="replace"))
        base = named or base
        return to_rules(base, own_ruleset(base, fields))
    except BadMaterial as error:
        form.wrong("file", error_in_words(error))
    return builder(base, library.ruleset(base), form, status=422)


def to_rules(base: str, found: Ruleset) -> ResponseReturnValue:
    mix = write_mix(base, found)
    return redirect(url_for("rulesets.show", rules=mix, _anchor="changes"), 303)


def builder(
    base: str, rules: Ruleset, form: Form, trial: Trial | None = None, status: int = 200
) -> ResponseReturnValue:
    """The form, what differs from the preset, and what can be done with the rules."""
    usual, mix = library.ruleset(base), write_mix(base, rules)
    sent = form.values if form.name == "rules" else {}
    return render_template(
        "rulesets/builder.html",
        base=base,
        base_title=title(usual),
        presets=all_rulesets(),
        rules=rules,
        name="" if rules.name in (base, OWN) else rules.name,
        mix=mix,
        choices=mix.partition("+")[2],
        changes=[
            (
                sentence(choice, chosen(rules, choice)),
                value_in_words(usual, choice, rules) if choice not in ALLOWED else "",
                RULES[choice],
            )
            for choice in differing(usual, rules)
        ],
        groups=groups(rules, usual, sent),
        form=form,
        blank=Form(),
        terms=terms,
        trial=trial,
        sentence_of=lambda choice: sentence(choice, chosen(rules, choice)),
        written=write_ruleset(rules, "toml", base).decode(),
        link=(services().settings.server.url or request.host_url.rstrip("/"))
        + url_for("rulesets.show", rules=mix),
        levels=terms.levels(),
        default_level=DEFAULT_BOT,
    ), status

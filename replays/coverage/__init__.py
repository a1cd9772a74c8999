"""Which recorded games exercise what: every rule, event, effect, building, card, reason, ruleset."""

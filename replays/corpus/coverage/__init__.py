"""Which recorded games exercise what: rules, events, buildings, cards, reasons, rulesets."""

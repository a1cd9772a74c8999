"""The club's own web: where the spider sits."""

SPIDERS = 1

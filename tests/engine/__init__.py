"""Tests of the rules, the fold and everything the engine promises."""

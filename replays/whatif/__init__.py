"""Another way on from a moment: what-if lines and private plans, under the real rules."""

"""Tests of reviews on the server."""

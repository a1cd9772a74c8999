"""Tests of the queue and the worker processes."""

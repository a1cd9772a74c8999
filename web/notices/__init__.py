"""Telling people what waits for them: an outbox beside the log, letters by mail, webhooks."""

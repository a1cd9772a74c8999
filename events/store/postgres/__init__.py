"""The store for several hosts: a PostgreSQL database."""

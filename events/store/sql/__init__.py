"""What both databases share: logs, documents and read models in tables."""

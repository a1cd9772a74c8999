"""Games and studies as files: read, proved, stored, written."""

"""What browsers are sent besides pages: scripts, styles and icons, linked, packed and installed."""

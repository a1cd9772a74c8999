"""Messages for people that can be translated: a template with parameters, filled in at the edge."""

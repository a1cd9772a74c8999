"""How endpoints of the JSON API are declared and described; each room has its own `api`."""

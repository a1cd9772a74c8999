"""How often somebody may do something: who asks from where, and when it is enough."""

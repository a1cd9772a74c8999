"""How often somebody may do something: who asks from where, what is counted, and when it is enough."""

"""The HTTP server as it is always set up: connections and their limits, and the way from a request
to the application and back."""

"""A position in figures: points, forecast, comparison of cities, suggestions."""

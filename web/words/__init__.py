"""Words for the reader: languages and their catalogues, sentences, terms of the game, durations."""

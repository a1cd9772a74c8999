"""The drawings of the rules page: real positions, each with a caption and its words."""

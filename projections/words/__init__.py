"""What happened and what stands there, in words of any language."""

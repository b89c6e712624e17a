"""The small judge: a cross-encoder of our own that reads both provisions at once."""

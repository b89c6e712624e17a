"""Scores how well a tree was read."""

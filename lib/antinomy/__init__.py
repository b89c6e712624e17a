"""Antinomy: find the places where two regulations cannot both be obeyed."""

__version__ = "0.1.0"

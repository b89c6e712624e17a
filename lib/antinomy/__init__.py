"""Antinomy: find the places where two regulations cannot both be obeyed."""

"""Readers, one per format: bytes → ``Content``."""

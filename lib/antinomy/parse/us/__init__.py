"""The grammar of the FFIEC handbook."""

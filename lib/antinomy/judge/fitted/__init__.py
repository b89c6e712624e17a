"""The judge that needs no server: what two texts say otherwise, and a small network fitted on labelled pairs."""

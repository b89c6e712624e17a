"""Two short made-up regulations with known conflicts: what the demo runs on and what its figures refer to."""

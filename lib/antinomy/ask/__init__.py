"""Questions about a finished run: answered from its tables, or from the passages that speak of the topic."""

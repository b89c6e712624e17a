"""The small judge: what the norms say and how near the clauses are, in one fitted decision."""

"""The judge ``nli``: a model of natural-language inference that the user has, over aligned clauses."""

"""Training of the judge ``default``: labelled pairs, pairs made from them, the model, the decision on top, the card."""

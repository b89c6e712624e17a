"""Training of the small judge: labelled pairs, pairs made from them, the model, the decision on top, the card."""

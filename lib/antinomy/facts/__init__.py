"""Facts: subject, predicate, object, each with the words that state it."""

"""The judge ``default``, which needs no server: edits between near texts, and fitted networks."""

"""The judge ``default``, which needs no server: edits between near texts, and small networks fitted on labelled
pairs."""

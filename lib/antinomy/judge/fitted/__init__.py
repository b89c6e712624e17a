"""The judge ``default``, which needs no server: differences between nearly equal texts, and fitted networks."""

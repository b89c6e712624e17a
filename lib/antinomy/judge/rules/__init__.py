"""What the norms of two provisions say of each other: scope, measures and forces compared."""

"""How stages run: the contract, the order, locks, logs, gates."""

"""Explicit reference counting: DUP, DROP, moves, and the linear verifier."""

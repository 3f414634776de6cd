"""Ownership made explicit: reference counting as DUP and DROP instructions and moves, and the verifier of it."""

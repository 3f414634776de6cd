"""e-SSA form: pi and phi placement, renaming, chains, the verifier, and editing operations."""

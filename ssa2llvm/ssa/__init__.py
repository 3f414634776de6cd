"""SSA and e-SSA construction, editing operations and the verifier."""

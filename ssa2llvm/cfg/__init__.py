"""Graph algorithms over dense ints, and the control-flow graph of an op array."""

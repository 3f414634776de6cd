"""Type transfer: what each opcode makes of the types of its operands, one opcode family a file."""

"""What a program is: opcodes, operands, literals, the linear form, the block form, and a builder. Knows no other
room."""

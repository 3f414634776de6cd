"""What PHP values do, in Python: one place for the front end, folding and the interpreter."""

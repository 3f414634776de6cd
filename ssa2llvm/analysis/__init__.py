"""Facts about SSA names: types, ranges, classes, calls, escapes, effects."""

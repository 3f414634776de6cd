"""PHP source to op arrays, instruction for instruction as PHP's own compiler."""

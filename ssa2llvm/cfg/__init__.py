"""Control-flow graphs: blocks from op arrays, and graph algorithms over dense ints that know no PHP."""

"""Out of SSA: critical edges, isolation, interference, coalescing, sequentialisation; SSA names become locations."""

"""Records of runs: the steps of a trace with their values, why a node was dead, and what a run cost."""

"""Linear algebra: decompositions, diagonals, norms, linear systems."""

"""Functions that make, join, cut, pick and sort arrays."""

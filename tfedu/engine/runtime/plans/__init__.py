"""Plans: a schedule as one Python function, compiled for the second run and for those after it."""

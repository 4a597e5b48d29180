"""Which elements of small tensors read which: the graph that is probed, the reads, the formulas, the places, the record."""

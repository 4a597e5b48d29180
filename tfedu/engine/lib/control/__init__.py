"""Control flow: branches, loops, functions of sequences, tensor arrays."""

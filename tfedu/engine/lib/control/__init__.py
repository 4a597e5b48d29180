"""Control flow: cond, case, while_loop, map_fn and scan, TensorArray, and the contexts of branches and loops."""

"""The functions and classes that `tf.` names: they build graphs out of ops and hold no kernel.

One room a subject:

framework   scopes, collections, placeholders, conversion, nested structures, operators, type specs
arrays      shapes, slices, indices, masks, sorting
math        elementwise functions, products, reductions, segments, Fourier transforms, random numbers
linalg      decompositions, diagonals, norms, linear systems
control     cond, case, while_loop, map_fn and scan, TensorArray, the contexts of branches and loops
variables   variables of both kinds, variable_scope, initializers, partitions, scatter updates, moving averages
devices     ClusterSpec and the placement on parameter servers
ragged      RaggedTensor: rows of unequal lengths
sparse      SparseTensor and IndexedSlices
strings     functions of strings, tf.print
summaries   nodes that serialize summaries for TensorBoard
checks      assertions about values, shapes, types and finite numbers
nn          activations, cross entropies, dropout, moments, weights of samples
"""

"""Cost of what `tf.explain` and `lint` say of graphs of 1,000, 10,000 and 100,000 nodes.

`python -m benchmarks.explanations [--save]` prints a table; `--save` writes RESULTS.md beside it.

`outcomes`, `races` and `assert_deterministic` end after 50,000 turns of nodes and say so. What records the ready nodes of every
turn (`diagnose`, `timelines`) and `gradient_steps` grow faster than the graph.
"""

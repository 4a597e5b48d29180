"""How long pictures of large graphs take: `python -m benchmarks.pictures [operations …]`, by hand, with Chromium.

Each graph is that of a training: four levels of scopes and more, Adam, gradients, and at least 15 % control edges. Measured is
the whole way from `GraphView(graph)` to the drawn picture: building the record, the message's length, drawing it in a page,
opening what repeats (×N) and a plain scope, and the time of the main thread while the picture is scrolled and, of all but the
largest graphs, while a StepThrough of the training step is stepped. Figures are kept in RESULTS.md beside this.
"""

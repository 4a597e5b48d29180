"""How long pictures of large graphs take: `python -m benchmarks.pictures [operations …]`, by hand, with Chromium.

Each graph is that of a training: four levels of scopes and more, Adam, gradients, and at least 15 % control edges. Measured is
the whole way from `GraphView(graph)` to the drawn picture, as a notebook goes it the first time: the record, while the page runs
the front end; the message; the picture that a saved notebook has, while the page unpacks the record; and drawing it in the page.
Then what repeats (×N) and a plain scope are opened, and the time of the main thread is taken while the picture is scrolled and,
of all but the largest graphs, while a StepThrough of the training step is stepped by the key: one step with each frame that is
displayed, and 30 a second, as a key repeats that is held. A frame's time is the CPU time of all that the main thread did since
the frame before it, as Chromium's own trace tells it, which itself costs some percent; to be smooth a frame should take 4 ms at
most. Panels beside the picture wait for frames in which no step comes, so what a step costs in all is told, too: with a step in
each frame they are drawn once, at the end. The last row is what the least change of a page costs on this machine. Figures are
kept in RESULTS.md beside this.
"""

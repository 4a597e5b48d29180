"""The program that made a graph: its lines, statements, and the cells of a notebook."""

"""Graphs of other libraries as records: one module for each kind of graph, imported when such a graph is shown.

`foreign_graphs.record_of_foreign(obj)` is the door, and docs/other_graphs.md says how each kind is drawn.
"""

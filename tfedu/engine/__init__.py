"""The engine: builds graphs and runs them. Layers: lib, runtime, ops, graph, base (arrows point down only)."""

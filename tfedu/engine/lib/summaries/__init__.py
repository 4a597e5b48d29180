"""Nodes that write summaries for TensorBoard."""

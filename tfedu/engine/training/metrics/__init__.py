"""Metrics that accumulate over many runs."""

"""Widgets without a kernel: on exported pages, from the state that a notebook has saved, from records in files."""

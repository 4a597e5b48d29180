"""Recurrent nets: cells, their wrappers, and the loops that apply them to sequences."""

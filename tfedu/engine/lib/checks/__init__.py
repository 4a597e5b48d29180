"""Assertions about values, types, shapes and finite numbers."""

"""Assertions about values, shapes, types and finite numbers."""

"""Optimizers, and learning rates that change with the step."""

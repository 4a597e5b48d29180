"""What trains: optimizers, learning rates that change with the step, the step itself. Loaded on first use."""

"""Feature columns: how features by name become the inputs of a model, as values."""

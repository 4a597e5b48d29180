"""Variables: their scopes, initializers, parts, updates and what keeps them."""

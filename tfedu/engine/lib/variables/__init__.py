"""Variables of both kinds: scopes, initializers, partitions, updates, moving averages."""

"""From the engine to records."""

"""Why a node runs or does not, and the smallest changes that flip it."""

"""Names of clusters, and which device a variable goes to."""

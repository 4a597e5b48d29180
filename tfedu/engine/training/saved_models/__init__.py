"""Models in folders: a graph, its variables, its files and its signatures; and graphs with frozen variables."""

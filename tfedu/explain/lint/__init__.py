"""What looks like a mistake in a graph: the rules, and the findings they report."""

"""ClusterSpec, and the placement of variables on parameter servers."""

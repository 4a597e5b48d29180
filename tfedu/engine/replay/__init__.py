"""Analysis of runs: traces, forks, all legal orders, accesses to state, the reasons why a node ran."""

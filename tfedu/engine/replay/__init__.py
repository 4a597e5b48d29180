"""What looks at runs: traces, forks, every legal order, who touches which state, why a node ran."""

"""Sessions that look after themselves: hooks, coordinators, supervisors, training loops."""

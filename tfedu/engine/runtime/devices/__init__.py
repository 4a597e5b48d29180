"""What a run on several devices needs: which device each node gets, what was sent, and the values of a real GPU."""

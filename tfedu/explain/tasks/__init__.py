"""Tasks for learners: playing the executor, programs made of pieces, and checks by behaviour."""

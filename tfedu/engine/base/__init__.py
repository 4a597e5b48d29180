"""What the whole engine stands on: types, shapes, errors, places in the user's program, random numbers."""

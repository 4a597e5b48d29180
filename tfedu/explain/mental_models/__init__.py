"""Wrong mental models as executors, and the diagnosis of an answer by them."""

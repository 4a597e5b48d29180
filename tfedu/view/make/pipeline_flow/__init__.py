"""Pipelines of tf.data as records: the calls of each stage, their times on a simulated clock, what a learner may find."""

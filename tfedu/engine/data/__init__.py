"""Data on its way into a graph: datasets, queues, tables, readers and the parsing of records.

One room a subject:

pipeline    tf.data: datasets, their functions, iterators
queues      queues, staging areas, barriers, accumulators; runners, producers and batches of tf.train; readers
tables      tf.lookup: tables and their initializers
parsing     Example messages and the features that they hold, CSV, JSON
"""

"""The ops of tf.data. The value of a dataset's tensor is a `Dataset` (values.py); an iterator walks it element by element.

sources      from tensors, slices, ranges, generators
files        lines, records of fixed length, TFRecord files
order        repeat, take, skip, shard, shuffle, cache, concatenate, zip, prefetch
batches      batch, padded_batch, unbatch, window
maps         map, filter, flat_map, interleave, scan, reduce
statistics   bytes and times of elements, the aggregator
choices      group_by_window, sample_from_datasets, unique, ignore_errors
iterators    iterators, string handles, Optional
"""

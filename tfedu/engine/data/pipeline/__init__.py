"""`tf.data`: datasets, the functions that they call for each element, and iterators over them."""

import importlib

# The tables of the ops that datasets are made of: without this the registry would first read those of other subjects.
for _table in ("sources", "files", "order", "batches", "maps", "choices", "cardinality", "iterators"):
    importlib.import_module(f"...ops.pipeline.{_table}", __package__)

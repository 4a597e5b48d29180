"""Ragged tensors: rows of unequal lengths. Importing the room gives RaggedTensor its operators and its indexing."""

from . import ragged_functions as ragged_functions

"""Ragged tensors: rows of unequal lengths. Importing the room lets the functions of dense tensors take them."""

from . import ragged_dispatch as ragged_dispatch

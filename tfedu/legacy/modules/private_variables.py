"""What programs take from TensorFlow's private modules about variables."""

from ...engine.lib.variables.moving_averages import assign_moving_average
from ...engine.lib.variables.resource_variables import ResourceVariable
from ...engine.lib.variables.slots import create_slot, create_zeros_slot

__all__ = [
    "ResourceVariable", "assign_moving_average", "create_slot", "create_zeros_slot",
]  # fmt: skip

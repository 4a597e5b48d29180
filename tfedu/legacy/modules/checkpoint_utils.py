"""What `tensorflow.python.training` and `tensorflow.python.tools` have on checkpoints besides `tf.train`."""

from __future__ import annotations

import math
import re

from ...engine.base.errors import OpError as _OpError
from ...engine.training.checkpoints.checkpoint_reader import NewCheckpointReader as _reader_of
from ...engine.training.checkpoints.checkpoint_state import meta_graph_filename
from ...engine.training.checkpoints.saveables import SaveableObject, SaveSpec
from ...engine.training.checkpoints.saver_nodes import BaseSaverBuilder, BulkSaverBuilder
from ...engine.training.checkpoints.trackable import Checkpointable, list_objects, object_metadata


def print_tensors_in_checkpoint_file(
    file_name: str,
    tensor_name: str,
    all_tensors: bool,
    all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Prints a tensor of a checkpoint, all of them, or a list of what there is; and how many numbers there are.

    count_exclude_pattern: what is not counted.
    """
    try:
        reader = _reader_of(file_name)
        sizes = {name: math.prod(shape) for name, shape in reader.get_variable_to_shape_map().items()}
        if all_tensors or all_tensor_names:
            for name in sorted(sizes):
                print("tensor_name: ", name)
                if all_tensors:
                    print(reader.get_tensor(name))
        elif tensor_name:
            print("tensor_name: ", tensor_name)
            print(reader.get_tensor(tensor_name))
        else:
            print(reader.debug_string().decode("utf-8", "backslashreplace"))
    except _OpError as error:
        print(error)
        return
    left_out = [name for name in sizes if count_exclude_pattern and re.search(count_exclude_pattern, name)]
    if count_exclude_pattern:
        total = sum(sizes.pop(name) for name in left_out)
        print(f"# Excluding {len(left_out)} tensors ({total} params) that match {count_exclude_pattern} when counting.")
    print(f"# Total number of params: {sum(sizes.values())}")


__all__ = [
    "BaseSaverBuilder", "BulkSaverBuilder", "Checkpointable", "SaveSpec", "SaveableObject",
    "list_objects", "meta_graph_filename", "object_metadata", "print_tensors_in_checkpoint_file",
]  # fmt: skip

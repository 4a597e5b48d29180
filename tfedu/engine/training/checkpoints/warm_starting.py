"""`tf.train.warm_start`: variables take their initial values from a checkpoint, under the same or other names. No state."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...base import errors, log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.framework.graph_keys import GraphKeys
from ...lib.variables.variables import Variable
from .checkpoint_reader import found_checkpoint, init_from_checkpoint
from .saveables import by_name
from .trackable import graph_in


class _VocabInfo(NamedTuple):
    new_vocab: Any
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: Any
    old_vocab_size: int = -1
    backup_initializer: Any = None
    axis: int = 0


class VocabInfo(_VocabInfo):
    """The new and old vocabularies that number the rows (axis 0) or columns (axis 1) of a variable.

    Raises: ValueError for another axis.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> VocabInfo:
        info = super().__new__(cls, *args, **kwargs)
        if info.axis not in (0, 1):
            text = f"The only supported values for the axis argument are 0 and 1.  Provided axis: {info.axis}"
            raise ValueError(error_text(text))
        return info


def warm_start(
    ckpt_to_initialize_from: Any,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: dict[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: dict[str, str] | None = None,
) -> None:
    """Makes the initializers of variables read a checkpoint, or the newest one of a folder.

    vars_to_warm_start: a pattern of trainable variables' names, a list of variables, or a list of patterns of global ones;
    None: only variables with a vocabulary. var_name_to_prev_var_name: names in the checkpoint that differ.
    Raises: ValueError for other lists, unused names and names that the checkpoint lacks; UnimplementedError for vocabularies.
    Differs from TF: which remaps vocabularies.
    """
    log.info("Warm-starting from: %s", ckpt_to_initialize_from)
    variables = _variables_by_name(vars_to_warm_start)
    vocabularies = var_name_to_vocab_info or {}
    previous_names = var_name_to_prev_var_name or _names_of_objects(ckpt_to_initialize_from, variables)
    used: set[str] = set()
    assignment_map: dict[str, Any] = {}
    for name, parts in variables.items():
        if previous_names.get(name):
            used.add(name)
        if name in vocabularies:
            text = "Vocabularies of tf.train.warm_start need the op LoadAndRemapMatrix, which tfedu does not have."
            raise errors.UnimplementedError(
                None, None, error_text(text, fix="leave var_name_to_vocab_info out")
            )
        if vars_to_warm_start:
            log.debug("Warm-starting variable: %s; prev_var_name: %s", name, previous_names.get(name) or "Unchanged")
            assignment_map[previous_names.get(name) or name] = parts[0] if len(parts) == 1 else parts
    init_from_checkpoint(ckpt_to_initialize_from, assignment_map)
    log.info("Warm-started %d variables.", len(assignment_map))
    for argument, names, used_names in (
        ("var_name_to_prev_var_name", previous_names, used),
        ("var_name_to_vocab_info", vocabularies, set()),
    ):
        unused = names.keys() - used_names
        if unused:
            raise ValueError(
                error_text(
                    f"You provided the following variables in {argument} that were not used: {unused}.  "
                    f"Perhaps you misspelled them?  Here is the list of viable variable names: {variables.keys()}"
                )
            )


def _variables_by_name(vars_to_warm_start: Any) -> dict[str, list[Any]]:
    """The variables by the names under which they are saved; the slices of one variable share a list."""
    graph = get_default_graph()
    if vars_to_warm_start is None or isinstance(vars_to_warm_start, str):
        log.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        variables = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, vars_to_warm_start)
    elif not isinstance(vars_to_warm_start, list):
        raise ValueError(
            error_text(f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(vars_to_warm_start)}")
        )
    elif all(isinstance(one, str) for one in vars_to_warm_start):
        variables = [v for one in vars_to_warm_start for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, one)]
    elif all(isinstance(one, Variable) for one in vars_to_warm_start):
        variables = vars_to_warm_start
    else:
        kinds = [type(one) for one in vars_to_warm_start]
        text = f"If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are {kinds}"
        raise ValueError(error_text(text))
    by_saved_name: dict[str, list[Any]] = {}
    for one in variables:
        (name,) = by_name([one])
        by_saved_name.setdefault(name, []).append(one)
    return by_saved_name


def _names_of_objects(checkpoint: Any, variables: dict[str, Any]) -> dict[str, str]:
    """The keys of variables in a checkpoint of tf.train.Checkpoint, by their names then; {} for another checkpoint."""
    message = graph_in(found_checkpoint(checkpoint))
    if message is None:
        return {}
    keys = {a.full_name: a.checkpoint_key for node in message.nodes for a in node.attributes}
    missing = variables.keys() - keys.keys()
    if missing:
        raise ValueError(
            error_text(
                "Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain values "
                f"for all variables. The following variables were missing: {missing}"
            )
        )
    return {name: keys[name] for name in variables}


__all__ = ["VocabInfo", "warm_start"]

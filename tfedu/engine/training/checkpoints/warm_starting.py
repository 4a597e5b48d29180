"""`tf.train.warm_start`: variables begin with what a checkpoint holds under the same or other names. No state."""

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
    """The vocabularies, new and old, by which the rows (axis 0) or columns (1) of a variable are numbered.

    Raises: ValueError for another axis.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> VocabInfo:
        made = super().__new__(cls, *args, **kwargs)
        if made.axis not in (0, 1):
            text = f"The only supported values for the axis argument are 0 and 1.  Provided axis: {made.axis}"
            raise ValueError(error_text(text))
        return made


def warm_start(
    ckpt_to_initialize_from: Any,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: dict[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: dict[str, str] | None = None,
) -> None:
    """Makes variables begin with what a checkpoint, or the newest one of a folder, holds.

    vars_to_warm_start: a pattern of trainable variables' names, a list of variables, or of patterns of global ones; None: none
    but those with a vocabulary. var_name_to_prev_var_name: names in the checkpoint, where they are others.
    Raises: ValueError for other lists, for names that are not used and for those that the checkpoint lacks, and
    UnimplementedError for vocabularies.
    """
    log.info("Warm-starting from: %s", ckpt_to_initialize_from)
    variables = _grouped(vars_to_warm_start)
    vocabularies = var_name_to_vocab_info or {}
    before = var_name_to_prev_var_name or _names_of_objects(ckpt_to_initialize_from, variables)
    used: set[str] = set()
    taken: dict[str, Any] = {}
    for name, parts in variables.items():
        if before.get(name):
            used.add(name)
        if name in vocabularies:
            text = "Vocabularies of tf.train.warm_start need the op LoadAndRemapMatrix, which tfedu does not have."
            raise errors.UnimplementedError(
                None, None, error_text(text, fix="leave var_name_to_vocab_info out")
            )
        if vars_to_warm_start:
            log.debug("Warm-starting variable: %s; prev_var_name: %s", name, before.get(name) or "Unchanged")
            taken[before.get(name) or name] = parts[0] if len(parts) == 1 else parts
    init_from_checkpoint(ckpt_to_initialize_from, taken)
    log.info("Warm-started %d variables.", len(taken))
    for what, given, seen in (
        ("var_name_to_prev_var_name", before, used),
        ("var_name_to_vocab_info", vocabularies, set()),
    ):
        left = given.keys() - seen
        if left:
            raise ValueError(
                error_text(
                    f"You provided the following variables in {what} that were not used: {left}.  Perhaps you misspelled them?  "
                    f"Here is the list of viable variable names: {variables.keys()}"
                )
            )


def _grouped(given: Any) -> dict[str, list[Any]]:
    """The variables by the names under which they are saved, the slices of one together."""
    graph = get_default_graph()
    if given is None or isinstance(given, str):
        log.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        chosen = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, given)
    elif not isinstance(given, list):
        raise ValueError(
            error_text(f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(given)}")
        )
    elif all(isinstance(one, str) for one in given):
        chosen = [v for one in given for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, one)]
    elif all(isinstance(one, Variable) for one in given):
        chosen = given
    else:
        kinds = [type(one) for one in given]
        text = f"If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are {kinds}"
        raise ValueError(error_text(text))
    found: dict[str, list[Any]] = {}
    for one in chosen:
        (name,) = by_name([one])
        found.setdefault(name, []).append(one)
    return found


def _names_of_objects(checkpoint: Any, variables: dict[str, Any]) -> dict[str, str]:
    """In a checkpoint of tf.train.Checkpoint, the keys of the variables that had these names."""
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

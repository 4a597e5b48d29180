"""Parameters of the public functions, in order and with their defaults: programs call them by position and by name."""

import csv
import pathlib

from harness import program, signature_text

SYMBOLS = pathlib.Path(__file__).resolve().parents[1] / "golden" / "op_symbols.csv"

OTHERS = """
Assert Graph.as_default Graph.as_graph_element Graph.add_to_collection Graph.clear_collection Graph.colocate_with Graph.control_dependencies
Graph.create_op Graph.device Graph.finalize Graph.get_collection Graph.get_collection_ref Graph.get_operation_by_name
Graph.get_tensor_by_name Graph.is_feedable Graph.is_fetchable Graph.name_scope Graph.prevent_feeding Graph.prevent_fetching Graph.unique_name
InteractiveSession Session Session.run Session.make_callable Session.as_default Session.close Operation.run Operation.get_attr Tensor.eval Tensor.set_shape
Print Variable.assign Variable.assign_add Variable.assign_sub Variable.eval Variable.initialized_value Variable.read_value Variable.load
add_to_collection add_to_collections all_variables assert_equal assert_greater assert_greater_equal assert_less assert_less_equal assert_negative
assert_non_negative assert_non_positive assert_none_equal assert_positive assert_rank assert_rank_at_least assert_rank_in assert_scalar assert_type
assert_variables_initialized assign assign_add assign_sub cond constant control_dependencies convert_to_tensor colocate_with device get_collection
get_collection_ref get_default_graph get_default_session global_variables global_variables_initializer identity initialize_all_variables
initialize_local_variables initialize_variables is_variable_initialized local_variables local_variables_initializer moving_average_variables no_op
placeholder placeholder_with_default report_uninitialized_variables reset_default_graph train.ExponentialMovingAverage
train.ExponentialMovingAverage.apply train.ExponentialMovingAverage.average train.ExponentialMovingAverage.average_name
train.ExponentialMovingAverage.variables_to_restore trainable_variables tuple variables_initializer TensorShape TensorShape.merge_with
TensorShape.is_compatible_with TensorShape.with_rank Dimension IndexedSlices SparseTensor name_scope while_loop case switch_case map_fn foldl
foldr scan nest.assert_same_structure nest.flatten nest.is_nested nest.map_structure nest.pack_sequence_as
""".split()  # noqa: SIM905


@program
def signatures(tf, np):
    with SYMBOLS.open(encoding="utf-8", newline="") as rows:
        names = [row["symbol"].removeprefix("tf.") for row in csv.DictReader(rows)] + OTHERS
    out = {}
    for name in names:
        found = tf
        for part in name.split("."):
            found = getattr(found, part)
        out[name] = signature_text(found)
    return out

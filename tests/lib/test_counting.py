"""What is counted with 1.15's nodes, where 2.15 makes others."""

import tfedu as tf


def test_a_confusion_matrix_is_a_sparse_one_added_to_zeros():
    with tf.Graph().as_default() as graph:
        found = tf.confusion_matrix([1, 2], [[2], [2]], name="m")
        nodes = [f"{op.name} {op.type}" for op in graph.get_operations()]
    assert found.name == "m/SparseTensorDenseAdd:0"
    assert nodes[:5] == [
        "m/labels Const", "m/predictions Const", "m/remove_squeezable_dimensions/Squeeze Squeeze", "m/Cast Cast", "m/Cast_1 Cast",
    ]  # fmt: skip
    assert nodes[-16:] == [
        "m/control_dependency_1 Identity", "m/Const Const", "m/Max Max", "m/Const_1 Const", "m/Max_1 Max", "m/Maximum Maximum",
        "m/add/y Const", "m/add AddV2", "m/stack Pack", "m/stack_1 Pack", "m/ones_like/Shape Const", "m/ones_like/Const Const",
        "m/ones_like Fill", "m/Cast_2 Cast", "m/zeros/Const Const", "m/zeros Fill", "m/SparseTensorDenseAdd SparseTensorDenseAdd",
    ][1:]  # fmt: skip
    assert len([name for name in nodes if name.endswith("Assert Assert")]) == 2

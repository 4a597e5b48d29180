"""tf.data: optionals, ragged tensors in elements, iterators in checkpoints, resampling."""

import os
import tempfile

from harness import attempt, program
from programs_data_files import file, taken
from programs_data_sets import nodes


@program
def the_next_element_or_none(tf, np):
    x = tf.data.experimental
    iterator = tf.data.Dataset.range(2).make_initializable_iterator()
    following = x.get_next_as_optional(iterator)
    has = following.has_value()
    value = tf.cond(has, lambda: following.get_value(), lambda: tf.constant(-1, tf.int64))
    with tf.Session() as sess:
        refused = attempt(lambda: sess.run(has))
        sess.run(iterator.initializer)
        return [refused, [sess.run([has, value]) for _ in range(4)], str(following.value_structure)]


@program
def optionals(tf, np):
    x = tf.data.experimental
    some = x.Optional.from_value({"a": 1.0, "b": tf.constant([2, 3])})
    none = x.Optional.none_from_structure(some.value_structure)
    dataset = tf.data.Dataset.range(3).map(lambda n: x.Optional.from_value(n * 2))
    element = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        return [
            sess.run([some.has_value(), none.has_value(), some.get_value()]), attempt(lambda: sess.run(none.get_value())),
            str(some.value_structure), sess.run([element.has_value(), element.get_value()]),
            nodes(tf, lambda d: x.Optional.from_value((1.0, tf.constant([2]))).get_value()),
        ]  # fmt: skip


def rows(tf):
    return tf.ragged.constant([[1, 2], [], [3]])


@program
def ragged_components(tf, np):
    d = tf.data.Dataset

    def deep():
        return d.from_tensor_slices(tf.ragged.constant([[[1], [2, 3]], [[4]]]))

    def of(build):
        def shown():
            with tf.Graph().as_default():
                shapes = str(build().output_shapes)
            return [shapes, [[part.tolist() for part in flat] for flat in found(build)]]

        return attempt(shown)

    def found(build):
        """The parts of each element: splits and values of a ragged one."""
        with tf.Graph().as_default(), tf.Session() as sess:
            iterator = build().make_initializable_iterator()
            x = iterator.get_next()
            x = [*x.nested_row_splits, x.flat_values] if isinstance(x, tf.RaggedTensor) else [x]
            sess.run(iterator.initializer)
            result = []
            while len(result) < 8:
                try:
                    result.append(sess.run(x))
                except tf.errors.OutOfRangeError:
                    break
            return result

    return [
        of(lambda: d.from_tensors(rows(tf))), of(lambda: d.from_tensor_slices(rows(tf)).batch(2)),
        of(lambda: d.from_tensors(rows(tf)).batch(2)), of(deep), of(lambda: deep().batch(2)),
        of(lambda: d.range(4).map(lambda n: tf.RaggedTensor.from_row_splits(tf.range(n), tf.stack([0, n, n]), validate=False))),
        of(lambda: d.from_tensor_slices(rows(tf)).window(2).flat_map(lambda w: w.batch(2))), of(lambda: d.from_tensor_slices(rows(tf))),
        nodes(tf, lambda _: d.from_tensors(rows(tf)).batch(2).make_one_shot_iterator().get_next()),
        str(d.from_tensors(rows(tf)).output_classes is tf.RaggedTensor), str(tf.data.experimental.get_structure(d.from_tensors(rows(tf)))),
    ]  # fmt: skip


@program
def ragged_specs(tf, np):
    spec = tf.RaggedTensorSpec([3, None], tf.int32)
    return [
        str(spec), spec.is_compatible_with(rows(tf)), str(spec.most_specific_compatible_type(tf.RaggedTensorSpec([4, None], tf.int32))),
        *[
            attempt(lambda given=given: str(tf.RaggedTensorSpec(**given)))
            for given in (
                {"shape": [3, None]}, {"dtype": tf.int32}, {"shape": [2, 3, None], "ragged_rank": 1},
                {"shape": [3, None], "ragged_rank": 2}, {"ragged_rank": 1.0},
            )
        ],
    ]  # fmt: skip


@program
def older_structures(tf, np):
    x = tf.data.experimental
    return [attempt(lambda: x.get_structure(3))] + [
        str(each)
        for each in (
            x.get_structure(tf.data.Dataset.range(2)), x.TensorStructure(tf.int32, [2]), x.SparseTensorStructure(tf.int32, [2]),
            x.RaggedTensorStructure(tf.int32, [2, None], 1),
            x.from_variant(x.to_variant(tf.data.Dataset.range(3)), tf.TensorSpec([], tf.int64)).element_spec,
        )
    ]  # fmt: skip


@program
def a_saved_iterator(tf, np):
    iterator = tf.data.Dataset.range(5).map(lambda x: x * 2).make_initializable_iterator()
    element = iterator.get_next()
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, tf.data.experimental.make_saveable_from_iterator(iterator))
    saver = tf.train.Saver()
    prefix = file("iterator.ckpt", b"")
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        found = [sess.run(element), sess.run(element)]
        path = saver.save(sess, prefix)
        found.append(sess.run(element))
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        saver.restore(sess, path)
        found += [sess.run(element), sess.run(element)]
    saved = [(op.name, op.type, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()]
    return [found, tf.train.list_variables(path), saved]


class Estimator:
    """What CheckpointInputPipelineHook asks of an estimator."""

    class config:
        num_worker_replicas = 1
        save_checkpoints_secs = None
        save_checkpoints_steps = 2
        keep_checkpoint_max = 5
        keep_checkpoint_every_n_hours = 10000

    _config = config

    def __init__(self, folder):
        self.model_dir = folder


@program
def a_training_goes_on_at_its_element(tf, np):
    folder = tempfile.mkdtemp()
    found = []
    for _ in range(2):
        with tf.Graph().as_default():
            iterator = tf.data.Dataset.range(100).make_initializable_iterator()
            tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
            element = iterator.get_next()
            step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
            hook = tf.data.experimental.CheckpointInputPipelineHook(Estimator(folder))
            with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
                found.append([sess.run([element, step]) for _ in range(5)])
            found.append(sorted(name for name in os.listdir(folder) if ".index" in name or name.startswith("checkpoint")))
    return found


@program
def resampled_classes(tf, np):
    def of(count, function, *shares):
        def build():
            tf.set_random_seed(5)
            dataset = tf.data.Dataset.range(40).map(lambda n: tf.cast(n % 2, tf.int32))
            return dataset.apply(tf.data.experimental.rejection_resample(function, *shares, seed=3))

        return taken(tf, build, count)

    return [
        of(12, lambda c: c, [0.5, 0.5], [0.6, 0.4]), of(40, lambda c: c, [0.1, 0.9], [0.5, 0.5]), of(12, lambda c: c, [0.2, 0.8]),
        of(5, lambda c: c, [0.0, 1.0], [0.5, 0.5]), of(5, lambda c: c, [0.5, 0.5], [0.5, 0.5]),
    ]  # fmt: skip


@program
def nodes_of_resampling(tf, np):
    def of(*shares):
        def build(d):
            dataset = d.range(40).map(lambda n: tf.cast(n % 2, tf.int32))
            return dataset.apply(tf.data.experimental.rejection_resample(lambda c: c, *shares, seed=3))

        return nodes(tf, build)

    return [of([0.5, 0.5], [0.6, 0.4]), of([0.5, 0.5])]

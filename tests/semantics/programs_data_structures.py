"""tf.data: sparse tensors as components; sparse tensors as strings."""

from harness import attempt, graph_of, program
from programs_data_sets import elements


def taken(tf, build):
    """The nodes behind the iterator, the structure of elements, and the elements."""
    with tf.Graph().as_default(), tf.Session() as sess:
        dataset = build(tf.data.Dataset)
        iterator = dataset.make_initializable_iterator()
        before = len(tf.get_default_graph().get_operations())
        x = iterator.get_next()
        kinds = [(op.name, op.type) for op in tf.get_default_graph().get_operations()[before:]]
        sess.run(iterator.initializer)
        return [kinds, str(dataset.output_shapes), str(dataset.output_types), elements(tf, sess, x)]


def sparse(tf):
    return tf.SparseTensor([[0, 0], [1, 2], [1, 3]], [1, 2, 3], [3, 4])


@program
def sparse_components(tf, np):
    def single(i):
        return tf.SparseTensor([[i]], [i * 2], [4])

    ways = [
        lambda d: d.from_tensors(sparse(tf)),
        lambda d: d.from_tensor_slices((sparse(tf), [1, 2, 3])),
        lambda d: d.range(3).map(single).batch(2),
        lambda d: d.from_tensor_slices(sparse(tf)).map(lambda s: tf.sparse.to_dense(s) + 1).batch(2),
        lambda d: d.from_tensor_slices(sparse(tf)).filter(lambda s: tf.size(s.values) > 0),
        lambda d: d.range(2).map(lambda i: {"a": single(i), "b": i}).repeat(2),
    ]
    return [*[taken(tf, way) for way in ways], attempt(lambda: tf.data.Dataset.range(3).map(single).padded_batch(2, [None]))]


@program
def features_of_any_length(tf, np):
    def example(values):
        feature = tf.train.Feature(int64_list=tf.train.Int64List(value=values))
        return tf.train.Example(features=tf.train.Features(feature={"ids": feature})).SerializeToString()

    def parse(record):
        return tf.parse_single_example(record, {"ids": tf.VarLenFeature(tf.int64)})

    return taken(tf, lambda d: d.from_tensor_slices([example([1, 2]), example([]), example([3])]).map(parse).batch(2))


@program
def reinitializable_with_sparse_components(tf, np):
    d = tf.data.Dataset.from_tensor_slices(sparse(tf))
    iterator = tf.data.Iterator.from_structure(d.output_types, d.output_shapes, output_classes=d.output_classes)
    x = iterator.get_next()
    with tf.Session() as sess:
        sess.run(iterator.make_initializer(d))
        return [sess.run(x), sess.run(x)]


@program
def sparse_tensors_as_strings(tf, np):
    one, many = tf.serialize_sparse(sparse(tf)), tf.serialize_many_sparse(sparse(tf))
    back = [tf.deserialize_many_sparse(many, tf.int32), tf.deserialize_many_sparse(tf.stack([one, one]), tf.int32, rank=2)]
    wrong = tf.deserialize_many_sparse(many, tf.float32)
    with tf.Session() as sess:
        return [graph_of(tf), sess.run([one, many]), sess.run(back), attempt(lambda: sess.run(wrong))]

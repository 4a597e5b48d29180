"""tf.lookup and tf.contrib.lookup: the nodes of tables, their initialisation, what they give, what is refused, checkpoints."""

import os

from harness import attempt, fresh, graph_of, in_folder, program


def built(tf, make, *attrs):
    """The nodes that a function makes, without the random names of tables, and the graph's collections of tables."""

    def run():
        result = attempt(make)
        nodes = graph_of(tf, "Tin", "Tout", "key_index", "value_index", "vocab_size", "delimiter", "num_buckets", *attrs)
        graph = tf.get_default_graph()
        kept = {key: [item.name for item in graph.get_collection(key)] for key in ("table_initializer", "asset_filepaths")}
        return [nodes, kept, [t.name for t in result] if isinstance(result, tuple) else getattr(result, "name", result)]

    return fresh(tf, run)


def key_values(tf, keys=("a", "b"), values=(1, 2), **options):
    return tf.contrib.lookup.KeyValueTensorInitializer(list(keys), tf.constant(list(values), tf.int64), **options)


def vocabulary(folder, text="a\nb\nc\n"):
    path = os.path.join(folder, "words.txt")
    with open(path, "w") as file:
        file.write(text)
    return path


def ran(tf, *fetches):
    """What the fetches give after the initializers of tables."""
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        return [sess.run(fetch) for fetch in fetches]


def sorted_entries(tf, pair):
    keys, values = pair
    order = sorted(range(len(keys)), key=lambda i: keys[i])
    return [[keys[i] for i in order], [values[i] for i in order]]


def words(tf, *texts):
    return tf.constant(list(texts))


@program
def nodes_of_static_tables(tf, np):
    def static(**options):
        table = tf.lookup.StaticHashTable(key_values(tf), -1, **options)
        return table.lookup(words(tf, "a")), table.size(), table.export()[0]

    def older(**options):
        table = tf.contrib.lookup.HashTable(key_values(tf), -1, **options)
        return table.lookup(words(tf, "a"), name="l"), table.size(name="s"), table.export()[1], table.init

    return {
        "static": built(tf, static), "named": built(tf, lambda: static(name="mine")), "contrib": built(tf, older, "shared_name"),
        "shared": built(tf, lambda: older(shared_name="mine", name="yours"), "shared_name"),
    }  # fmt: skip


@program
def nodes_of_vocabularies(tf, np):
    lookup = tf.contrib.lookup

    def vocabulary(keys=("a", "b"), dtype=tf.string, **options):
        table = tf.lookup.StaticVocabularyTable(
            lookup.KeyValueTensorInitializer(tf.constant(list(keys), dtype), tf.constant([0, 1], tf.int64)), 3, **options)
        return table.lookup(tf.constant(list(keys)[:1], options.get("lookup_key_dtype", dtype))), table.size()

    def over(table, buckets, **options):
        table = lookup.IdTableWithHashBuckets(table, buckets, **options)
        return table.lookup(words(tf, "a")), table.size()

    strong = lookup.StrongHashSpec([1, 2])
    return {
        "strings": built(tf, vocabulary),
        "integers": built(tf, lambda: vocabulary((7, 8), tf.int64)),
        "small integers": built(tf, lambda: vocabulary((7, 8), tf.int64, lookup_key_dtype=tf.int32)),
        "named": built(tf, lambda: vocabulary(name="mine")),
        "buckets alone": built(tf, lambda: over(None, 3)),
        "over a table": built(tf, lambda: over(lookup.HashTable(key_values(tf), -1), 2, hasher_spec=strong), "key"),
        "named over a table": built(tf, lambda: over(lookup.HashTable(key_values(tf), -1), 2, name="mine")),
        "no buckets": built(tf, lambda: over(lookup.HashTable(key_values(tf), -1), 0)),
        "hashers": [repr(lookup.FastHashSpec), repr(strong)],
    }  # fmt: skip


@program
def nodes_of_mutable_tables(tf, np):
    lookup = tf.contrib.lookup

    def texts(default=-1, values=(3,), **options):
        table = lookup.MutableHashTable(tf.string, tf.int64, default, **options)
        insert = table.insert(words(tf, "a"), tf.constant(list(values), tf.int64))
        return table.lookup(words(tf, "a")), insert, table.size(), table.export()[0], table.remove(words(tf, "a"))

    def dense(**options):
        table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -2, **options)
        return table.lookup([1]), table.insert([1], [2]), table.size(), table.export()[1], table.erase(tf.constant([1], tf.int64))

    attrs = ("use_node_name_sharing", "value_shape", "initial_num_buckets")
    return {
        "mutable": built(tf, texts, *attrs), "vectors": built(tf, lambda: texts([-1, -2], [[3, 4]]), *attrs),
        "without checkpoints": built(tf, lambda: texts(checkpoint=False, name="mine"), *attrs),
        "dense": built(tf, dense, *attrs), "few buckets": built(tf, lambda: dense(initial_num_buckets=8, checkpoint=False), *attrs),
        "python values": built(tf, lambda: lookup.MutableHashTable(tf.string, tf.int64, -1).insert(["a"], [1])),
    }  # fmt: skip


@program
def nodes_of_tables_from_files(tf, np):
    lookup, index = tf.contrib.lookup, tf.lookup.TextFileIndex

    def run(folder):
        path = vocabulary(folder)
        makers = {
            "lines": lambda: tf.lookup.StaticHashTable(
                tf.lookup.TextFileInitializer(path, tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER), -1),
            "columns": lambda: lookup.HashTable(
                lookup.TextFileInitializer(path, tf.string, 0, tf.int64, 1, 2, ","), -1),
            "ids": lambda: lookup.HashTable(lookup.TextFileIdTableInitializer(path), -1),
            "strings": lambda: lookup.HashTable(lookup.TextFileStringTableInitializer(tf.constant(path), vocab_size=3), "?"),
            "index": lambda: lookup.index_table_from_file(path).lookup(words(tf, "a")),
            "index with buckets": lambda: lookup.index_table_from_file(path, num_oov_buckets=2).lookup(words(tf, "a")),
            "index of some": lambda: lookup.index_table_from_file(path, vocab_size=2, name="mine").lookup(words(tf, "a")),
            "index of integers": lambda: lookup.index_table_from_file(
                path, num_oov_buckets=1, key_dtype=tf.int64).lookup(tf.constant([1], tf.int64)),
            "to strings": lambda: lookup.index_to_string_table_from_file(path).lookup(tf.constant([1], tf.int64)),
            "older": lambda: lookup.string_to_index_table_from_file(path, num_oov_buckets=1).lookup(words(tf, "a")),
        }  # fmt: skip
        return {label: built(tf, make) for label, make in makers.items()}

    return in_folder(run)


@program
def nodes_of_tables_from_tensors(tf, np):
    lookup = tf.contrib.lookup
    makers = {
        "index": lambda: lookup.index_table_from_tensor(["a", "b"]).lookup(words(tf, "a")),
        "index with buckets": lambda: lookup.index_table_from_tensor(words(tf, "a", "b"), num_oov_buckets=2).lookup(words(tf, "a")),
        "index of integers": lambda: lookup.index_table_from_tensor(
            tf.constant([5, 6]), num_oov_buckets=2, dtype=tf.int32, name="mine").lookup(tf.constant([5])),
        "to strings": lambda: lookup.index_to_string_table_from_tensor(["a", "b"]).lookup(tf.constant([1], tf.int64)),
        "string to index": lambda: lookup.string_to_index(words(tf, "a"), ["a", "b"]),
        "index to string": lambda: lookup.index_to_string(tf.constant([1], tf.int64), ["a", "b"]),
        "older": lambda: lookup.string_to_index_table_from_tensor(["a"], num_oov_buckets=1).lookup(words(tf, "a")),
    }  # fmt: skip
    return {label: built(tf, make) for label, make in makers.items()}


@program
def values_of_tables(tf, np):
    lookup = tf.contrib.lookup
    static = tf.lookup.StaticHashTable(key_values(tf), -1)
    sparse = tf.SparseTensor([[0, 1], [2, 0]], ["b", "z"], [3, 2])
    by_hash = lookup.IdTableWithHashBuckets(static, 5)
    strong = lookup.IdTableWithHashBuckets(static, 5, hasher_spec=lookup.StrongHashSpec([3, 4]))
    index = lookup.index_table_from_tensor(["x", "y"], num_oov_buckets=3)
    names = lookup.index_to_string_table_from_tensor(["x", "y"], default_value="?")
    numbers = lookup.index_table_from_tensor([10, 20], num_oov_buckets=4, dtype=tf.int64)
    texts = words(tf, "a", "b", "c", "dd", "eee")
    return ran(
        tf, static.lookup(texts), static.lookup(tf.constant([["a"], ["q"]])), static.size(), static.lookup(sparse),
        by_hash.lookup(texts), by_hash.size(), by_hash.lookup(sparse), strong.lookup(texts), index.lookup(words(tf, "y", "x", "zz")),
        names.lookup(tf.constant([1, 0, 7], tf.int64)), numbers.lookup(tf.constant([20, 10, 5, 6], tf.int64)),
    )  # fmt: skip


@program
def mutable_tables(tf, np):
    lookup = tf.contrib.lookup
    table = lookup.MutableHashTable(tf.string, tf.float32, 0.5)
    vectors = lookup.MutableHashTable(tf.int64, tf.string, ["x", "y"])
    keys, numbers = tf.placeholder(tf.string), tf.placeholder(tf.float32)
    found, size, insert, export = table.lookup(keys), table.size(), table.insert(keys, numbers), table.export()
    remove = table.remove(keys)
    steps = []
    with tf.Session() as sess:
        steps.append(sess.run([size, found], {keys: ["a"]}))
        sess.run(insert, {keys: ["a", "b", "c"], numbers: [1, 2, 3]})
        steps.append(sess.run([size, found], {keys: [["a", "z"]]}))
        sess.run(remove, {keys: ["b", "z"]})
        sess.run(insert, {keys: "a", numbers: 7})
        steps.append([sess.run(size), sorted_entries(tf, sess.run(export))])
        sess.run(vectors.insert(tf.constant([4], tf.int64), [["p", "q"]]))
        steps.append(sess.run([vectors.size(), vectors.lookup(tf.constant([4, 5], tf.int64)), vectors.export()]))
    with tf.Session() as sess:
        steps.append(sess.run(size))
    return steps


@program
def initialisation(tf, np):
    lookup = tf.contrib.lookup

    def before():
        table = lookup.HashTable(key_values(tf), -1)
        with tf.Session() as sess:
            return [sess.run(table.size()), attempt(lambda: sess.run(table.lookup(words(tf, "a"))))]

    def twice():
        table = lookup.HashTable(key_values(tf), -1)
        with tf.Session() as sess:
            sess.run([table.initializer, tf.tables_initializer()])
            sess.run(tf.initialize_all_tables())
            return sess.run(table.size())

    def two_values():
        return ran(tf, lookup.HashTable(key_values(tf, ("a", "a")), -1).size())

    def shared(second):
        one = lookup.HashTable(key_values(tf), -1, shared_name="mine")
        other = lookup.HashTable(key_values(tf, *second), -2, shared_name="mine")
        with tf.Session() as sess:
            sess.run(one.init)
            sess.run(other.init)
            return sess.run([one.size(), other.lookup(words(tf, "a", "d"))])

    def fed():
        keys = tf.placeholder(tf.string, [None])
        table = lookup.HashTable(lookup.KeyValueTensorInitializer(keys, tf.zeros_like(keys, tf.int64)), -1)
        with tf.Session() as sess:
            first = attempt(lambda: sess.run(table.init, {keys: []}))
            sess.run(table.init, {keys: ["a", "b"]})
            return [first, sess.run(table.size())]

    def none():
        with tf.Session() as sess:
            return [sess.run(tf.tables_initializer()), tf.tables_initializer(name="mine").name]

    found = [before, twice, two_values, fed, none]
    results = {f.__name__: fresh(tf, f) for f in found}
    results["shared"] = fresh(tf, lambda: shared((("d", "e"), (3, 4))))
    results["shared, of another size"] = fresh(tf, lambda: shared((("d",), (3,))))
    return results


@program
def text_files(tf, np):
    lookup = tf.contrib.lookup

    def table(path, key=0, value=1, types=None, default=-1, **options):
        types = types or (tf.string, tf.int64)
        initializer = lookup.TextFileInitializer(path, types[0], key, types[1], value, **options)
        table = lookup.HashTable(initializer, default)
        size, entries = ran(tf, table.size(), table.export())
        return [size, sorted_entries(tf, entries)]

    def run(folder):
        rows = vocabulary(folder, "a 1\nb 2\nc 3\n")
        numbers = (tf.string, tf.float32)
        cases = {
            "columns": (rows, {"delimiter": " "}), "some": (rows, {"delimiter": " ", "vocab_size": 2}),
            "too few": (rows, {"delimiter": " ", "vocab_size": 5}), "no column": (rows, {"value": 2, "delimiter": " "}),
            "no number": (rows, {"value": 0, "delimiter": " "}), "floats": (rows, {"delimiter": " ", "types": numbers, "default": 0.0}),
            "lines": (rows, {"key": -2, "value": -1}), "delimiter of two": (rows, {"delimiter": "ab"}),
            "missing": (os.path.join(folder, "none.txt"), {}),
            "line numbers": (rows, {"key": -1, "value": -2, "types": (tf.int64, tf.string), "default": "?"}),
            "bool": (rows, {"delimiter": " ", "types": (tf.string, tf.bool), "default": False}),
        }  # fmt: skip
        results = {
            label: fresh(tf, lambda path=path, options=options: table(path, **options)) for label, (path, options) in cases.items()
        }
        for label, text in {"empty": "", "an empty line": "a\n\nb", "ends of Windows": "a\r\nb\r\n", "twice": "a\nb\na\n"}.items():
            path = vocabulary(folder, text)
            results[label] = fresh(tf, lambda path=path: table(path, -2, -1))
        return results

    return in_folder(run)


@program
def refused_tables(tf, np):
    lookup = tf.contrib.lookup
    ints = lookup.KeyValueTensorInitializer

    def key_int():
        return tf.constant([1], tf.int64)

    def static():
        return lookup.HashTable(key_values(tf), -1)

    def mutable():
        return lookup.MutableHashTable(tf.string, tf.int64, -1)

    calls = {
        "keys of a list": lambda: static().lookup(["a"]), "keys of an array": lambda: static().lookup(np.array(["a"])),
        "other keys": lambda: static().lookup(tf.constant([1])), "default of another dtype": lambda: lookup.HashTable(key_values(tf), "u"),
        "default is a vector": lambda: lookup.HashTable(key_values(tf), [1, 2]),
        "key dtype": lambda: ints(["a"], [1], key_dtype=tf.int64), "value dtype": lambda: ints(["a"], [1], value_dtype=tf.string),
        "more values": lambda: lookup.HashTable(ints(["a"], [1, 2]), -1), "scalars": lambda: lookup.HashTable(ints("a", 1), -1),
        "insert other keys": lambda: mutable().insert(key_int(), key_int()),
        "insert other values": lambda: mutable().insert(words(tf, "a"), tf.constant([1.0])),
        "look other keys up": lambda: mutable().lookup(key_int()), "remove other keys": lambda: mutable().remove(key_int()),
        "no file": lambda: lookup.TextFileInitializer("", tf.string, 0, tf.int64, 1),
        "key index": lambda: lookup.TextFileInitializer("f", tf.string, -3, tf.int64, 1),
        "value index": lambda: lookup.TextFileInitializer("f", tf.string, 0, tf.int64, -3),
        "key is a line number": lambda: lookup.TextFileInitializer("f", tf.string, -1, tf.int64, 1),
        "value is a line number": lambda: lookup.TextFileInitializer("f", tf.string, 0, tf.string, -1),
        "value is a line": lambda: lookup.TextFileInitializer("f", tf.string, 0, tf.int64, -2),
        "size": lambda: lookup.TextFileInitializer("f", tf.string, 0, tf.int64, 1, vocab_size=0),
        "vocabulary of int32": lambda: tf.lookup.StaticVocabularyTable(ints(["a"], [1]), 3),
        "vocabulary without buckets": lambda: tf.lookup.StaticVocabularyTable(key_values(tf), 0),
        "vocabulary of floats": lambda: tf.lookup.StaticVocabularyTable(ints(tf.constant([1.0]), key_int()), 2),
        "vocabulary of other keys": lambda: tf.lookup.StaticVocabularyTable(key_values(tf), 2, lookup_key_dtype=tf.int64),
        "buckets of nothing": lambda: lookup.IdTableWithHashBuckets(None, 0),
        "buckets over int32": lambda: lookup.IdTableWithHashBuckets(lookup.HashTable(ints(["a"], [1]), -1), 0),
        "a hasher of text": lambda: lookup.IdTableWithHashBuckets(None, 2, hasher_spec="x"),
        "an unknown hasher": lambda: lookup.IdTableWithHashBuckets(None, 2, lookup.HasherSpec("x", None)).lookup(words(tf, "a")),
        "a short key": lambda: lookup.StrongHashSpec([1]), "a key of text": lambda: lookup.StrongHashSpec([1, "a"]),
        "buckets of floats": lambda: lookup.IdTableWithHashBuckets(None, 2, key_dtype=tf.float32),
        "index of no file": lambda: lookup.index_table_from_file(), "index of an empty name": lambda: lookup.index_table_from_file(""),
        "index of fewer buckets": lambda: lookup.index_table_from_file("f", num_oov_buckets=-1),
        "index of no lines": lambda: lookup.index_table_from_file("f", vocab_size=0),
        "index of floats": lambda: lookup.index_table_from_file("f", key_dtype=tf.float32),
        "index of nothing": lambda: lookup.index_table_from_tensor(None),
        "index of strings as integers": lambda: lookup.index_table_from_tensor(["a"], dtype=tf.int64),
        "index of integers as strings": lambda: lookup.index_table_from_tensor([1, 2]),
        "strings of no lines": lambda: lookup.index_to_string_table_from_file("f", vocab_size=0),
        "strings of nothing": lambda: lookup.index_to_string_table_from_tensor(None),
        "strings of integers": lambda: lookup.index_to_string_table_from_tensor(tf.constant([1])),
    }  # fmt: skip
    return {label: fresh(tf, call) for label, call in calls.items()}


@program
def tables_in_checkpoints(tf, np):
    lookup = tf.contrib.lookup

    def run(folder):
        table = lookup.MutableHashTable(tf.string, tf.int64, -1, name="words")
        dense = lookup.MutableDenseHashTable(tf.int64, tf.float32, -1.0, 0, -2, initial_num_buckets=8, name="numbers")
        lookup.MutableHashTable(tf.string, tf.int64, -1, name="not_saved", checkpoint=False)
        v = tf.get_variable("v", initializer=3)
        count = len(tf.get_default_graph().get_operations())
        saver = tf.train.Saver()
        nodes = graph_of(tf, "Tin", "Tout", since=count)
        size, found = table.size(), [table.lookup(words(tf, "a", "b", "c")), dense.lookup([4, 12]), v]
        with tf.Session() as sess:
            sess.run(v.initializer)
            sess.run([table.insert(["a", "b"], [1, 2]), dense.insert([4, 12, 5], [0.5, 1.5, 2.5])])
            path = saver.save(sess, os.path.join(folder, "model"))
            sess.run([table.insert(["a", "c"], [7, 8]), dense.remove(tf.constant([4], tf.int64)), v.assign(9)])
            changed = sess.run([size, found])
            saver.restore(sess, path)
            restored = sess.run([size, found, dense.export()])
        with tf.Session() as sess:
            saver.restore(sess, path)
            again = sess.run([size, found])
        return [nodes, tf.train.list_variables(path), changed, restored, again]

    return in_folder(run)


@program
def tables_and_order(tf, np):
    """Reads and changes of one table, in the order of the control inputs."""
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, 0)
    key = words(tf, "n")
    steps = [table.lookup(key)]
    for _ in range(3):
        with tf.control_dependencies([steps[-1]]):
            insert = table.insert(key, table.lookup(key) + 1)
        with tf.control_dependencies([insert]):
            steps.append(table.lookup(key))
    index = tf.constant(0)
    loop = tf.while_loop(lambda i, x: i < 4, lambda i, x: (i + 1, x + table.lookup(key)[0]), [index, tf.constant(0, tf.int64)])
    chosen = tf.cond(tf.constant(True), lambda: table.lookup(key), lambda: table.lookup(key) * 2)
    with tf.Session() as sess:
        return [sess.run(steps), sess.run(loop), sess.run(chosen)]


@program
def values_of_other_shapes(tf, np):
    def made(keys, values):
        return fresh(tf, lambda: attempt(lambda: tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), 0)))

    return [made(["a"], [[1, 2]]), made(["a"], [1, 2]), made([["a"]], [[1]])]

"""tf.data.experimental: csv files, databases, serialized Examples, and datasets that are written into files."""

import gzip
import sqlite3

from harness import attempt, program
from programs_data_files import file, taken
from programs_data_sets import nodes


def csv_of(tf, data, defaults, **options):
    path = file("rows.csv", data)
    return attempt(lambda: taken(tf, lambda: tf.data.experimental.CsvDataset(path, defaults, **options), 8))


@program
def csv_records(tf, np):
    i, s = tf.int32, tf.string
    return [
        csv_of(tf, b'1,2.5,x\n2,,y\n3,4.5,"z,w"\n', [i, [0.0], s]), csv_of(tf, b"1,2\r\n3,4", [i, i]),
        csv_of(tf, b'1,"a\nb"\n2,"c""d"\n', [i, s]), csv_of(tf, b"1,\n,2\n3,4\n", [i, [7]]), csv_of(tf, b"1,x\n2,3\n", [i, i]),
        csv_of(tf, b"1\n2,3\n", [i, i]), csv_of(tf, b"1,2,3\n2,3\n", [i, i]), csv_of(tf, b"\n1,2\n\n3,4\n", [i, i]),
        csv_of(tf, b"1,2,3.5,4.5,s\n", [i, tf.int64, tf.float32, tf.float64, s]), csv_of(tf, b" 1, 2\n", [i, i]),
        csv_of(tf, b"a,2\rb,3\r", [s, i]),
    ]  # fmt: skip


@program
def csv_quotes(tf, np):
    texts = [
        b'"ab"c,"2"\n3,4\n', b'"ab"c,2\n"3",4\n', b'"a""b",2\n', b'"",2\n', b'"a\r\nb",2\r\n', b'a,"2\n', b'a,2"\nb,3\n', b'"a" ,2\n',
        b',\n', b'"a","3"\n"b","x"\n', b'a,2\n\n', b'""a"",2\n', b'a"b,"c"d"\nx,1\n',
    ]  # fmt: skip
    defaults = [tf.string, [b"none"]]
    return [[csv_of(tf, text, [tf.string, tf.int32]), csv_of(tf, text, defaults, buffer_size=3)] for text in texts]


@program
def csv_options(tf, np):
    i = tf.int32
    rows = b"1,2,3\n4,5,6\n"
    packed = file("rows.csv.gz", gzip.compress(b"1,2\n3,4\n"))
    two = [file("first.csv", b"1,2\n"), file("second.csv", b"3,4\n5,x\n7,8\n")]
    dataset = tf.data.experimental.CsvDataset
    return [
        csv_of(tf, b"a,b\n1,2\n", [i, i], header=True), csv_of(tf, b"a,b\n", [i, i], header=True),
        csv_of(tf, rows, [i, i], select_cols=[0, 2]), csv_of(tf, rows, [i], select_cols=[5]),
        csv_of(tf, rows, [i, i], select_cols=[2, 0]), csv_of(tf, rows, [i, i], select_cols=[2]),
        csv_of(tf, b"NA,2\n3,NA\n", [[0], [9]], na_value="NA"), csv_of(tf, b"1\t2\n", [i, i], field_delim="\t"),
        csv_of(tf, b"1\t2\n", [i, i], field_delim="::"), csv_of(tf, b'"1",2\n', [tf.string, i], use_quote_delim=False),
        taken(tf, lambda: dataset(packed, [i, i], compression_type="GZIP")), taken(tf, lambda: dataset(two, [i, i])),
        nodes(tf, lambda d: dataset("a.csv", [i, [0.0], tf.string], header=True)),
    ]  # fmt: skip


@program
def whole_csv_files(tf, np):
    path = file("h1.csv", b'a,b,c\n1,2.5,x\n2,,y\n3,4.5,"z,w"\n')
    other = file("h2.csv", b"a,b,c\n7,8.5,q\n")
    kinds = file("kinds.csv", b"i,l,f,s,e\n1,99999999999,1.5,abc,\n2,3,2e300,d,\n")
    make = tf.data.experimental.make_csv_dataset

    def of(pattern=path, **options):
        given = dict({"num_epochs": 1, "shuffle": False}, **options)

        def build():
            with tf.Graph().as_default():
                shapes = [str(each) for each in (make(pattern, 2, **given).output_types, make(pattern, 2, **given).output_shapes)]
            return [shapes, taken(tf, lambda: make(pattern, 2, **given), 4)]

        return attempt(build)

    return [
        of(), of(label_name="c"), of(label_name="q"), of(select_columns=["a", "c"]), of(select_columns=[0, 2]),
        of(select_columns=["zz"]), of(column_names=["p", "q", "r"]), of(column_names=["a", "a", "b"]), of(header=False),
        of(column_defaults=[tf.int32, [1.0], tf.string]), of(column_defaults=[tf.int32]), of(num_epochs=2),
        of(shuffle=True, shuffle_seed=3), of(num_epochs=3, shuffle=True, shuffle_seed=3), of(num_epochs=None), of(kinds),
        of([path, other]), of(num_parallel_reads=2), of(ignore_errors=True),
    ]  # fmt: skip


@program
def rows_of_databases(tf, np):
    path = file("rows.db", b"")
    database = sqlite3.connect(path)
    database.execute("create table t(a integer, b real, c text, d blob)")
    rows = [(1, 2.5, "x", b"q"), (300, -1e300, "12abc", b""), (None, None, None, None), (-70000, 3.9, " 7.9e1", b"\xc3\xa9")]
    database.executemany("insert into t values(?,?,?,?)", rows)
    database.commit()
    database.close()

    def of(query, *types, **options):
        kinds = tuple(tf.as_dtype(each) for each in types)
        dataset = tf.data.experimental.SqlDataset
        return attempt(lambda: taken(tf, lambda: dataset(options.get("driver", "sqlite"), path, query, kinds), 5))

    return [
        of("select a,b,c,d from t", "int32", "float64", "string", "string"),
        of("select a,a,a,a,a,a from t", "int8", "int16", "int64", "uint8", "uint16", "bool"),
        of("select b,b,b from t", "int32", "string", "bool"), of("select c,c,c from t", "int32", "float64", "bool"),
        of("select a,d from t", "string", "int32"), of("select a from t", "float32"), of("select a from t", "int32", driver="mysql"),
        of("select a from t where 0", "int32"), of("select a from t order by a desc limit 2", "int64"),
    ]  # fmt: skip


def examples(tf):
    def ints(*values):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))

    def floats(*values):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))

    return [
        tf.train.Example(
            features=tf.train.Features(feature={"a": floats(i, i + 1), "b": ints(*range(i)), "i": ints(i), "v": floats(i * 2)})
        ).SerializeToString()
        for i in range(3)
    ]


@program
def parsed_examples(tf, np):
    x = tf.data.experimental
    wanted = {"a": tf.FixedLenFeature([2], tf.float32), "b": tf.VarLenFeature(tf.int64)}

    def of(features, batch=True):
        def build():
            dataset = tf.data.Dataset.from_tensor_slices(examples(tf))
            return (dataset.batch(2) if batch else dataset).apply(x.parse_example_dataset(features))

        return attempt(lambda: [nodes(tf, lambda d: build()), taken(tf, build)])

    return [
        of(wanted), of(wanted, batch=False), of({"z": tf.FixedLenFeature([2], tf.float32)}), of(None),
        of({"s": tf.SparseFeature("i", "v", tf.float32, 10)}),
        of({"b": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}),
    ]  # fmt: skip


@program
def batches_of_features(tf, np):
    x = tf.data.experimental
    wanted = {"a": tf.FixedLenFeature([2], tf.float32), "b": tf.VarLenFeature(tf.int64)}
    path = file("features.tfrecord", b"")
    with tf.python_io.TFRecordWriter(path) as writer:
        for example in examples(tf):
            writer.write(example)

    def of(**options):
        def build():
            return x.make_batched_features_dataset(path, 2, wanted, **options)

        def shown(built):
            with tf.Graph().as_default() as graph:
                shapes = str(built().output_shapes)
                return [[(op.name, op.type) for op in graph.get_operations()], shapes, taken(tf, built, 4)]

        return attempt(lambda: shown(build))

    return [
        of(shuffle=False, num_epochs=1), of(shuffle=False, num_epochs=2, label_key="a"), of(shuffle_seed=3, num_epochs=2),
        of(label_key="zz"), of(shuffle=False, num_epochs=1, drop_final_batch=True),
    ]  # fmt: skip


@program
def sparse_batches(tf, np):
    x = tf.data.experimental

    def of(function, size, shape, count=5):
        return attempt(
            lambda: taken(tf, lambda: tf.data.Dataset.range(count).map(function).apply(x.dense_to_sparse_batch(size, shape)))
        )

    return [
        of(lambda n: tf.range(n), 2, [6]), of(lambda n: tf.range(n), 2, [2]), of(lambda n: tf.fill([n, 2], n), 2, [6]),
        of(lambda n: tf.fill([n], "a"), 0, [6]), of(lambda n: tf.fill([n], "a"), 2, [6], 3),
        of(lambda n: tf.fill([n, 2], n), 2, [5, 3], 3),
        nodes(tf, lambda d: d.range(5).map(lambda n: tf.range(n)).apply(x.dense_to_sparse_batch(2, [6]))),
    ]  # fmt: skip


@program
def written_datasets(tf, np):
    def of(build, **options):
        path = file("written.tfrecord", b"")
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.data.experimental.TFRecordWriter(path, **options).write(build()))
        kinds = tf.python_io.TFRecordCompressionType
        kind = kinds.GZIP if options else kinds.NONE
        return list(tf.python_io.tf_record_iterator(path, tf.python_io.TFRecordOptions(kind)))

    d = tf.data.Dataset
    return [
        of(lambda: d.from_tensor_slices(["a", "b", ""])), of(lambda: d.from_tensor_slices(["a", "b"]), compression_type="GZIP"),
        attempt(lambda: of(lambda: d.range(2))), attempt(lambda: of(lambda: d.from_tensors(["a", "b"]))), attempt(lambda: of(lambda: 3)),
        nodes(tf, lambda d: tf.data.experimental.TFRecordWriter("a").write(d.from_tensors("a"))),
    ]  # fmt: skip

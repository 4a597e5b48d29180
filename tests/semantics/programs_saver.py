"""tf.train.Saver: its nodes and names, its files, its errors, and the values that it restores."""

import os

from harness import attempt, graph_of, in_folder, program


def _files(folder):
    return sorted(os.listdir(folder))


def _read(path):
    with open(path) as file:
        return file.read()


def _two(tf):
    w = tf.Variable([1.0, 2.0], name="w")
    b = tf.Variable([[3, 4]], name="b")
    return w, b


ATTRS = ("dtypes", "dtype", "T", "validate_shape", "use_locking", "shape")


@program
def the_nodes_of_a_saver(tf, np):
    _two(tf)
    since = len(tf.get_default_graph().get_operations())
    saver = tf.train.Saver()
    return [graph_of(tf, *ATTRS, since=since), str(saver.as_saver_def())]


@program
def the_nodes_for_resources(tf, np):
    with tf.variable_scope("net", use_resource=True):
        tf.get_variable("w", initializer=[1.0, 2.0])
        tf.get_variable("n", initializer=3, trainable=False)
    since = len(tf.get_default_graph().get_operations())
    tf.train.Saver(name="mine", max_to_keep=3)
    return graph_of(tf, "dtypes", "dtype", "T", since=since)


@program
def the_nodes_for_parts(tf, np):
    tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    since = len(tf.get_default_graph().get_operations())
    tf.train.Saver()
    return graph_of(tf, *ATTRS, since=since)


@program
def the_nodes_that_reshape(tf, np):
    _two(tf)
    tf.Variable([1.0], name="open", validate_shape=False)
    with tf.device("/gpu:1"):
        tf.Variable(1.0, name="c")
    since = len(tf.get_default_graph().get_operations())
    tf.train.Saver(reshape=True, restore_sequentially=True)
    return graph_of(tf, *ATTRS, since=since)


@program
def the_nodes_of_loading_shards(tf, np):
    _two(tf)
    with tf.device("/gpu:1"):
        tf.Variable(1.0, name="c")
    tf.train.Saver(sharded=True)
    graph = graph_of(tf, "dtypes", "dtype")
    # how the names of the shards are made differs between the releases
    return [line for line in graph["nodes"] if "Restore" in line or "restore" in line or "SaveV2" in line or "Merge" in line]


@program
def a_dict_gives_names(tf, np):
    w, b = _two(tf)
    r = tf.get_variable("r", initializer=[5.0], use_resource=True)
    since = len(tf.get_default_graph().get_operations())
    tf.train.Saver({"x/w": w, "a": b, "m": r})
    return graph_of(tf, since=since)


@program
def several_savers_and_scopes(tf, np):
    _two(tf)
    with tf.name_scope("out"):
        first = tf.train.Saver()
    second = tf.train.Saver(name="mine")
    third = tf.train.Saver()
    return [
        [str(s.as_saver_def()) for s in (first, second, third)],
        str(first.to_proto("out")),
        first.to_proto("nowhere") is None,
        [type(s).__name__ for s in (tf.train.Saver.from_proto(second.to_proto()),)],
    ]


@program
def refused_savers(tf, np):
    w, _ = _two(tf)
    c = tf.constant(1)
    return [
        attempt(lambda: tf.train.Saver([])),
        attempt(lambda: tf.train.Saver({})),
        attempt(lambda: tf.train.Saver({"a": w, "b": w})),
        attempt(lambda: tf.train.Saver([w, w])),
        attempt(lambda: tf.train.Saver({"a": c})),
        attempt(lambda: tf.train.Saver([c])),
        attempt(lambda: tf.train.Saver({1: w})),
        attempt(lambda: tf.train.Saver([w], defer_build=True)),
        attempt(lambda: tf.train.Saver(defer_build=True).save(None, "x")),
        attempt(lambda: tf.train.Saver(saver_def=3)),
        len(tf.get_default_graph().get_operations()),
    ]


@program
def without_variables(tf, np):
    def body(folder):
        saver = tf.train.Saver(allow_empty=True)
        with tf.Session() as sess:
            return [
                attempt(tf.train.Saver),
                saver.save(sess, folder + "/m", write_meta_graph=False),
                saver.restore(sess, folder + "/nothing"),
                _files(folder),
        ]

    return in_folder(body)


@program
def values_come_back(tf, np):
    def body(folder):
        w, b = _two(tf)
        r = tf.get_variable("r", initializer=[5.0, 6.0], use_resource=True)
        s = tf.Variable([b"a", b"bc"], name="s")
        step = tf.Variable(7, name="step", dtype=tf.int64)
        saver = tf.train.Saver()
        out = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run([w.assign([8.0, 9.0]), r.assign_add([1.0, 1.0])])
            out.append(saver.save(sess, folder + "/m"))
            out.append(saver.save(sess, folder + "/m", global_step=3))
            out.append(saver.save(sess, folder + "/m", global_step=step))
            out.append(saver.save(sess, folder + "/m", global_step="step:0", write_meta_graph=False, write_state=False))
            out.append(tf.train.Saver(pad_step_number=True).save(sess, folder + "/p", global_step=3, meta_graph_suffix="graph"))
            out.append(saver.last_checkpoints)
        with tf.Session() as sess:
            saver.restore(sess, folder + "/m-3")
            out += sess.run([w, b, r, s, step])
        with open(folder + "/checkpoint") as file:
            out.append(file.read())
        return [*out, _files(folder), tf.train.latest_checkpoint(folder)]

    return in_folder(body)


@program
def old_checkpoints_go(tf, np):
    def body(folder):
        _two(tf)
        saver = tf.train.Saver(max_to_keep=2)
        every = tf.train.Saver(max_to_keep=None)
        kept = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=0.0)
        out = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for step in range(4):
                saver.save(sess, folder + "/m", step)
                out.append(saver.last_checkpoints)
            out.append(_files(folder))
            for step in range(3):
                every.save(sess, folder + "/e", step, latest_filename="every", write_meta_graph=False)
            out.append([every.last_checkpoints, _read(folder + "/every")])
            for step in range(3):
                kept.save(sess, folder + "/k", step, latest_filename="kept", write_meta_graph=False)
            out.append([kept.last_checkpoints, _files(folder)])
            again = tf.train.Saver(max_to_keep=2)
            again.recover_last_checkpoints([folder + "/m-0", folder + "/m-2", folder + "/m-3"])
            out.append(again.last_checkpoints)
            again.save(sess, folder + "/m", 9, write_meta_graph=False)
            out.append([again.last_checkpoints, _files(folder)])
            again.set_last_checkpoints([folder + "/x"])
            out.append([again.last_checkpoints, attempt(lambda: again.set_last_checkpoints("x")).classes])
        return out

    return in_folder(body)


@program
def what_save_refuses(tf, np):
    def body(folder):
        _two(tf)
        saver = tf.train.Saver()
        with tf.Session() as sess:
            uninitialized = attempt(lambda: saver.save(sess, folder + "/m"))
            sess.run(tf.global_variables_initializer())
            return [
                uninitialized.classes[0],
                attempt(lambda: saver.save(sess, folder + "/a/b/c")),
                attempt(lambda: saver.save(sess, folder + "/checkpoint")),
                attempt(lambda: saver.save(sess, folder + "/m", latest_filename="a/b")),
                attempt(lambda: saver.save("x", folder + "/m")),
                saver.save(sess, folder + "/new/m"),
                _files(folder),
        ]

    return in_folder(body)


@program
def what_restore_refuses(tf, np):
    def body(folder):
        _two(tf)
        saver = tf.train.Saver()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            saver.save(sess, folder + "/m")
            out = [attempt(lambda: saver.restore(sess, None)), attempt(lambda: saver.restore(sess, folder + "/no"))]
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.Variable([1.0, 2.0, 3.0], name="w")
            out.append(attempt(lambda: tf.train.Saver().restore(sess, folder + "/m")))
            x = tf.Variable([1, 2], name="x")
            out.append(attempt(lambda: tf.train.Saver().restore(sess, folder + "/m")))
            out.append(attempt(lambda: tf.train.Saver({"w": x}).restore(sess, folder + "/m")))
            r = tf.get_variable("r", [2, 1], use_resource=True)
            tf.train.Saver({"w": r}, reshape=True).restore(sess, folder + "/m")
            out.append(sess.run(r))
        return out

    return in_folder(body)


@program
def parts_become_a_whole_and_other_parts(tf, np):
    def body(folder):
        out = []
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.get_variable("p", [7, 2], partitioner=tf.fixed_size_partitioner(3), initializer=tf.random_uniform_initializer(seed=3))
            sess.run(tf.global_variables_initializer())
            tf.train.Saver().save(sess, folder + "/m")
        out.append(tf.train.list_variables(folder + "/m"))
        out.append(tf.train.load_variable(folder, "p"))
        for kind in ({}, {"partitioner": tf.fixed_size_partitioner(2)}, {"partitioner": tf.fixed_size_partitioner(2, axis=1)}):
            with tf.Graph().as_default(), tf.Session() as sess:
                p = tf.get_variable("p", [7, 2], **kind)
                tf.train.Saver().restore(sess, folder + "/m")
                out.append(sess.run(tf.convert_to_tensor(p)))
        return out

    return in_folder(body)


@program
def averages_are_restored(tf, np):
    def body(folder):
        w = tf.Variable([1.0, 2.0], name="w")
        averages = tf.train.ExponentialMovingAverage(0.5)
        update = averages.apply([w])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(w.assign([5.0, 6.0]))
            sess.run(update)
            tf.train.Saver().save(sess, folder + "/m")
        with tf.Graph().as_default(), tf.Session() as sess:
            w = tf.Variable([0.0, 0.0], name="w")
            names = tf.train.ExponentialMovingAverage(0.5).variables_to_restore()
            tf.train.Saver(names).restore(sess, folder + "/m")
            return [sorted(names), sess.run(w), tf.train.list_variables(folder + "/m")]

    return in_folder(body)


@program
def checkpoints_of_a_folder(tf, np):
    def body(folder):
        out = [tf.train.latest_checkpoint(folder), tf.train.get_checkpoint_state(folder)]
        tf.train.update_checkpoint_state(folder, folder + "/m-2", [folder + "/m-1", folder + "/m-2"])
        state = tf.train.get_checkpoint_state(folder)
        out += [_read(folder + "/checkpoint"), state.model_checkpoint_path, list(state.all_model_checkpoint_paths)]
        out.append(tf.train.latest_checkpoint(folder))
        tf.train.update_checkpoint_state(folder, "m-3", latest_filename="other")
        state = tf.train.get_checkpoint_state(folder, "other")
        out += [_read(folder + "/other"), state.model_checkpoint_path, list(state.all_model_checkpoint_paths)]
        with open(folder + "/broken", "w") as file:
            file.write("nothing: like that")
        with open(folder + "/empty", "w"):
            pass
        out.append(tf.train.get_checkpoint_state(folder, "broken"))
        out.append(attempt(lambda: tf.train.get_checkpoint_state(folder, "empty")))
        out.append(attempt(lambda: tf.train.update_checkpoint_state(folder, folder + "/checkpoint")))
        out.append([tf.train.checkpoint_exists(folder + "/m-2"), tf.train.get_checkpoint_mtimes([folder + "/m-2"])])
        for name in ("m-2.index", "m-2.data-00000-of-00001", "m-2.meta", "m-21.index"):
            with open(f"{folder}/{name}", "w"):
                pass
        out.append([tf.train.checkpoint_exists(folder + "/m-2"), tf.train.latest_checkpoint(folder)])
        out.append(len(tf.train.get_checkpoint_mtimes([folder + "/m-1", folder + "/m-2"])))
        tf.train.remove_checkpoint(folder + "/m-2")
        return [*out, _files(folder)]

    return in_folder(body)


@program
def relative_paths(tf, np):
    def body(folder):
        _two(tf)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            saver = tf.train.Saver(save_relative_paths=True)
            saver.save(sess, folder + "/m", 1, write_meta_graph=False)
            saver.save(sess, folder + "/m", 2, write_meta_graph=False)
            return [_read(folder + "/checkpoint"), tf.train.latest_checkpoint(folder), saver.last_checkpoints]

    return in_folder(body)


@program
def a_reader_tells_what_there_is(tf, np):
    def body(folder):
        _two(tf)
        tf.Variable(2.5, name="a/scalar", dtype=tf.float64)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            tf.train.Saver().save(sess, folder + "/m", write_meta_graph=False)
        reader = tf.train.load_checkpoint(folder)
        return [
            sorted(reader.get_variable_to_shape_map().items()),
            sorted((k, v.name) for k, v in reader.get_variable_to_dtype_map().items()),
            reader.has_tensor("w"),
            reader.has_tensor("nope"),
            [reader.get_tensor(n) for n in ("w", "b")],
            float(reader.get_tensor("a/scalar")),
            reader.debug_string(),
            attempt(lambda: reader.get_tensor("nope")).text,
            tf.train.load_variable(folder + "/m", "w:0"),
            tf.train.list_variables(folder),
            tf.train.NewCheckpointReader(folder + "/m").has_tensor("b"),
            attempt(lambda: tf.train.load_checkpoint(folder + "/zz")),
            attempt(lambda: tf.train.load_checkpoint(os.path.dirname(os.__file__))).classes,
        ]

    return in_folder(body)


@program
def variables_begin_with_a_checkpoint(tf, np):
    def body(folder):
        with tf.Graph().as_default(), tf.Session() as sess:
            with tf.variable_scope("old"):
                tf.get_variable("a", initializer=[1.0, 2.0])
                tf.get_variable("b", initializer=[[3.0], [4.0], [5.0]])
            tf.Variable(6.0, name="c")
            sess.run(tf.global_variables_initializer())
            tf.train.Saver().save(sess, folder + "/m")
        with tf.variable_scope("new"):
            a = tf.get_variable("a", [2])
            b = tf.get_variable("b", [3, 1], partitioner=tf.fixed_size_partitioner(2))
        r = tf.get_variable("r", [2], use_resource=True)
        c = tf.get_variable("c", [])
        init = tf.train.init_from_checkpoint
        refused = [
            attempt(lambda: init(folder, {"nope": a})).classes,
            attempt(lambda: init(folder, {"old/b": a})),
            attempt(lambda: init(folder, {"old": "new/"})),
            attempt(lambda: init(folder, {"c/": "new/"})),
        ]
        since = len(tf.get_default_graph().get_operations())
        init(folder, {"old/": "new/", "old/a": r, "c": "c"})
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return [refused, graph_of(tf, "dtypes", since=since)["nodes"], sess.run([a, r, c, tf.convert_to_tensor(b)])]

    return in_folder(body)


@program
def a_graph_comes_back_with_its_saver(tf, np):
    def body(folder):
        out = []
        with tf.Graph().as_default(), tf.Session() as sess:
            w, _ = _two(tf)
            tf.add_to_collection("y", tf.multiply(w, 2.0, name="y"))
            sess.run(tf.global_variables_initializer())
            sess.run(w.assign([8.0, 9.0]))
            tf.train.Saver().save(sess, folder + "/m", 1)
        with tf.Graph().as_default(), tf.Session() as sess:
            saver = tf.train.import_meta_graph(folder + "/m-1.meta")
            saver.restore(sess, folder + "/m-1")
            out += [sess.run("y:0"), sess.run(tf.get_collection("y")[0]), str(saver.as_saver_def())]
            out.append([op.name for op in tf.get_default_graph().get_operations()])
        with tf.Graph().as_default(), tf.Session() as sess:
            saver = tf.train.import_meta_graph(folder + "/m-1.meta", import_scope="in")
            saver.restore(sess, folder + "/m-1")
            out += [sess.run("in/y:0"), str(saver.as_saver_def())]
        with tf.Graph().as_default():
            out.append(tf.train.import_meta_graph(tf.train.export_meta_graph()))
            _two(tf)
            message = tf.train.export_meta_graph()
        with tf.Graph().as_default():
            saver = tf.train.import_meta_graph(message)
            out.append([type(saver).__name__, str(saver.as_saver_def())])
        return out

    return in_folder(body)


@program
def savers_in_their_collection(tf, np):
    _two(tf)
    saver = tf.train.Saver()
    tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(message)
        found = tf.get_collection(tf.GraphKeys.SAVERS)
        return [[type(s).__name__ for s in found], str(found[0].as_saver_def())]


@program
def sharded_names(tf, np):
    r = tf.raw_ops
    with tf.Session() as sess:
        return [
            sess.run(r.ShardedFilename(basename="a/b", shard=3, num_shards=7)),
            sess.run(r.ShardedFilespec(basename="a/b", num_shards=7)),
            attempt(lambda: r.ShardedFilename(basename=["a"], shard=3, num_shards=7)),
        ]


@program
def slices_by_the_ops(tf, np):
    def body(folder):
        r = tf.raw_ops
        prefix = folder + "/q"

        def run(node):
            # a graph of its own: a refused call may have taken a name
            with tf.Graph().as_default(), tf.Session() as sess:
                return attempt(lambda: sess.run(node()))

        def save(names, specs, tensors):
            return run(lambda: r.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=specs, tensors=tensors))

        def load(name, spec, kind):
            return run(lambda: r.RestoreV2(prefix=prefix, tensor_names=[name], shape_and_slices=[spec], dtypes=[kind]))

        return [
            save(["b", "a"], ["4 1,2", ""], [[1.0, 2.0], [1.0, 2.0, 3.0]]),
            [load("a", spec, tf.float32) for spec in ("", "3 0,2", "3 -", "4 0,2", "2 1,1", "x")],
            [load("b", spec, tf.float32) for spec in ("", "4 1,2", "4 0,2", "4 -", "4 1,1", "4 2,1")],
            load("a", "", tf.int32),
            load("z", "", tf.float32),
            save(["a", "a"], ["", ""], [1.0, 2.0]),
            save(["a"], ["", ""], [1.0, 2.0]),
            save(["a"], ["4 0,2"], [[1.0, 2.0, 3.0]]),
            save(["a"], ["4 x,2"], [[1.0, 2.0, 3.0]]),
            save("a", [""], [1.0]),
        ]

    return in_folder(body)


@program
def the_nodes_of_the_older_format(tf, np):
    _two(tf)
    since = len(tf.get_default_graph().get_operations())
    plain = tf.train.Saver(write_version=tf.train.SaverDef.V1).saver_def
    sharded = tf.train.Saver(write_version=tf.train.SaverDef.V1, sharded=True, name="parts").saver_def
    return [graph_of(tf, since=since), str(plain), str(sharded)]


@program
def the_older_format_comes_and_goes(tf, np):
    def body(folder):
        v, w = _two(tf)
        path = os.path.join(folder, "m")
        saver = tf.train.Saver(write_version=tf.train.SaverDef.V1, max_to_keep=2)
        parts = tf.train.Saver(write_version=tf.train.SaverDef.V1, sharded=True, max_to_keep=1)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found = [saver.save(session, path, step) for step in range(4)]
            found += [_files(folder), tf.train.latest_checkpoint(folder), tf.train.checkpoint_exists(found[-1])]
            found += [parts.save(session, path + "_parts", step) for step in range(2)]
            found += [_files(folder), tf.train.latest_checkpoint(folder), tf.train.list_variables(folder)]
            saver.restore(session, path + "-3")
            parts.restore(session, tf.train.latest_checkpoint(folder))
            return [*found, session.run([v, w])]

    return in_folder(body)

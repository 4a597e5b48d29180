"""Writes a small saved model by TensorFlow 1.15.0 into tests/golden/saved_model, binary and text: two sets of tags, variables, an asset.

Run with the oracle's interpreter: ``python tools/oracle/record_saved_model.py``.
"""

import os
import pathlib
import shutil
import tempfile

import _oracle

HERE = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "saved_model"


def main():
    tf = _oracle.load()
    shutil.rmtree(str(HERE), ignore_errors=True)
    with tf.Graph().as_default(), tf.Session() as session, tempfile.TemporaryDirectory() as folder:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [2.0]])
        n = tf.get_variable("n", initializer=3, use_resource=True)
        y = tf.add(tf.matmul(x, w), tf.cast(n, tf.float32), name="y")
        os.chdir(folder)
        with open("words.txt", "w") as file:
            file.write("zero\none\ntwo\n")
        path = tf.constant("words.txt", name="path")
        table = tf.contrib.lookup.index_to_string_table_from_file(path)
        word = tf.identity(table.lookup(tf.constant(1, tf.int64)), name="word")
        session.run(tf.global_variables_initializer())
        signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y, "word": word})
        builder = tf.saved_model.Builder(str(HERE))
        builder.add_meta_graph_and_variables(
            session, ["serve"], {"serving_default": signature}, tf.get_collection("asset_filepaths"), main_op=tf.tables_initializer()
        )
        builder.add_meta_graph(["train", "gpu"], {"again": signature})
        builder.save()
    for path in sorted(HERE.rglob("*")):
        print(path.relative_to(HERE), path.stat().st_size if path.is_file() else "")


if __name__ == "__main__":
    main()

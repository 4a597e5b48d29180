import os
import shutil
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
os.chdir(folder)
if tf.gfile.Exists("logs"):
    tf.gfile.DeleteRecursively("logs")
tf.gfile.MakeDirs("logs/a/b")
with tf.gfile.GFile("logs/a/words.txt", "w") as f:
    f.write("one\ntwo\n")
    f.write("three\n")
with tf.gfile.Open("logs/a/words.txt") as f:
    print([line.strip() for line in f])
with tf.gfile.GFile("logs/a/words.txt", "rb") as f:
    print(f.size(), f.read(4), f.tell(), f.readline(), f.readlines())
    f.seek(0)
    print(f.read(3))
with tf.gfile.GFile("logs/a/words.txt", "a") as f:
    f.write("four\n")
print(len(tf.gfile.GFile("logs/a/words.txt").read()))
print(sorted(tf.gfile.ListDirectory("logs/a")), tf.gfile.IsDirectory("logs/a"), tf.gfile.IsDirectory("logs/a/words.txt"))
tf.gfile.Copy("logs/a/words.txt", "logs/a/copy.txt")
tf.gfile.Rename("logs/a/copy.txt", "logs/a/b/moved.txt")
print(sorted(tf.gfile.Glob("logs/a/*")), tf.gfile.Glob("logs/*/b/*.txt"), tf.gfile.Stat("logs/a/words.txt").length)
print([(where, sorted(dirs), sorted(files)) for where, dirs, files in tf.gfile.Walk("logs")])
tf.gfile.Remove("logs/a/words.txt")
print(tf.gfile.Exists("logs/a/words.txt"), tf.io.gfile.exists("logs"))
for attempt in (
    lambda: tf.gfile.GFile("none").read(),
    lambda: tf.gfile.Remove("none"),
    lambda: tf.gfile.ListDirectory("none"),
    lambda: tf.gfile.MkDir("x/y"),
    lambda: tf.gfile.Stat("none"),
    lambda: tf.gfile.DeleteRecursively("none"),
    lambda: tf.gfile.GFile("q", "x").read(),
    lambda: tf.gfile.GFile("logs/a/b/moved.txt").write("x"),
    lambda: tf.gfile.Copy("none", "other"),
):
    try:
        attempt()
    except tf.errors.OpError as e:
        print(type(e).__name__, e.message, e.error_code)
shutil.rmtree(folder)

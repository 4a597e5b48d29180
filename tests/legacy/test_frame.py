"""The frame of programs beyond what tests/legacy/programs shows: flags, logging, files, versions."""

import inspect
import logging
import os
import pathlib
import subprocess
import sys

import pytest
import sources

import tfedu as tf


def run(program, *arguments, **environment):
    """What a program that imports tfedu prints, with its exit status and its errors."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=sources.ROOT, env=os.environ | environment, capture_output=True, text=True,
    )  # fmt: skip
    return done


# -- flags and app --


def test_flags_are_loaded_only_when_they_are_used():
    done = run("import sys, tfedu; print('absl' in sys.modules); tfedu.flags; print('absl' in sys.modules)")
    assert done.stdout == "False\nTrue\n"


def test_without_absl_the_flags_say_what_is_missing():
    done = run("import sys; sys.modules['absl'] = None\nimport tfedu\ntry: tfedu.flags\nexcept ImportError as e: print(e)")
    assert "tf.flags and tf.app need the package absl-py" in done.stdout, done.stderr


def test_a_notebooks_own_arguments_are_no_flags():
    program = (
        "import sys\nsys.argv = ['/x/ipykernel_launcher.py', '-f', '/tmp/kernel.json']\nimport tfedu as tf\n"
        "tf.flags.DEFINE_integer('steps', 3, '')\nprint(tf.flags.FLAGS.steps)\n"
    )
    assert run(program).stdout == "3\n"


def test_elsewhere_an_unknown_flag_is_an_error_when_a_flag_is_read():
    program = (
        "import tfedu as tf\ntf.flags.DEFINE_integer('steps', 3, '')\n"
        "try: tf.flags.FLAGS.steps\nexcept tf.flags.UnrecognizedFlagError as e: print(e)\n"
    )
    assert "Unknown command line flag 'nothing'" in run(program, "--nothing=1").stdout


def test_a_cell_that_is_run_again_defines_its_flag_twice():
    """As in TF: the second definition of one module is an error, and the first one stays."""
    program = (
        "import tfedu as tf\ntf.flags.DEFINE_integer('steps', 3, 'a')\n"
        "try: tf.flags.DEFINE_integer('steps', 4, 'b')\nexcept tf.flags.DuplicateFlagError: print('twice')\n"
        "print(tf.flags.FLAGS.steps)\n"
    )
    assert run(program).stdout == "twice\n3\n"


def test_old_parameter_names_of_flags_are_taken():
    program = (
        "import tfedu as tf\ntf.app.flags.DEFINE_string(flag_name='old', default_value='x', docstring='h')\n"
        "print(tf.app.flags.FLAGS.old)\n"
    )
    done = run(program)
    assert done.stdout == "x\n"
    assert "please use (name, default, help) instead" in done.stderr


def test_required_flags_and_flag_files(tmp_path):
    program = (
        "import tfedu as tf\ntf.flags.DEFINE_string('name', None, '')\ntf.flags.mark_flag_as_required('name')\n"
        "def main(argv): print(tf.flags.FLAGS.name)\ntf.app.run()\n"
    )
    done = run(program)
    assert done.returncode == 1
    assert "--name" in done.stderr
    (tmp_path / "flags").write_text("--name=from-a-file\n")
    assert run(program, f"--flagfile={tmp_path / 'flags'}").stdout == "from-a-file\n"


def test_help_lists_the_programs_flags():
    program = "import tfedu as tf\ntf.flags.DEFINE_integer('steps', 3, 'How many.')\ndef main(_): pass\ntf.app.run()\n"
    done = run(program, "--help")
    assert "How many." in done.stdout + done.stderr
    assert done.returncode == 1


# -- logging --


def test_the_logger_is_the_one_that_programs_ask_logging_for():
    assert tf.get_logger() is logging.getLogger("tensorflow")


def test_a_program_that_set_up_logging_gets_no_second_line():
    program = (
        "import logging\nimport tfedu\nlogging.basicConfig(format='%(message)s|%(filename)s')\n"
        "tfedu.logging.error('once')\n"
    )
    done = run(program)
    assert done.stderr == "once|<string>\n"


def test_the_default_shows_warnings_on_standard_error():
    done = run("import tfedu as tf\ntf.logging.info('no')\ntf.logging.warn('yes')\nprint(tf.logging.get_verbosity())")
    assert (done.stdout, done.stderr) == ("30\n", "WARNING:tensorflow:yes\n")


def test_where_somebody_types_info_goes_to_standard_output():
    done = run("import sys\nsys.ps1 = '>'\nimport tfedu as tf\ntf.logging.info('shown')")
    assert (done.stdout, done.stderr) == ("INFO:tensorflow:shown\n", "")


def test_first_n_counts_each_line_for_itself():
    program = (
        "import tfedu as tf\nfor i in range(4):\n    tf.logging.log_first_n(tf.logging.ERROR, 'a%d', 2, i)\n"
        "    tf.logging.log_every_n(tf.logging.ERROR, 'b%d', 3, i)\n"
    )
    lines = run(program).stderr.split()
    assert lines == [f"ERROR:tensorflow:{t}" for t in ("a0", "b0", "a1", "b3")]


# -- files --


def test_a_file_is_opened_when_it_is_first_used_and_again_after_close(tmp_path):
    missing = tf.gfile.GFile(str(tmp_path / "none"))
    with pytest.raises(tf.errors.NotFoundError) as caught:
        missing.read()
    assert caught.value.message == f"{tmp_path / 'none'}; No such file or directory"
    file = tf.gfile.GFile(str(tmp_path / "a"), "w+")
    file.write("text")
    file.close()
    file.close()
    with tf.gfile.GFile(str(tmp_path / "a")) as again:
        assert [again.read(), again.read()] == ["text", ""]
        again.close()
        assert again.read() == "text"


@pytest.mark.parametrize("kind", [str, os.fsencode, pathlib.Path, lambda p: f"file://{p}"])
def test_paths_of_all_kinds_are_taken(tmp_path, kind):
    path = kind(tmp_path / "x")
    with tf.gfile.GFile(path, "wb") as file:
        file.write(b"\x00\xff")
    assert tf.gfile.Exists(path)
    assert tf.gfile.GFile(path, "rb").read() == b"\x00\xff"


@pytest.mark.parametrize("path", ["gs://bucket/x", "hdfs://x/y", "s3://b/k"])
def test_files_of_other_machines_are_refused(path):
    with pytest.raises(tf.errors.UnimplementedError, match="not implemented"):
        tf.gfile.Exists(path)


def test_what_may_not_be_written_is_permission_denied_or_a_folder(tmp_path):
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        tf.gfile.GFile(str(tmp_path), "w").write("x")
    with pytest.raises(tf.errors.PermissionDeniedError, match="isn't open for writing"):
        tf.gfile.GFile(str(tmp_path / "x"), "r").write("x")
    with pytest.raises(tf.errors.PermissionDeniedError, match="isn't open for reading"):
        tf.gfile.GFile(str(tmp_path / "x"), "w").read()


def test_globs_stay_inside_one_folder(tmp_path):
    for name in ("a.txt", "b.txt", "c.dat", "d/e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = tf.gfile.Glob(f"{tmp_path}/*.txt")
    assert [os.path.basename(f) for f in found] == ["a.txt", "b.txt"]
    assert tf.gfile.Glob([f"{tmp_path}/?.dat", f"{tmp_path}/*/*"]) == [f"{tmp_path}/c.dat", f"{tmp_path}/d/e.txt"]
    assert tf.gfile.Glob(f"{tmp_path}/[ab].txt") == found
    assert tf.gfile.Glob(f"{tmp_path}/none*") == []


# -- versions and the rest --


def test_programs_see_1_15():
    assert tf.__version__ == tf.VERSION == tf.version.VERSION
    assert tf.__version__.startswith("1.15.")
    assert tuple(map(int, tf.__version__.split("+")[0].split("."))) == (1, 15, 0)
    assert tf.__git_version__ == tf.GIT_VERSION
    assert (tf.GRAPH_DEF_VERSION, tf.GRAPH_DEF_VERSION_MIN_CONSUMER, tf.GRAPH_DEF_VERSION_MIN_PRODUCER) == (134, 0, 0)
    assert (tf.__cxx11_abi_flag__, tf.__monolithic_build__) == (tf.CXX11_ABI_FLAG, tf.MONOLITHIC_BUILD)


@pytest.mark.parametrize(
    "refused",
    [lambda: tf.load_op_library("x.so"), lambda: tf.load_library("x"), tf.sysconfig.get_include, tf.sysconfig.get_link_flags],
)
def test_compiled_ops_are_refused_in_plain_words(refused):
    with pytest.raises(NotImplementedError, match="Python and NumPy alone"):
        refused()


def test_resources_lie_beside_the_file_that_asks():
    here = os.path.dirname(__file__)
    assert tf.resource_loader.get_data_files_path() == here
    assert tf.resource_loader.get_path_to_datafile("x") == os.path.join(here, "x")
    assert tf.resource_loader.readahead_file_path("x") == "x"


def test_the_horizon_of_compatibility_can_be_moved():
    assert tf.compat.forward_compatible(2019, 8, 20)
    assert not tf.compat.forward_compatible(2019, 8, 21)
    with tf.compat.forward_compatibility_horizon(2020, 1, 1):
        assert tf.compat.forward_compatible(2019, 12, 31)
    assert not tf.compat.forward_compatible(2019, 12, 31)


SIGNATURES = {
    "app.run": "main=None, argv=None", "gfile.GFile": "name, mode='r'", "gfile.Copy": "oldpath, newpath, overwrite=False",
    "gfile.Rename": "oldname, newname, overwrite=False", "gfile.Walk": "top, in_order=True", "gfile.Exists": "filename",
    "gfile.Glob": "filename", "gfile.ListDirectory": "dirname", "gfile.MakeDirs": "dirname",
    "io.gfile.copy": "src, dst, overwrite=False",
    "io.gfile.glob": "pattern", "io.gfile.walk": "top, topdown=True, onerror=None",
    "compat.as_bytes": "bytes_or_text, encoding='utf-8'",
    "compat.as_text": "bytes_or_text, encoding='utf-8'", "logging.info": "msg, *args, **kwargs", "logging.set_verbosity": "v",
    "logging.log_every_n": "level, msg, n, *args", "logging.log_if": "level, msg, condition, *args", "test.main": "argv=None",
    "test.is_gpu_available": "cuda_only=False, min_cuda_compute_capability=None",
    "test.TestCase.session": "self, graph=None, config=None, use_gpu=False, force_gpu=False",
    "test.TestCase.assertAllClose": "self, a, b, rtol=1e-06, atol=1e-06, msg=None",
    "test.TestCase.assertAllEqual": "self, a, b, msg=None", "test.TestCase.assertNear": "self, f1, f2, err, msg=None",
    "test.TestCase.assertShapeEqual": "self, np_array, tf_tensor, msg=None",
    "test.assert_equal_graph_def": "actual, expected, checkpoint_v2=False, hash_table_shared_name=False",
    "legacy.datasets.mnist.read_data_sets": "train_dir, fake_data=False, one_hot=False, dtype=tf.float32, reshape=True, "
    f"validation_size=5000, seed=None, source_url='{'https://storage.googleapis.com/cvdf-datasets/mnist/'}'",
}  # fmt: skip


@pytest.mark.parametrize(("name", "wanted"), SIGNATURES.items(), ids=SIGNATURES)
def test_parameters_are_those_of_1_15(name, wanted):
    thing = tf
    for part in name.split("."):
        thing = getattr(thing, part)
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(thing).parameters.values()]
    assert ", ".join(map(str, plain)) == wanted


# -- settings of sessions, which are protocol messages in TF --


def test_settings_take_what_programs_give_them():
    config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(allow_growth=True), device_count={"GPU": 0})
    config.gpu_options.per_process_gpu_memory_fraction = 1
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.device_filters.append("/job:x")
    assert (config.gpu_options.allow_growth, config.gpu_options.per_process_gpu_memory_fraction) == (True, 1.0)
    assert config.HasField("gpu_options")
    assert not tf.ConfigProto().HasField("gpu_options")
    other = tf.ConfigProto()
    other.CopyFrom(config)
    assert other == config
    other.gpu_options.allow_growth = False
    assert other != config
    assert tf.ConfigProto(gpu_options={"allow_growth": True}).gpu_options.allow_growth


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda c: tf.ConfigProto(nothing=1), ValueError, 'Protocol message ConfigProto has no "nothing" field.'),
        (lambda c: setattr(c, "nothing", 1), AttributeError, 'Protocol message ConfigProto has no "nothing" field.'),
        (lambda c: setattr(c, "gpu_options", tf.GPUOptions()), AttributeError, "Assignment not allowed to message"),
        (lambda c: setattr(c, "allow_soft_placement", "yes"), TypeError, "allow_soft_placement"),
        (lambda c: setattr(c.gpu_options, "per_process_gpu_memory_fraction", "x"), TypeError, "must be real number, not str"),
        (lambda c: setattr(c, "inter_op_parallelism_threads", 1.5), TypeError, "inter_op_parallelism_threads"),
        (lambda c: setattr(c.gpu_options, "visible_device_list", 0), TypeError, "visible_device_list"),
        (lambda c: tf.ConfigProto(gpu_options=3), TypeError, "gpu_options|message field"),
        (lambda c: c.CopyFrom(tf.GPUOptions()), TypeError, "same class"),
        (lambda c: tf.Session(config=3), TypeError, "config must be a tf.ConfigProto, but got <class 'int'>"),
    ],
)
def test_wrong_settings_are_refused_with_the_class_of_tf(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong(tf.ConfigProto())

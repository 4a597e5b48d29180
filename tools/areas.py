"""Says to which area of tfedu each name of TensorFlow 1.15 belongs: `python tools/areas.py` writes what is stale.

From tests/golden/public_names.json (what 1.15 has) and RULES it writes tfedu/legacy/names.json, which `tf.coverage()` and the
error texts of missing names read, and the `area` column of tests/golden/api_usage.csv (which names real programs use). The
table of families in docs/legacy.md counts what tfedu has of each area.
"""

import csv
import fnmatch
import functools
import io
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tfedu.legacy import aliases, coverage

PUBLIC = ROOT / "tests" / "golden" / "public_names.json"
USAGE = ROOT / "tests" / "golden" / "api_usage.csv"
NAMES = ROOT / "tfedu" / "legacy" / "names.json"
PAGE = ROOT / "docs" / "legacy.md"
# the table of families: two families in each line, the head before it, a blank line behind it
TABLE_HEAD = "| family | here of there | family | here of there |\n|---|--:|---|--:|\n"

# area -> what belongs to it, as patterns of whole names; the first that fits counts. "language" is the rest of the
# namespaces that it names itself: an unknown namespace is an error here, not a guess.
RULES = {
    "not for tfedu": """
        tf.tpu* tf.contrib.tpu* tf.xla* tf.lite* tf.contrib.lite* tf.autograph* tf.contrib.autograph* tf.config*
        tf.experimental*         tf.contrib.cloud* tf.contrib.bigtable* tf.contrib.eager* tf.contrib.cudnn_rnn*
        tf.contrib.cluster_resolver* tf.contrib.rnn.CompiledWrapper
        tf.contrib.tensorrt* tf.contrib.mpi* tf.contrib.nccl* tf.contrib.cmake* tf.contrib.android* tf.contrib.ffmpeg*
        tf.models*
        tf.contrib.hadoop* tf.contrib.ignite* tf.contrib.kafka* tf.contrib.kinesis* tf.contrib.rpc* tf.contrib.verbs*
        tf.contrib.gdr* tf.contrib.remote_fused_graph* tf.contrib.session_bundle* tf.contrib.compiler* tf.contrib.libsvm*
        tf.examples
        tf.examples.speech_commands* tf.examples.image_retraining* tf.examples.get_started* tf.examples.adding_an_op*
        tf.python.grappler* tf.python.tpu* tf.python.compiler* tf.compat.v2* tf.optimizers* tf.some_decoder tf.SomeReader
        tf.zeroes
        tf.keras.estimator* tf.load_file_system_library tf.wrap_function tf.python.eager* tf.python.autograph*
        tf.enable_control_flow_v2 tf.disable_control_flow_v2 tf.control_flow_v2_enabled tf.nondifferentiable_batch_function
        tf.enable_eager_execution tf.enable_v2_behavior tf.enable_v2_tensorshape tf.load_library tf.load_op_library
        tf.debugging.*_log_device_placement tf.errors.raise_exception_on_not_ok_status tf.sysconfig.get_* tf.user_ops*
        tf.enable_tensor_equality tf.disable_tensor_equality tf.LazyLoader tf.*.LazyLoader
        tf.pywrap_tensorflow
        tf.test.create_local_cluster""",
    "raw_ops": "tf.raw_ops.*",
    "random generators": "tf.random.experimental*",
    "linear operators": "tf.linalg.LinearOperator*",
    "quantization": """
        tf.quantiz* tf.quantized_concat tf.dequantize tf.fake_quant_* tf.contrib.quantiz* tf.nn.quantized_*
        tf.train.do_quantize_training_on_graphdef""",
    "gradients and training": """
        tf.gradients tf.GradientTape tf.custom_gradient tf.AggregationMethod tf.UnconnectedGradients tf.NoGradient
        tf.NotDifferentiable tf.no_gradient tf.RegisterGradient tf.grad_pass_through tf.recompute_grad tf.train.*Optimizer
        tf.train.*decay* tf.train.piecewise_constant* tf.train.sdca_* tf.train.*global_step* tf.test.compute_gradient*
        tf.contrib.opt* tf.contrib.optimizer_v2* tf.add_check_numerics_ops tf.contrib.constrained_optimization*
        tf.train.NanLossDuringTrainingError tf.train.experimental*""",
    "control flow": """
        tf.case tf.while_loop tf.switch_case tf.foldl tf.foldr tf.map_fn tf.scan tf.TensorArray tf.TensorArraySpec
        tf.vectorized_map
        tf.CriticalSection tf.function tf.linalg.expm tf.hessians""",
    "queues and readers": """
        tf.*Queue tf.QueueBase tf.queue tf.queue.* tf.io.*Queue tf.io.QueueBase tf.*Reader tf.ReaderBase
        tf.*ConditionalAccumulator*
        tf.train.*batch* tf.train.QueueRunner tf.train.queue_runner* tf.train.*input_producer tf.train.add_queue_runner
        tf.train.start_queue_runners tf.train.Coordinator tf.train.LooperThread tf.train.limit_epochs
        tf.train.match_filenames_once tf.io.match_filenames_once tf.contrib.input_pipeline* tf.contrib.batching*
        tf.sparse.SparseConditionalAccumulator""",
    "files and records": """
        tf.FixedLen* tf.VarLenFeature tf.SparseFeature tf.io.FixedLen* tf.io.VarLenFeature tf.io.SparseFeature tf.parse_*
        tf.io.parse_* tf.decode_csv tf.io.decode_csv tf.decode_json_example tf.io.decode_json_example tf.decode_compressed
        tf.io.decode_compressed tf.io.decode_proto tf.io.encode_proto tf.read_file tf.io.read_file tf.write_file
        tf.io.write_file
        tf.matching_files tf.io.matching_files tf.serialize_* tf.io.serialize_* tf.deserialize_many_sparse
        tf.io.deserialize_many_sparse tf.python_io* tf.io.TFRecord* tf.io.tf_record_iterator tf.train.Example
        tf.train.SequenceExample tf.train.Feature tf.train.Features tf.train.FeatureList tf.train.FeatureLists
        tf.train.BytesList tf.train.FloatList tf.train.Int64List tf.core.example*""",
    "summaries": """
        tf.summary* tf.Summary tf.Summary.* tf.SummaryMetadata tf.HistogramProto tf.Event tf.LogMessage tf.SessionLog
        tf.train.summary_iterator tf.contrib.summary* tf.contrib.tensorboard* tf.*_summary tf.merge_all_summaries
        tf.train.SummaryWriter""",
    "checkpoints": """
        tf.saved_model* tf.train.Saver tf.train.SaverDef tf.train.Checkpoint tf.train.CheckpointManager tf.train.*checkpoint*
        tf.train.NewCheckpointReader tf.train.list_variables tf.train.load_variable tf.train.warm_start tf.train.VocabInfo
        tf.graph_util* tf.contrib.saved_model* tf.contrib.checkpoint* tf.contrib.framework.*checkpoint*
        tf.contrib.framework.list_variables tf.contrib.framework.load_variable tf.core.protobuf.saver* tf.saved_model_builder*
        tf.python.tools* tf.contrib.predictor* tf.Module tf.python.saved_model*""",
    "sessions and hooks": """
        tf.train.*Hook tf.train.*Session tf.train.*SessionCreator tf.train.SessionCreator tf.train.SessionManager
        tf.train.SessionRun*
        tf.train.Scaffold tf.train.Supervisor tf.train.SecondOrStepTimer tf.train.CheckpointSaverListener
        tf.train.basic_train_loop tf.contrib.training* tf.contrib.hooks* tf.python.debug*""",
    "devices of a cluster": """
        tf.distribute* tf.train.Server tf.train.ServerDef tf.train.ClusterDef tf.train.ClusterSpec tf.train.JobDef
        tf.train.replica_device_setter tf.contrib.distribute*""",
    "profiling": "tf.profiler* tf.contrib.tfprof* tf.python.client.timeline* tf.contrib.stat_summarizer*",
    "data": """
        tf.data* tf.contrib.data* tf.OptionalSpec tf.TensorSpec tf.TypeSpec tf.SparseTensorSpec tf.IndexedSlicesSpec
        tf.RaggedTensorSpec""",
    "rnn": """
        tf.nn.rnn* tf.nn.*_rnn tf.python.ops.rnn*
        tf.contrib.rnn* tf.contrib.grid_rnn* tf.contrib.recurrent* tf.nn.seq2seq* tf.contrib.seq2seq*
        tf.contrib.legacy_seq2seq*""",
    "image": "tf.image* tf.io.*jpeg* tf.io.decode_bmp tf.io.decode_gif tf.io.decode_image tf.io.decode_png tf.contrib.image* "
    "tf.decode_jpeg tf.io.extract_jpeg_shape tf.extract_image_patches tf.extract_volume_patches",
    "nn": "tf.nn tf.nn.* tf.contrib.nn* tf.random.*candidate_sampler tf.contrib.crf* tf.contrib.sparsemax* tf.contrib.resampler* "
    "tf.contrib.periodic_resample*",
    "losses and metrics": "tf.losses* tf.metrics* tf.contrib.losses* tf.contrib.metrics*",
    "signal": """
        tf.signal tf.signal.* tf.audio* tf.contrib.signal* tf.contrib.framework.python.ops.audio_ops*""",
    "layers": "tf.layers* tf.contrib.layers* tf.contrib.slim* tf.contrib.specs* tf.contrib.framework*",
    "keras": "tf.keras* tf.contrib.keras*",
    "feature columns": "tf.feature_column* tf.contrib.feature_column*",
    "estimator": """
        tf.estimator* tf.contrib.estimator* tf.contrib.learn tf.contrib.learn.* tf.contrib.tensor_forest*
        tf.contrib.boosted_trees*
        tf.contrib.factorization* tf.contrib.kernel_methods* tf.contrib.linear_optimizer* tf.contrib.timeseries*
        tf.contrib.decision_trees* tf.contrib.labeled_tensor*""",
    "tables": "tf.lookup* tf.contrib.lookup* tf.tables_initializer tf.initialize_all_tables tf.initializers.tables_initializer",
    "distributions": "tf.distributions* tf.contrib.distributions* tf.contrib.bayesflow*",
    "frame": """
        tf.app* tf.flags* tf.logging* tf.gfile* tf.compat* tf.test* tf.io.gfile* tf.sysconfig* tf.version* tf.resource_loader*
        tf.VERSION tf.GIT_VERSION tf.COMPILER_VERSION tf.GRAPH_DEF_VERSION* tf.CXX11_ABI_FLAG tf.MONOLITHIC_BUILD
        tf.__*__ tf.get_logger tf.disable_v2_behavior tf.disable_v2_tensorshape tf.disable_eager_execution
        tf.examples.tutorials* tf.python tf.core tf.io""",
    "contrib": "tf.contrib tf.contrib.*",
    "language": """
        tf.? tf.?* tf.bitwise.* tf.debugging.* tf.dtypes.* tf.errors.* tf.initializers.* tf.io.* tf.linalg.* tf.manip.*
        tf.math.*
        tf.nest.* tf.ragged.* tf.random.* tf.sets.* tf.sparse.* tf.spectral.* tf.strings.* tf.train.* tf.GraphKeys.*
        tf.core.*""",
}
# what of a broad rule's names is made already, because the ops of this namespace need no more than graph and session
LANGUAGE = """
    tf.nn.relu tf.nn.relu6 tf.nn.elu tf.nn.selu tf.nn.leaky_relu tf.nn.sigmoid tf.nn.tanh tf.nn.softmax tf.nn.log_softmax
    tf.nn.softplus tf.nn.softsign tf.nn.l2_loss tf.nn.l2_normalize tf.nn.top_k tf.nn.in_top_k tf.nn.zero_fraction
    tf.nn.depth_to_space tf.nn.space_to_depth tf.train.ExponentialMovingAverage tf.train.write_graph
    tf.train.export_meta_graph tf.train.import_meta_graph tf.train.replica_device_setter tf.graph_util.import_graph_def
    tf.train.ClusterSpec tf.contrib.util.make_tensor_proto tf.contrib.util.make_ndarray tf.contrib.util.constant_value
    tf.signal.fft tf.signal.fft2d tf.signal.fft3d tf.signal.ifft tf.signal.ifft2d tf.signal.ifft3d tf.signal.rfft
    tf.signal.rfft2d tf.signal.rfft3d tf.signal.irfft tf.signal.irfft2d tf.signal.irfft3d"""
PRIVATE = ("tf.python.", "tf.contrib.", "tf.examples.", "tf.core.")
# a name of no namespace of its own: fields and methods of these classes go with the class
CLASSES = re.compile(r"(tf\.(?:[a-z_]+\.)*[A-Z]\w*)\..*")


@functools.cache
def recorded():
    """Every public name of 1.15, and every namespace."""
    public = json.loads(PUBLIC.read_text(encoding="utf-8"))["public"]
    return {f"{ns}.{name}" for ns, names in public.items() for name in names.split()} | public.keys()


@functools.cache
def area(name):
    """The area of a public name, "tf.nn.relu", or of a private path's, "tf.python.ops.nn.relu"."""
    if name in LANGUAGE.split():
        return "language"
    if name.startswith(PRIVATE):
        return private_area(name)
    klass = CLASSES.fullmatch(name)
    if klass and not name.startswith("tf.contrib.") and "_pb2" not in name:
        name = klass.group(1)
    for title, patterns in RULES.items():
        for pattern in patterns.split():
            if fnmatch.fnmatchcase(name, pattern):
                if title != "language" or name.count(".") == 1 or pattern not in ("tf.?", "tf.?*"):
                    return title
    raise SystemExit(f"tools/areas.py: no rule says where {name} belongs")


def private_area(name):
    """The area of a private path: that of the public name behind it, else what the rules say of the path itself."""
    path = "tensorflow" + name[2:]
    row = aliases.rows().get(aliases.plain(path))
    if row is not None and row.spaces in (("tf",), ("tf", "tf.io")):
        return "language"
    for other in [*(row.spaces if row else ()), *aliases.places(path)]:
        if other.startswith(("tf.legacy.modules.messages", "tf.legacy.modules_of_contrib.contrib_util")):
            return "language"
        if other.startswith("tf.legacy."):
            ruled = ruled_area(name)
            return "frame" if ruled in ("contrib", "private") else ruled
        if other in recorded() - {"tf", name} and not other.startswith(PRIVATE):
            return area(other)
    return ruled_area(name)


def ruled_area(name):
    """The area that the rules give a private path itself."""
    for title, patterns in RULES.items():
        if any(fnmatch.fnmatchcase(name, p) for p in patterns.split() if p.startswith(PRIVATE) or p == "tf.contrib.*"):
            return title
    return "private"


def names_file():
    """{"areas": {area: {namespace: names}}, "modules": {package: modules}} as text."""
    recorded = json.loads(PUBLIC.read_text(encoding="utf-8"))
    areas = {title: {} for title in RULES}
    for namespace, names in recorded["public"].items():
        for name in names.split():
            areas[area(f"{namespace}.{name}")].setdefault(namespace, []).append(name)
    joined = {title: {ns: " ".join(names) for ns, names in spaces.items()} for title, spaces in areas.items()}
    return json.dumps({"areas": joined, "modules": recorded["modules"]}, indent=0) + "\n"


def usage_file(source=USAGE):
    """The usage table with its areas made anew."""
    with open(source, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["symbol", "files_using", "repos_using", "status", "area"])
    for row in rows:
        writer.writerow([row["symbol"], row["files_using"], row["repos_using"], row["status"], area(row["symbol"])])
    return text.getvalue()


def page():
    """docs/legacy.md with its table of families made anew."""
    counts = {title: [0, 0] for title in RULES}
    for name in coverage.coverage(show=False).names:
        counts[name.area][0] += name.is_here
        counts[name.area][1] += 1
    cells = [f"{title} | {here} of {there} |" for title, (here, there) in counts.items() if there]
    half = (len(cells) + 1) // 2
    lines = [f"| {left} {right}" for left, right in zip(cells[:half], [*cells[half:], " | |"][:half], strict=True)]
    before, head, after = PAGE.read_text(encoding="utf-8").partition(TABLE_HEAD)
    _, blank, rest = after.partition("\n\n")
    return before + head + "\n".join(lines) + blank + rest


def main():
    for path, text in ((NAMES, names_file()), (USAGE, usage_file(*map(pathlib.Path, sys.argv[1:]))), (PAGE, page())):
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} is fresh")


if __name__ == "__main__":
    main()

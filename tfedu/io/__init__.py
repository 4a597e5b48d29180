"""`tf.io`: files, and what is read from and written to them."""

from ..engine.base.budget import Budget
from ..engine.base.lazy import lazy as _lazy
from ..engine.lib.strings.strings import decode_base64, decode_compressed, decode_raw, encode_base64
from . import gfile

__all__ = [
    "Budget", "decode_base64", "decode_compressed", "decode_raw", "encode_base64", "gfile",
]  # fmt: skip

__getattr__, __dir__ = _lazy(
    __name__,
    {
        "tfedu.engine.lib.sparse.serialized": "deserialize_many_sparse serialize_many_sparse serialize_sparse",
        "tfedu.engine.data.queues.producers": "match_filenames_once",
        "tfedu.engine.data.queues.queues": "PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue",
        "tfedu.engine.interop.message_files": "load_graph_def write_graph",
        "tfedu.engine.interop.safetensors": "export_safetensors import_safetensors load_safetensors save_safetensors",
        "tfedu.engine.data.parsing.examples": "parse_example parse_single_example",
        "tfedu.engine.data.parsing.sequences": "parse_sequence_example parse_single_sequence_example",
        "tfedu.engine.data.parsing.features": "FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature",
        "tfedu.engine.data.parsing.text_records": "decode_csv decode_json_example parse_tensor serialize_tensor",
        "tfedu.engine.data.parsing.message_records": "decode_proto encode_proto",
        "tfedu.engine.lib.images.image_files": (
            "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_png encode_jpeg extract_jpeg_shape "
            "is_jpeg"
        ),
        "tfedu.engine.ops.whole_files": "matching_files read_file write_file",
        "tfedu.engine.files.tfrecord": "TFRecordCompressionType TFRecordOptions TFRecordWriter tf_record_iterator",
    },
)

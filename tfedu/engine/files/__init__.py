"""TensorFlow's file formats: file systems (gfile), TFRecord, checkpoints, checksums, PNG and WAV."""

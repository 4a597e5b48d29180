"""Files as TensorFlow has them: file systems (gfile), TFRecord, checkpoint tables, checksums, pictures and sounds."""

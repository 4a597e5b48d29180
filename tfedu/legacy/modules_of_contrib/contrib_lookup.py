"""`tf.contrib.lookup`: tables from keys to values, and vocabularies from files and tensors."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.data.tables.index_tables import (
    index_table_from_file, index_table_from_tensor, index_to_string, index_to_string_table_from_file,
    index_to_string_table_from_tensor, string_to_index, string_to_index_table_from_file,
    string_to_index_table_from_tensor,
)  # fmt: skip
from ...engine.data.tables.initializers import (
    KeyValueTensorInitializer, TableInitializerBase, TextFileIdTableInitializer, TextFileIndex, TextFileInitializer,
    TextFileStringTableInitializer,
)  # fmt: skip
from ...engine.data.tables.lookup import (
    FastHashSpec, HashTable, HasherSpec, IdTableWithHashBuckets, InitializableLookupTableBase, LookupInterface,
    StrongHashSpec,
)  # fmt: skip
from ...engine.data.tables.mutable import DenseHashTable as MutableDenseHashTable, MutableHashTable

__all__ = [
    "FastHashSpec", "HashTable", "HasherSpec", "IdTableWithHashBuckets", "InitializableLookupTableBase",
    "KeyValueTensorInitializer", "LookupInterface", "MutableDenseHashTable", "MutableHashTable",
    "StrongHashSpec", "TableInitializerBase", "TextFileIdTableInitializer", "TextFileIndex",
    "TextFileInitializer", "TextFileStringTableInitializer", "index_table_from_file",
    "index_table_from_tensor", "index_to_string", "index_to_string_table_from_file",
    "index_to_string_table_from_tensor", "string_to_index", "string_to_index_table_from_file",
    "string_to_index_table_from_tensor",
]  # fmt: skip

"""Tables from keys to values: `initializers` fill a table, `lookup` has those that are filled once and their vocabularies,
`mutable` those that nodes change, `index_tables` the functions of tf.contrib.lookup.
"""

"""Import and export of TensorFlow's messages and files: GraphDef, MetaGraphDef, TensorProto, event files.

Modules here import the package protobuf, so the public names import them on first use.
"""

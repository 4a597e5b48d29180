"""What goes out of tfedu and comes in: GraphDef, MetaGraphDef, TensorProto, as TensorFlow writes and reads them.

Modules here need the package protobuf, which is imported with them: public names come here on their first use.
"""

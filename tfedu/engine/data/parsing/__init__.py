"""Tensors out of serialized messages and texts: `features` says what to read, `examples` and `sequences` read Examples and
SequenceExamples, `texts` reads csv lines and JSON.
"""

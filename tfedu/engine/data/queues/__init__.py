"""Queues of tensors, whose enqueues and dequeues are nodes, and what fills them from threads."""

"""Losses, metrics, optimizers and functions of tf.keras: what models of layers are trained with."""

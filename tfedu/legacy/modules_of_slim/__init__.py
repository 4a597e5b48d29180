"""What programs import from `tf.contrib.slim`, one module here for one or several there. The table of aliases leads here."""

from ..modules import importing

__getattr__ = importing(__name__, __path__)

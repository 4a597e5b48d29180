"""Rules on their way to the op tables."""
from . import sparse as sparse
from . import spectral as spectral

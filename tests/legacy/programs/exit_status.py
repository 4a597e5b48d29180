import sys

import tensorflow as tf

print(__name__, __file__.endswith("exit_status.py"), sys.argv[0].endswith("exit_status.py"), sys.path[0].endswith("programs"))
print(tf.__version__.startswith("1.15") or tf.__version__.startswith("2.15"))
sys.exit(5)

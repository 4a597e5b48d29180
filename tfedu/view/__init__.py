"""What is to be seen of graphs and runs: records (plain data), pictures (SVG, DOT), text, and `tfedu.show`.

build.py turns engine objects into records; everything else here reads records alone, and so do the widgets.
"""

"""Views of graphs and runs: records (plain data), pictures (SVG, DOT), text, and `tfedu.show`.

make/ turns engine objects into records; everything else reads records only, and so do the widgets.
"""

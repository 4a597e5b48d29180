"""What authors publish: notebooks by nbconvert, documents by Sphinx; with pictures or widgets, without Python.

notebook_pages.py has the exporters of `jupyter nbconvert --to tfedu-html`; figures.py turns a block of code into a figure.
"""

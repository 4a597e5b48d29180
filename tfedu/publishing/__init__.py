"""What authors publish: notebooks by nbconvert, documents by Sphinx, Markdown files; with pictures or widgets, without Python.

notebook_pages.py has the exporters of `jupyter nbconvert --to tfedu-html`.
"""

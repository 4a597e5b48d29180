"""The op tables of images: sizes, colours, boxes, patches, file formats. Images are [h, w, channels] or [n, h, w, channels]."""

"""`tf.image`: pictures in files, sizes, colours, crops, boxes and measures of images."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.images.image_boxes import (
    combined_non_max_suppression, crop_and_resize, draw_bounding_boxes, extract_glimpse, extract_image_patches, extract_patches,
    non_max_suppression, non_max_suppression_overlaps, non_max_suppression_padded, non_max_suppression_with_scores,
    sample_distorted_bounding_box,
)  # fmt: skip
from .engine.lib.images.image_colours import (
    adjust_brightness, adjust_contrast, adjust_gamma, adjust_hue, adjust_saturation, convert_image_dtype, grayscale_to_rgb,
    hsv_to_rgb, per_image_standardization, random_brightness, random_contrast, random_hue, random_saturation, rgb_to_grayscale,
    rgb_to_hsv, rgb_to_yiq, rgb_to_yuv, yiq_to_rgb, yuv_to_rgb,
)  # fmt: skip
from .engine.lib.images.image_crops import (
    central_crop, crop_to_bounding_box, pad_to_bounding_box, resize_image_with_crop_or_pad, resize_with_crop_or_pad,
)  # fmt: skip
from .engine.lib.images.image_files import (
    adjust_jpeg_quality, decode_and_crop_jpeg, decode_bmp, decode_gif, decode_image, decode_jpeg, decode_png, encode_jpeg,
    encode_png, extract_jpeg_shape, is_jpeg, random_jpeg_quality,
)  # fmt: skip
from .engine.lib.images.image_flips import (
    flip_left_right, flip_up_down, random_flip_left_right, random_flip_up_down, rot90, transpose, transpose_image,
)  # fmt: skip
from .engine.lib.images.image_quality import image_gradients, psnr, sobel_edges, ssim, ssim_multiscale, total_variation
from .engine.lib.images.image_sizes import (
    ResizeMethod, resize, resize_area, resize_bicubic, resize_bilinear, resize_image_with_pad, resize_images,
    resize_nearest_neighbor,
)  # fmt: skip
from .engine.lib.math.random import random_crop

__all__ = [
    "ResizeMethod", "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue",
    "adjust_jpeg_quality", "adjust_saturation", "central_crop", "combined_non_max_suppression",
    "convert_image_dtype", "crop_and_resize", "crop_to_bounding_box", "decode_and_crop_jpeg",
    "decode_bmp", "decode_gif", "decode_image", "decode_jpeg", "decode_png", "draw_bounding_boxes",
    "encode_jpeg", "encode_png", "extract_glimpse", "extract_image_patches", "extract_jpeg_shape",
    "extract_patches", "flip_left_right", "flip_up_down", "grayscale_to_rgb", "hsv_to_rgb",
    "image_gradients", "is_jpeg", "non_max_suppression", "non_max_suppression_overlaps",
    "non_max_suppression_padded", "non_max_suppression_with_scores", "pad_to_bounding_box",
    "per_image_standardization", "psnr", "random_brightness", "random_contrast", "random_crop",
    "random_flip_left_right", "random_flip_up_down", "random_hue", "random_jpeg_quality",
    "random_saturation", "resize", "resize_area", "resize_bicubic", "resize_bilinear",
    "resize_image_with_crop_or_pad", "resize_image_with_pad", "resize_images", "resize_nearest_neighbor",
    "resize_with_crop_or_pad", "rgb_to_grayscale", "rgb_to_hsv", "rgb_to_yiq", "rgb_to_yuv", "rot90",
    "sample_distorted_bounding_box", "sobel_edges", "ssim", "ssim_multiscale", "total_variation",
    "transpose", "transpose_image", "yiq_to_rgb", "yuv_to_rgb",
]  # fmt: skip

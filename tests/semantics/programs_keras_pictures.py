"""tf.keras.preprocessing.image: pictures as arrays, transforms, random numbers, batches of arrays and of files.

The oracle needs scipy==1.4.1 and pillow==8.4.0 for these.
"""

import os
import warnings

from harness import Near, attempt, in_folder, program


def picture(np, height=5, width=7, channels=3, dtype="float32"):
    return (np.arange(height * width * channels, dtype=dtype) * 37 % 251).reshape(height, width, channels)


def quietly(f):
    """f() and the texts of the warnings that it gives."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        value = f()
    return [value, [str(each.message).split("\n")[0] for each in found if "deprecated" not in str(each.message).lower()]]


@program
def transforms(tf, np):
    I = tf.keras.preprocessing.image
    x = picture(np)
    options = [
        {"theta": 30}, {"tx": 1.5}, {"ty": -2}, {"shear": 20}, {"zx": 0.7, "zy": 1.3}, {"theta": -75, "tx": 2.5, "ty": 1, "shear": 10, "zx": 1.5},
        {"tx": 11.25, "ty": -13.5}, {"zx": 4.0, "zy": 5.0}, {},
    ]  # fmt: skip
    return [
        [I.apply_affine_transform(x, fill_mode=mode, cval=3.0, order=order, **each) for each in options]
        for mode in ("nearest", "constant", "reflect", "wrap")
        for order in (0, 1)
    ] + [
        I.apply_affine_transform(np.moveaxis(x, 2, 0), 25, ty=1, row_axis=1, col_axis=2, channel_axis=0),
        I.apply_affine_transform(picture(np, 1, 6, 1), 0, 0, 2.5, fill_mode="reflect"), I.apply_affine_transform(picture(np, 6, 1, 1), 40, fill_mode="wrap"),
        I.apply_affine_transform(x.astype("uint8"), 15, 1), I.apply_channel_shift(x, 20.0, 2), I.apply_channel_shift(x, -31.5, 0),
        I.apply_brightness_shift(x, 0.5), I.apply_brightness_shift(x, 1.7),
    ]  # fmt: skip


@program
def random_transforms(tf, np):
    I = tf.keras.preprocessing.image
    x = picture(np, 6, 6)
    np.random.seed(7)
    return [
        I.random_rotation(x, 40, 0, 1, 2), I.random_rotation(x, 40), I.random_shift(x, 0.3, 0.2, 0, 1, 2, fill_mode="wrap"),
        I.random_shear(x, 30, 0, 1, 2, fill_mode="constant", cval=9.0), I.random_zoom(x, (0.5, 1.5), 0, 1, 2), I.random_zoom(x, (1, 1), 0, 1, 2),
        I.random_channel_shift(x, 50.0, 2), I.random_brightness(x, (0.4, 1.2)), np.random.randint(10**6),
        attempt(lambda: I.random_zoom(x, (1, 2, 3))), attempt(lambda: I.random_brightness(x, (1,))),
    ]  # fmt: skip


@program
def arrays_and_pictures(tf, np):
    I = tf.keras.preprocessing.image
    x = picture(np)

    def told(img):
        return [img.mode, list(img.size), np.asarray(img)]

    def in_files(folder):
        I.save_img("a.png", x)
        I.save_img("grey.png", picture(np, 4, 4, 1), scale=False)
        I.save_img("b.bmp", np.moveaxis(x, 2, 0), data_format="channels_first", file_format="bmp")
        with_alpha = quietly(lambda: I.save_img("c.jpg", picture(np, 4, 4, 4), file_format="jpeg"))
        loads = [
            {}, {"color_mode": "grayscale"}, {"color_mode": "rgba"}, {"target_size": (3, 4)}, {"target_size": (8, 9), "interpolation": "bilinear"},
            {"target_size": (8, 9), "interpolation": "bicubic"}, {"target_size": (8, 9), "interpolation": "lanczos"}, {"target_size": (5, 7)},
        ]  # fmt: skip
        return [
            [told(I.load_img("a.png", **each)) for each in loads], told(I.load_img("grey.png")), told(I.load_img("b.bmp")), with_alpha,
            list(I.load_img("c.jpg").size), attempt(lambda: I.load_img("a.png", color_mode="cmyk")),
            attempt(lambda: I.load_img("a.png", target_size=(2, 2), interpolation="none")), quietly(lambda: told(I.load_img("a.png", grayscale=True))),
        ]  # fmt: skip

    return [
        told(I.array_to_img(x)), told(I.array_to_img(x, scale=False)), told(I.array_to_img(picture(np, 3, 3, 1))),
        told(I.array_to_img(picture(np, 3, 3, 1) * 9, scale=False)), told(I.array_to_img(picture(np, 3, 3, 4))), told(I.array_to_img(np.zeros((2, 2, 3)))),
        I.img_to_array(I.array_to_img(x)), I.img_to_array(I.array_to_img(x), data_format="channels_first", dtype="uint8"),
        I.img_to_array(np.ones((2, 3)), "channels_first"), I.img_to_array(np.ones((2, 3))), in_folder(in_files),
        attempt(lambda: I.array_to_img(np.ones((2, 2)))), attempt(lambda: I.array_to_img(np.ones((2, 2, 5)))),
        attempt(lambda: I.array_to_img(x, data_format="x")), attempt(lambda: I.img_to_array(x, data_format="x")), attempt(lambda: I.img_to_array(np.ones(3))),
    ]  # fmt: skip


@program
def generators(tf, np):
    G = tf.keras.preprocessing.image.ImageDataGenerator
    x = np.stack([picture(np, 6, 8) + i for i in range(5)])
    options = [
        {"rotation_range": 30, "horizontal_flip": True, "vertical_flip": True}, {"width_shift_range": 0.3, "height_shift_range": 2},
        {"width_shift_range": [-2, 1, 3], "height_shift_range": 1.5, "fill_mode": "constant", "cval": 7.0},
        {"shear_range": 20.0, "zoom_range": 0.3, "channel_shift_range": 30.0}, {"zoom_range": (0.5, 0.8), "brightness_range": (0.5, 1.5)},
        {"samplewise_center": True, "samplewise_std_normalization": True, "rescale": 1 / 255.0},
        {"preprocessing_function": lambda a: a[::-1], "rescale": 2.0}, {"featurewise_center": True},
    ]  # fmt: skip
    found = []
    for each in options:
        generator = G(**each)
        np.random.seed(3)
        params = [generator.get_random_transform((6, 8, 3)) for _ in range(2)]
        params = [[[key, each[key] and float(each[key])] for key in sorted(each)] for each in params]
        found.append([params, quietly(lambda g=generator: g.standardize(g.random_transform(x[0].copy(), seed=5)))])
    fits = []
    for each in ({"featurewise_center": True, "featurewise_std_normalization": True}, {"zca_whitening": True}):
        generator, texts = quietly(lambda e=each: G(**e))
        generator.fit(x[:, :2, :2] / 255.0, augment=False, seed=4)
        components = generator.principal_components
        same = None if components is None else np.round(components @ np.cov(x[:, :2, :2].reshape(5, -1).T / 255.0, bias=True), 3).shape
        fits.append([texts, generator.mean, generator.std, same])
    augmented = G(featurewise_center=True, rotation_range=20)
    augmented.fit(x, augment=True, rounds=2, seed=1)
    first = G(data_format="channels_first", rotation_range=20, width_shift_range=0.2, featurewise_center=True)
    first.fit(np.moveaxis(x, 3, 1))
    return [
        found, fits, augmented.mean, first.mean, first.random_transform(np.moveaxis(x[0], 2, 0), seed=2),
        quietly(lambda: G(samplewise_std_normalization=True).samplewise_center), attempt(lambda: G(data_format="x")), attempt(lambda: G(validation_split=2)),
        attempt(lambda: G(zoom_range=(1, 2, 3))), attempt(lambda: G(brightness_range=3)), attempt(lambda: G().fit(x[0])),
    ]  # fmt: skip


@program
def batches_of_arrays(tf, np):
    G = tf.keras.preprocessing.image.ImageDataGenerator
    x, y = np.stack([picture(np, 4, 4, 1) + i for i in range(7)]), np.arange(7)
    changing = G(rotation_range=20, horizontal_flip=True)
    flow = changing.flow(x, y, batch_size=3, seed=5)
    weighted = G().flow((x, np.arange(7) * 10), y, batch_size=4, shuffle=False, sample_weight=np.arange(7) / 7)
    split = G(validation_split=0.4)
    labels = np.array([0, 1, 0, 1, 0, 1, 0])
    parts = [split.flow(x, labels, subset=subset, shuffle=False, batch_size=10) for subset in ("training", "validation")]
    np.random.seed(2)
    unseeded = changing.flow(x, batch_size=4)

    def saved(folder):
        np.random.seed(1)
        list(zip(range(2), G().flow(x, batch_size=4, shuffle=False, save_to_dir=".", save_prefix="p", save_format="bmp")))
        return sorted(os.listdir("."))

    model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(4, 4, 1)), tf.keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(tf.keras.optimizers.SGD(1e-6), "mse")
    history = model.fit_generator(G().flow(x, y, batch_size=3, shuffle=False), epochs=2, verbose=0, shuffle=False)
    return [
        len(flow), [list(next(flow)) for _ in range(4)], list(flow[1]), [list(map(str, map(type, batch))) for batch in [next(weighted)]],
        next(weighted)[0], [list(next(part)) for part in parts], [next(unseeded) for _ in range(3)], in_folder(saved), Near(np.array(history.history["loss"]), 1e-4),
        attempt(lambda: flow[9]), attempt(lambda: G().flow(x, y[:3])), attempt(lambda: G().flow(x[0])), attempt(lambda: G().flow(x, subset="test")),
        attempt(lambda: split.flow(x, y, subset="training")), attempt(lambda: G().flow(x, y, sample_weight=y[:2])), attempt(lambda: G().flow((x, y[:2]), y)),
    ]  # fmt: skip


@program
def batches_of_files(tf, np):
    I = tf.keras.preprocessing.image

    def made(folder):
        for name, count in (("cat", 3), ("dog", 2), ("cow/young", 2)):
            os.makedirs(os.path.join("all", name))
            for i in range(count):
                I.save_img(os.path.join("all", name, str(i) + ".png"), picture(np, 4 + i, 5, 3) + i, scale=False)
        with open("all/cat/notes.txt", "w") as file:
            file.write("no picture")
        G = I.ImageDataGenerator
        flow = G(rotation_range=10, rescale=0.5).flow_from_directory("all", target_size=(3, 3), batch_size=4, seed=1)
        told = [flow.class_indices, flow.filenames, list(flow.classes), flow.num_classes, flow.samples, len(flow), list(flow.image_shape)]
        others = [
            {"class_mode": "sparse", "color_mode": "grayscale"}, {"class_mode": "input"}, {"class_mode": None, "color_mode": "rgba"},
            {"classes": ["dog", "cat"], "class_mode": "binary"},
        ]  # fmt: skip
        plain = []
        for each in others:
            batch = next(G().flow_from_directory("all", target_size=(3, 2), shuffle=False, batch_size=3, **each))
            plain.append(list(batch) if isinstance(batch, tuple) else batch)
        split = G(validation_split=0.5)
        parts = [split.flow_from_directory("all", subset=subset).filenames for subset in ("training", "validation")]
        return [
            told, [list(next(flow)) for _ in range(3)], list(flow[0]), plain, parts,
            attempt(lambda: G().flow_from_directory("all", class_mode="x")).classes, attempt(lambda: G().flow_from_directory("all", color_mode="x")),
            attempt(lambda: G().flow_from_directory("all", subset="x")), attempt(lambda: G().flow_from_directory("none")).classes,
        ]  # fmt: skip

    return in_folder(made)

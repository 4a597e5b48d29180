"""tf.signal's windows: nodes, values, refusals."""

from harness import fresh, graph_of, program, signature_text


@program
def windows(tf, np):
    found = []
    for make in (tf.signal.hann_window, tf.signal.hamming_window):
        found.append([p.split("=")[0] for p in signature_text(make).split(", ")])

        def run(length, make=make, **options):
            def one():
                fed = {}
                if length is None:
                    given = tf.placeholder(tf.int32, [])
                    fed = {given: 5}
                else:
                    given = length
                window = make(given, **options)
                with tf.Session() as session:
                    return [window, graph_of(tf), session.run(window, fed)]

            return fresh(tf, one)

        found += [run(8), run(7), run(8, periodic=False), run(1), run(None), run(4, dtype=tf.float64, name="q")]
        found += [run(8, dtype=tf.int32), run([8]), run(0), run(2)]
    return found

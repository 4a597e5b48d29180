import numpy as np
import tensorflow as tf


class SquareTest(tf.test.TestCase):
    def setUp(self):
        super(SquareTest, self).setUp()
        self.x = np.array([1.0, 2.0, 3.0], np.float32)

    def testSquare(self):
        with self.test_session():
            x = tf.square([2, 3])
            self.assertAllEqual(x.eval(), [4, 9])

    def testClose(self):
        with self.session() as sess:
            y = sess.run(tf.sqrt(tf.square(self.x)))
            self.assertAllClose(y, self.x)
            self.assertNear(y[0], 1.0, 1e-5)
            self.assertArrayNear(y, self.x, 1e-5)
            self.assertShapeEqual(y, tf.constant(self.x))
            self.assertAllCloseAccordingToType(y, self.x)

    def testRaises(self):
        with self.cached_session():
            with self.assertRaisesOpError("must feed"):
                tf.placeholder(tf.float32).eval()
            with self.assertRaisesRegexp(ValueError, "Dimensions must be equal"):
                tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))

    def testFresh(self):
        self.assertEqual(0, len(tf.get_default_graph().get_operations()))
        self.assertEqual(tf.constant(1.0).name, "Const:0")
        self.assertItemsEqual([1, 2], [2, 1])

    def testFails(self):
        with self.session():
            self.assertAllEqual(tf.constant([1, 2]).eval(), [1, 3])


if __name__ == "__main__":
    tf.test.main()

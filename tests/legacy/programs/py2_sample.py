"""arguments: one
py2: yes"""
# -*- coding: utf-8 -*-
import sys
import cPickle
import urllib2
import TensorFlow as tf
from itertools import izip

print "arguments", sys.argv[1:], len(urllib2.__name__) > 0
print >>sys.stdout, "to stdout", 7 / 2, 7 / 2.0, 0777, 10L
d = {"a": 1, "b": 2}
for k, v in sorted(d.iteritems()):
    print k, v,
print
print d.has_key("a"), sorted(d.keys())[0], d.keys()[0], map(lambda q: q + 1, [1, 2])
if 1 <> 2: print `d["a"]`
try:
    raise ValueError, "no"
except ValueError, e:
    print "caught", e
for i, j in izip(xrange(2), range(2) + [9]):
	print i, j
print unicode("u"), isinstance("s", basestring), reduce(lambda p, q: p + q, [1, 2, 3]), cmp(1, 2)
print cPickle.loads(cPickle.dumps([1])), sys.maxint > 0
x = tf.placeholder(tf.float32)
total = tf.constant(6)
print (total / 4).op.type, (x / 2).op.type
with tf.Session() as sess:
    print "%d" % sess.run(total / 4), sess.run(x / 4, {x: 1})

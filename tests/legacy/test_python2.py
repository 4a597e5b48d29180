"""Python 2's leftovers: what `--py2` makes of them, and what `tfedu run` says of them."""

import ast
import os
import subprocess
import sys
import urllib.error

import numpy as np
import pytest
import sources

import tfedu as tf
from tfedu.legacy import hints, python2

SAMPLES = {
    'print "a"': 'print("a")',
    "print\nprint 1": "print()\nprint(1)",
    'print "a", 1,': "print(\"a\", 1, end=' ')",
    'print >>f, "a", b': 'print("a", b, file=f)',
    'print >> sys.stderr, "a",': "print(\"a\", end=' ', file=sys.stderr)",
    "print >>f": "print(file=f)",
    'print("a")': 'print("a")',
    'print("a", 1)': 'print("a", 1)',
    'print ("a")\nprint 1': 'print ("a")\nprint(1)',
    "print (1, 2)\nprint 1": "print((1, 2))\nprint(1)",
    "print (1 + 2) * 3": "print((1 + 2) * 3)",
    'print ("%d") % 3': 'print(("%d") % 3)',
    "print (a).b": "print((a).b)",
    'print "a %s" % b  # why': 'print("a %s" % b)# why',
    "print -1": "print(-1)",
    "print not x, 'y' if z else w": "print(not x, 'y' if z else w)",
    "print [1, 2], {1: 2}, (3,)": "print([1, 2], {1: 2}, (3,))",
    "print lambda x: x": "print(lambda x: x)",
    "if x: print 1": "if x: print(1)",
    "if x: print 1; print 2": "if x: print(1); print(2)",
    "else: print x": "else: print(x)",
    "for i in x: print i,": "for i in x: print(i, end=' ')",
    "while {1: 2}[a]: print 1": "while {1: 2}[a]: print(1)",
    "def f(): print 1": "def f(): print(1)",
    "class A: print 1": "class A: print(1)",
    'x = "print 1"': 'x = "print 1"',
    "'''\nprint 1\n'''": "'''\nprint 1\n'''",
    "# print 1": "# print 1",
    "print_it = 1": "print_it = 1",
    "x.print_ = 1": "x.print_ = 1",
    "from __future__ import print_function\nprint(1, 2)": "from __future__ import print_function\nprint(1, 2)",
    'print """a\nb""", 1': 'print("""a\nb""", 1)',
    "print f(1,\n  2)": "print(f(1,\n  2))",
    "print 1, \\\n  2": "print(1, \\\n  2)",
    'exec "x = 1"': 'exec("x = 1")',
    "exec code in ns": "exec(code, ns)",
    "exec(code)": "exec(code)",
    "except E, e:": "except E as e:",
    "except (A, B), e: pass": "except (A, B) as e: pass",
    "except a.b.E, (x): pass": "except a.b.E as (x): pass",
    "except (A, B):": "except (A, B):",
    "except E as e:": "except E as e:",
    "except:": "except:",
    'raise E, "why"': 'raise E("why")',
    "raise E, f(a, b)": "raise E(f(a, b))",
    "raise E, v, tb": "raise E(v).with_traceback(tb)",
    "raise E(1, 2)": "raise E(1, 2)",
    "raise": "raise",
    "x = `y` + `1 + 2`": "x = repr(y) + repr(1 + 2)",
    "x = `1, 2`": "x = repr((1, 2))",
    "raise E, (1, 2)": "raise E(*(1, 2))",
    "raise E, None, tb": "raise E().with_traceback(tb)",
    "x = 1_000, 0x_F, 1_0.5": "x = 1_000, 0x_F, 1_0.5",
    "def f(a, b=(1, 2), c=g(3)): pass": "def f(a, b=(1, 2), c=g(3)): pass",
    "x = lambda a, b=(1, 2): (a, b)": "x = lambda a, b=(1, 2): (a, b)",
    "f(lambda: (1, 2), (3, 4))": "f(lambda: (1, 2), (3, 4))",
    "if a <> b:": "if a != b:",
    "x = 0777": "x = 0o777",
    "x = 0o17, 0b1, 0x1F": "x = 0o17, 0b1, 0x1F",
    "x = 10L + 0xFFL + 010l": "x = 10 + 0xFF + 0o10",
    "x = 0, 00, 0.5, 1e5, 09.5, 1e-3j, a0777": "x = 0, 00, 0.5, 1e5, 09.5, 1e-3j, a0777",
    "x[0:10L]": "x[0:10]",
    'x = ur"a\\d"': 'x = r"a\\d"',
    "x = u'a' + b'b' + r'c'": "x = u'a' + b'b' + r'c'",
    "if x:\n        a\n\tb": "if x:\n        a\n        b",
    "if x:\n\ta\n\tb": "if x:\n\ta\n\tb",
    "print 0777": "print(0o777)",
    "print `x`,": "print(repr(x), end=' ')",
}


@pytest.mark.parametrize(("old", "new"), SAMPLES.items(), ids=lambda s: s.replace("\n", "|")[:40])
def test_what_only_python_2_reads_is_written_for_python_3(old, new):
    text, found = python2.convert(old)
    assert text == new
    assert bool(found) == (old != new)
    assert text.count("\n") == old.count("\n")  # no line moves
    assert python2.convert(text)[0] == text or "print" in text  # print (1, 2) means a tuple beside a print statement


@pytest.mark.parametrize("file", sorted(sources.PACKAGE.rglob("*.py")), ids=lambda f: str(f.relative_to(sources.PACKAGE)))
def test_a_program_for_python_3_stays_as_it_is(file):
    source = file.read_text(encoding="utf-8")
    text, found = python2.convert(source)
    assert text == source
    assert not found


def value(expression, **names):
    """What an expression of Python 2 gives: evaluated by the loader that runs programs."""
    return tf_run(f"result = {expression}", **names)


def tf_run(text, **names):
    import importlib.util

    from tfedu.legacy.running import _Python2Loader

    class Loader(_Python2Loader):
        def get_data(self, path):
            return text.encode()

    loader = Loader("sample", "sample.py")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("sample", loader))
    vars(module).update(names)
    loader.exec_module(module)
    return module.result


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("7 / 2", 3), ("-7 / 2", -4), ("7 / 2.0", 3.5), ("7.0 // 2", 3.0), ("range(3) + [9]", [0, 1, 2, 9]),
        ("{1: 2}.keys()[0]", 1), ("{1: 2}.items()", [(1, 2)]), ("{1: 2}.has_key(1)", True),
        ("list({1: 2}.iteritems())", [(1, 2)]),
        ("map(None, [1, 2])", [1, 2]), ("map(lambda v: v * 2, [1, 2])[1]", 4),
        ("filter(None, [0, 1])", [1]), ("zip([1], [2])[0]", (1, 2)),
        ("xrange(3)[1]", 1), ("unicode(3)", "3"), ("long(3)", 3), ("reduce(lambda a, b: a * b, [2, 3, 4])", 24), ("cmp(2, 1)", 1),
        ("unichr(97)", "a"), ("isinstance('a', basestring)", True), ("iter([5]).next()", 5), ("apply(max, (1, 2))", 2),
        ("sorted([3, 1])[0] / 2", 0),
    ],
)  # fmt: skip
def test_what_python_3_means_otherwise_means_what_it_meant(expression, wanted):
    assert value(expression) == wanted


def test_division_in_place_and_by_arrays_rounds_whole_numbers_down():
    assert tf_run("result = 7\nresult /= 2") == 3
    assert tf_run("d = {'a': [7]}\nd['a'][0] /= 2\nresult = d['a'][0]") == 3
    np.testing.assert_array_equal(value("x / 2", x=np.array([3, 5])), [1, 2])
    np.testing.assert_array_equal(value("x / 2", x=np.array([3.0, 5.0])), [1.5, 2.5])
    assert tf_run("from __future__ import division\nresult = 7 / 2") == 3.5


def test_parameters_that_are_tuples_are_taken_apart():
    text = "def f(a, (b, (c, d)), e=5):\n    'text'\n    return a, b, c, d, e\nresult = f(1, (2, (3, 4)))"
    assert tf_run(text) == (1, 2, 3, 4, 5)
    assert tf_run("def f((a, b)): return a + b\nresult = f((1, 2))") == 3
    assert value("sorted({'x': 2, 'y': 1}.items(), key=lambda (k, v): v)") == [("y", 1), ("x", 2)]
    assert value("map(lambda (a, b), c: a + b + c, [(1, 2)], [3])") == [6]
    assert value("(lambda x: (lambda (p, q): p * q + x)((2, 3)))(1)") == 7


def test_a_tensor_divides_as_tf_div():
    assert value("x / 2", x=tf.constant(7)).op.type == "FloorDiv"
    assert value("x / 2", x=tf.constant(7.0)).op.type == "RealDiv"


def test_a_class_of_python_2_iterates_and_is_true_or_false():
    text = "class A:\n  n = 0\n  def __iter__(self): return self\n  def next(self):\n    self.n += 1\n    if self.n > 2: raise StopIteration\n    return self.n\nresult = [a for a in A()]"  # noqa: E501
    assert tf_run(text) == [1, 2]
    assert tf_run("class A:\n  def __nonzero__(self): return False\nresult = bool(A())") is False


def test_conversion_keeps_the_lines_of_every_node():
    text, _ = python2.convert("x = 1\nprint 'a', \\\n  x / 2\ny = x / 2\n")
    lines = {node.lineno for node in ast.walk(python2.tree(text)) if isinstance(node, ast.Call)}
    assert lines == {2, 3, 4}


def tfedu(*arguments):
    environment = os.environ | {"PYTHONPATH": str(sources.ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run([sys.executable, "-m", "tfedu", *map(str, arguments)], env=environment, capture_output=True, text=True)


def test_a_program_that_does_not_compile_is_explained_line_by_line(tmp_path):
    file = tmp_path / "old.py"
    file.write_text('import tensorflow as tf\nprint "a", 1\ntry:\n    pass\nexcept E, e:\n    print `e`\n')
    done = tfedu("run", file)
    assert done.returncode == 1
    assert "SyntaxError" in done.stderr
    assert 'tfedu: line 2: `print "a", 1`: print is a function in Python 3, write `print("a", 1)`' in done.stderr
    assert "tfedu: line 5: `except E, e:`: Python 3 names the error by `as`, write `except E as e:`" in done.stderr
    assert f"tfedu run --py2 {file}" in done.stderr


def test_helpers_beside_a_program_for_python_2_are_read_like_it(tmp_path):
    (tmp_path / "helper.py").write_text("def half(x):\n    print 'half of', x\n    return x / 2\n")
    file = tmp_path / "old.py"
    file.write_text("import TensorFlow as tf\nimport helper\nprint helper.half(7)\n")
    done = tfedu("run", "--py2", file)
    assert done.stdout == "half of 7\n3\n", done.stderr


def error_of(text, **names):
    try:
        import importlib.util

        from tfedu.legacy.running import _Loader

        class Loader(_Loader):
            def get_data(self, path):
                return text.encode()

        loader = Loader("sample", "sample.py")
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("sample", loader))
        vars(module).update(names)
        loader.exec_module(module)
    except Exception as error:
        return error
    raise AssertionError("no error")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("xrange(3)", "write range"), ("raw_input()", "write input"), ("unicode('a')", "write str"),
        ("reduce(max, [1])", "functools.reduce"),
        ("import cPickle", "pickle"), ("import urllib2", "urllib.request"), ("import TensorFlow", "small letters"),
        ("{}.iteritems()", "items()"), ("{}.has_key(1)", "key in d"), ("{}.keys()[0]", "list("), ("map(str, [1])[0]", "list("),
        ("range(7 / 2)", "//"), ("[1, 2][0:4 / 2]", "//"),
        ("range(2) + [1]", "list(range"), ("import itertools\nitertools.izip", "zip"),
        ("import sys\nsys.maxint", "sys.maxsize"), ("import string\nstring.letters", "ascii_letters"),
        ("(i for i in [1]).next()", "next(iterator)"),
        ("len(map(str, []))", "len(list("), ("import io\nio.BytesIO().write('a')", "bytes apart"),
        ("import urllib\nurllib.urlencode({})", "urllib.parse"),
    ],
)  # fmt: skip
def test_an_error_of_python_2_habits_says_what_to_write(text, said):
    lines = hints.of(error_of(text), "program.py")
    assert said in " ".join(lines), lines


def test_a_failed_download_says_where_files_come_from(tmp_path):
    program = tmp_path / "program.py"
    error = urllib.error.URLError("no network")
    program.write_text("urlretrieve(url)")
    assert len(hints.of(error, str(program))) == 1
    program.write_text("urlretrieve(url + 'train-images-idx3-ubyte.gz')")
    assert "tfedu mnist FOLDER" in hints.of(error, str(program))[1]


@pytest.mark.parametrize("text", ["undefined_name", "import no_such_module_at_all", "{}.nothing()", "1 + 'a'", "x = (", "1 / 0"])
def test_other_errors_get_no_advice(text):
    assert hints.of(error_of(text), "program.py") == []

"""A plugin of pytest for a Python in a browser: a test that fails for want of threads, processes or a package is skipped."""

import errno

import pytest

# What the tests of the desktop have beside NumPy, and a browser has not.
ABSENT = {"PIL", "cupy", "google_crc32c", "h5py", "ml_dtypes", "numba", "sqlite3", "tensorboard"}


def wanting(error):
    """What the error, or one behind it, says that this Python lacks; None for any other error."""
    while error is not None:
        text = str(error)
        if "can't start new thread" in text or "this Python has none: it runs in a browser" in text:
            return "threads"
        if "array is too big" in text:
            return "address space of 64 bits"
        if isinstance(error, OSError) and error.errno == errno.ENOTSUP:
            return "processes"
        if isinstance(error, ImportError) and (error.name or "").partition(".")[0] in ABSENT:
            return error.name
        error = error.__cause__ or error.__context__
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    lacks = wanting(call.excinfo.value) if report.failed and call.excinfo is not None else None
    if lacks:
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, f"Skipped: a browser has no {lacks}")
    return report

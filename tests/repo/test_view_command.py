"""`tfedu view`: a file as a page on loopback, for who has the address alone."""

import contextlib
import gzip
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from urllib.parse import urlsplit

import pytest
import sources

import tfedu as tf
from tfedu import cli
from tfedu.opened_files import opened
from tfedu.page_server import PageServer
from tfedu.widgets.base import page_text
from tfedu.widgets.pages.served_page import ServedPage


@pytest.fixture
def graph_file(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.identity(tf.constant(1.0, name="one"), name="two")
        tf.train.write_graph(graph, str(tmp_path), "graph.pb", as_text=False)
    return tmp_path / "graph.pb"


def answered(question):
    if question != b'{"question": "why"}':
        raise ValueError
    return b'{"value": "because"}'


@pytest.fixture
def server():
    with PageServer("<!doctype html><p>the page ×</p>", answered) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        yield server
        server.stop()
        thread.join()


def asked(server, path=None, method="GET", body=None, **headers):
    """Status, headers and body of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    with contextlib.closing(connection):
        whole = urlsplit(server.address)
        connection.request(method, f"/?{whole.query}" if path is None else path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def test_the_address_has_the_page(server):
    status, headers, body = asked(server)
    assert status == 200
    assert body.decode() == "<!doctype html><p>the page ×</p>"
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


def test_a_browser_gets_it_compressed(server):
    _, headers, body = asked(server, **{"Accept-Encoding": "gzip, br"})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body).decode() == "<!doctype html><p>the page ×</p>"


def test_head_has_no_body(server):
    status, headers, body = asked(server, method="HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/?Token=x", "/?token=%ff%00", "/favicon.ico", "/../x"])
def test_without_the_token_there_is_nothing(server, path):
    status, _, body = asked(server, path)
    assert status == 403
    assert b"page \xc3\x97" not in body


def test_each_request_needs_the_token_on_one_connection(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    with contextlib.closing(connection):
        statuses = []
        for path in (f"/?{urlsplit(server.address).query}", "/", f"/?{urlsplit(server.address).query}"):
            connection.request("GET", path)
            answer = connection.getresponse()
            statuses.append(answer.status)
            answer.read()
    assert statuses == [200, 403, 200]


def test_another_path_with_the_token_is_not_found(server):
    assert asked(server, f"/etc/passwd?{urlsplit(server.address).query}")[0] == 404
    assert asked(server, f"//[?{urlsplit(server.address).query}")[0] in (400, 404)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", ""])
def test_another_name_of_the_host_is_refused(server, host):
    assert asked(server, Host=host)[0] == 403


def test_a_question_of_the_page_gets_its_answer(server):
    path = f"/ask?{urlsplit(server.address).query}"
    status, headers, body = asked(server, path, "POST", b'{"question": "why"}')
    assert (status, body) == (200, b'{"value": "because"}')
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert asked(server, path, "POST", b"what?")[0] == 400
    assert asked(server, path)[0] == 404
    assert asked(server, f"/?{urlsplit(server.address).query}", "POST", b'{"question": "why"}')[0] == 404


def test_a_question_needs_the_token_and_an_end(server):
    path = f"/ask?{urlsplit(server.address).query}"
    assert asked(server, "/ask?token=wrong", "POST", b'{"question": "why"}')[0] == 403
    assert asked(server, path, "POST", b'{"question": "why"}', Host="evil.example")[0] == 403
    for length in ("1000000000", "9" * 5000, "-1", "x"):
        assert asked(server, path, "POST", b"", **{"Content-Length": length})[0] == 413


@pytest.mark.parametrize("body", ["", "[]", "3", "{}", '{"widget": 1}', '{"widget": []}', "[" * 100_000, "{\xff"])
def test_what_is_no_question_to_a_widget_of_the_page_is_a_value_error(graph_file, body):
    page = ServedPage(opened(graph_file, "en"), "graph.pb", "en")
    with pytest.raises(ValueError, match="no question to a widget"):
        page.answer(body.encode("latin-1"))


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS"])
def test_other_methods_are_refused(server, method):
    assert asked(server, method=method)[0] == 501


def test_it_listens_on_loopback_alone(server):
    assert server._server.server_address[0] == "127.0.0.1"


def test_two_servers_have_different_tokens():
    with PageServer("a", answered) as one, PageServer("a", answered) as other:
        assert one.address.partition("token=")[2] != other.address.partition("token=")[2]
        assert len(one.address.partition("token=")[2]) >= 32


def command(*arguments):
    environment = os.environ | {"PYTHONPATH": str(sources.ROOT), "PYTHONIOENCODING": "utf-8"}
    words = [sys.executable, "-m", "tfedu", "view", *map(str, arguments)]
    return subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", cwd=sources.ROOT
    )


def test_the_command_serves_the_exported_page_until_ctrl_c(graph_file):
    with command("--no-browser", "--lang", "ko", graph_file) as process:
        address = None
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+", line):
                address = found
                break
        connection = http.client.HTTPConnection("127.0.0.1", int(address[1]), timeout=20)
        with contextlib.closing(connection):
            connection.request("GET", address[0].partition(address[1])[2])
            body = connection.getresponse().read().decode()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert body == page_text(opened(graph_file, "ko"), "graph.pb", "ko")
    assert process.returncode == 0
    assert errors == ""


def run_view(monkeypatch, *arguments):
    """The exit status of a `tfedu view` that ends at once, and the addresses that it opened."""
    addresses = []
    monkeypatch.setattr(cli, "_has_browser", lambda: True)
    monkeypatch.setattr(cli.webbrowser, "open", addresses.append)

    def interrupted(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(PageServer, "serve", interrupted)
    return cli.main(["view", *map(str, arguments)]), addresses


def test_it_opens_the_browser_unless_told_not_to(graph_file, monkeypatch, capsys):
    status, addresses = run_view(monkeypatch, graph_file)
    assert status == 0
    assert addresses[0] in capsys.readouterr().out
    assert run_view(monkeypatch, graph_file, "--no-browser") == (0, [])


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path, monkeypatch, capsys):
    (tmp_path / "notes.rtf").write_text("hello")
    for name, words in (("none.pb", "there is no file"), ("notes.rtf", "is not known by its ending")):
        assert run_view(monkeypatch, tmp_path / name) == (1, [])
        assert words in capsys.readouterr().err


def test_a_port_that_cannot_be_used_is_an_error(graph_file, monkeypatch, capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert run_view(monkeypatch, graph_file, "--port", other.getsockname()[1])[0] == 1
    assert run_view(monkeypatch, graph_file, "--port", 70000)[0] == 1
    assert capsys.readouterr().err.count("tfedu: ") == 2

"""One page on loopback: `with PageServer(text, answer) as server: print(server.address); server.serve()`.

Only who has the address, with its token, gets the page: other users of the machine and pages of other sites do not. State of a
PageServer: its socket, its token, the page and what answers the page's questions.
"""

from __future__ import annotations

import gzip
import hmac
import re
import secrets
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlsplit

# The page's own policy lets nothing else load; these keep it out of other sites' frames, caches and histories of requests.
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_SECONDS: Final = 30.0  # without a word from a client, after which its connection ends
_MOST: Final = 1 << 20  # bytes of a question


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of a client that has gone."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class PageServer:
    """Serves a page at `address`. Raises: OSError for a port that cannot be used.

    answer: returns the reply, as JSON, to the body that the page posts to /ask; raises ValueError for a body that is no question.
    """

    def __init__(self, page: str, answer: Callable[[bytes], bytes], port: int = 0) -> None:
        self._reply = answer
        self._page = page.encode()
        self._packed = gzip.compress(self._page, 6, mtime=0)
        self._token = secrets.token_urlsafe(24)
        self._server = _Server(("127.0.0.1", port), self._handler())
        self.port: int = self._server.server_address[1]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self._token}"

    def serve(self) -> None:
        """Answers requests until `stop`, or until an exception such as KeyboardInterrupt."""
        self._server.serve_forever(poll_interval=0.2)

    def stop(self) -> None:
        """Ends `serve`, which another thread runs."""
        self._server.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.server_close()

    def _answer(self, path: str, host: str, question: bytes | None = None) -> tuple[HTTPStatus, str, bytes]:
        """Status, type and body of the answer to a request. question: what was posted."""
        # A foreign name for this address would be another site's, whose scripts could then read the page.
        if host not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            return HTTPStatus.FORBIDDEN, "text/plain", b"This page has another address.\n"
        try:
            parts = urlsplit(path)
        except ValueError:
            return HTTPStatus.BAD_REQUEST, "text/plain", b"This is no address.\n"
        (token,) = parse_qs(parts.query).get("token", [""])[:1]
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return HTTPStatus.FORBIDDEN, "text/plain", b"The address needs the token that tfedu view printed.\n"
        if question is not None and parts.path == "/ask":
            try:
                return HTTPStatus.OK, "application/json", self._reply(question)
            except ValueError:
                return HTTPStatus.BAD_REQUEST, "text/plain", b"This is no question of the page.\n"
        if question is not None or parts.path != "/":
            return HTTPStatus.NOT_FOUND, "text/plain", b"There is one page only.\n"
        return HTTPStatus.OK, "text/html", self._page

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            server_version = "tfedu"
            sys_version = ""
            protocol_version = "HTTP/1.1"
            timeout = _SECONDS

            def do_GET(self) -> None:
                self._send(has_body=True)

            def do_HEAD(self) -> None:
                self._send(has_body=False)

            def do_POST(self) -> None:
                length = self.headers.get("Content-Length", "")
                if not (re.fullmatch("[0-9]{1,7}", length) and int(length) <= _MOST):
                    self.close_connection = True  # what was posted stays unread
                    self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                    return
                self._send(has_body=True, question=self.rfile.read(int(length)))

            def _send(self, has_body: bool, question: bytes | None = None) -> None:
                status, kind, body = server._answer(self.path, self.headers.get("Host", ""), question)
                self.send_response(status)
                if body is server._page and "gzip" in self.headers.get("Accept-Encoding", ""):
                    body = server._packed
                    self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                for name, value in _HEADERS.items():
                    self.send_header(name, value)
                self.end_headers()
                if has_body:
                    self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Nothing: a line of the log would have the token."""

        return Handler

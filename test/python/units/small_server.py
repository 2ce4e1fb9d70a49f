"""A server on loopback that answers by a rule and keeps its requests."""

from __future__ import annotations

import json
import socket
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Thread
from typing import Any, Callable, Iterator, Optional, Union

from tidemark import Tidemark


@dataclass(frozen=True)
class Received:
    """A request that the server received."""

    method: str
    url: str
    headers: Message
    body: bytes


@dataclass(frozen=True)
class Reply:
    """An answer."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


#: `"break"` breaks the connection before an answer, `"truncate"` in the middle of one.
#: The bodies of requests to `/unread` are not read.
Rule = Callable[[Received, int], Union[Reply, str]]


class SmallServer:
    """A server, with the requests that it received."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.received: list[Received] = []

    def client(self, **options: Any) -> Tidemark:
        """A client of the server, with a token."""
        return Tidemark(self.url, **{"token": "given", "property_id": 7, **options})

    def keys(self) -> list[Any]:
        """The `Idempotency-Key` of each request."""
        return [one.headers["Idempotency-Key"] for one in self.received]


@contextmanager
def serving(
    rule: Rule, context: Optional[SSLContext] = None
) -> Iterator[SmallServer]:
    """Starts a server. `rule` gets each request, and the number of those before it.

    With a `context` it speaks HTTPS.
    """

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            unread = self.path.startswith("/unread")
            body = b"" if unread else self.rfile.read(size)
            if len(body) < size and not unread:
                # The client broke the request off.
                return
            one = Received(self.command, self.path, self.headers, body)
            small.received.append(one)
            reply = rule(one, len(small.received) - 1)
            self.close_connection = True
            if isinstance(reply, Reply):
                content = reply.body
                if not isinstance(content, bytes):
                    content = json.dumps(content).encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            elif reply == "truncate":
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"{")
            else:
                self.connection.shutdown(socket.SHUT_RDWR)

        do_GET = do_POST = do_PUT = do_DELETE = answer

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Says nothing of connections that the client closed."""

    server = Server(("127.0.0.1", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "http" if context is None else "https"
    small = SmallServer(f"{scheme}://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield small
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

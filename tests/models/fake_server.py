"""A server on a real socket that misbehaves exactly as a test tells it to."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

__all__ = ["Asked", "FakeServer", "chat_reply", "reply"]


@dataclass(frozen=True)
class Asked:
    """One request as it arrived, and the socket to answer on."""

    index: int
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    socket: socket.socket
    closing: threading.Event

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def stall(self, seconds: float = 30.0) -> None:
        """Say nothing for a while, or until the server is closed."""
        self.closing.wait(seconds)


Handler = Callable[[Asked], bytes | None]


class FakeServer:
    """Listens on the loopback; `handler` returns what to send, or talks on the socket itself."""

    def __init__(self, handler: Handler, tls: ssl.SSLContext | None = None) -> None:
        self.handler, self.tls = handler, tls
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _secured(self, connection: socket.socket) -> socket.socket:
        if self.tls is None:
            return connection
        return self.tls.wrap_socket(connection, server_side=True)

    def _serve(self, raw: socket.socket) -> None:
        with suppress(OSError, ValueError), self._secured(raw) as connection:
            head, body = _read(connection)
            lines = head.decode("latin-1").split("\r\n")
            method, path, _ = lines[0].split(" ", 2)
            headers = {
                k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])
            }
            with self._lock:
                asked = Asked(
                    len(self.asked),
                    method,
                    path,
                    headers,
                    json.loads(body) if body else {},
                    connection,
                    self._closing,
                )
                self.asked.append(asked)
                self._now += 1
                self.most_at_once = max(self.most_at_once, self._now)
            data = None
            try:
                data = self.handler(asked)
            finally:  # before the reply: whoever has it may ask again at once
                with self._lock:
                    self._now -= 1
            if data is not None:
                connection.sendall(data)


def _read(connection: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            raise ValueError("closed")
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        body += connection.recv(65536)
    return head, body


def reply(status: int, body: Any, **headers: str) -> bytes:
    """A whole HTTP reply; `body` is JSON unless it is bytes."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(data)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def chat_reply(*texts: str, usage: bool = True, **choice: Any) -> bytes:
    """What a chat-completions server says when all is well."""
    choices = [
        {
            "index": i,
            "message": {"role": "assistant", "content": t},
            "finish_reason": "stop",
            **choice,
        }
        for i, t in enumerate(texts)
    ]
    body: dict[str, Any] = {"choices": choices}
    if usage:
        body["usage"] = {"prompt_tokens": 7, "completion_tokens": 3 * len(texts)}
    return reply(200, body)


def drip(asked: Asked, piece: bytes, pause_s: float) -> None:
    """Send the same piece for ever, until the other side or the test has had enough."""
    with suppress(OSError):
        while not asked.closing.is_set():
            asked.send(piece)
            if pause_s:
                time.sleep(pause_s)

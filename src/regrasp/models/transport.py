"""One HTTP exchange with a time limit and a size limit that leaks no secret; standard library only.

The exchange runs in a daemon thread, so the caller returns at its deadline or when it is cancelled,
whatever blocks (a name server, a slow header, an endless body). The body is counted as it arrives
and cut off at a cap. Redirects are not followed: a key is sent only to the given host. One
connection per exchange: a model's reply takes longer than a handshake.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field

from regrasp.models.cancel import CancelToken
from regrasp.models.errors import (
    ModelError,
    ModelTimeoutError,
    RejectedError,
    ReplyError,
    ReplyTooLargeError,
    UnreachableError,
)

__all__ = ["HttpReply", "exchange"]

_CHUNK = 64 * 1024
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class HttpReply:
    """The reply: the status, headers under lower-case names, and the whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def exchange(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    body: bytes | None,
    connect_s: float,
    total_s: float,
    max_bytes: int,
    cancel: CancelToken | None = None,
) -> HttpReply:
    """Send one request and read the reply within `total_s` seconds and `max_bytes` bytes."""
    work = _Exchange(method, url, dict(headers), body, min(connect_s, total_s), total_s, max_bytes)
    thread = threading.Thread(target=work.run, name="regrasp-http", daemon=True)
    with cancel.on_cancel(work.abort) if cancel is not None else nullcontext():
        thread.start()
        try:
            work.done.wait(total_s)
        finally:
            work.abort()
    if cancel is not None:
        cancel.check()
    if work.reply is not None:
        return work.reply
    raise work.error or ModelTimeoutError(
        f"{_where(url)} gave no complete reply within {total_s:.1f} s; "
        "raise the time-out, ask for fewer tokens, or use a faster server."
    )


@dataclass(slots=True)
class _Exchange:
    """The part that runs in the thread; `abort` ends it from outside by shutting the socket."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None
    connect_s: float
    total_s: float
    max_bytes: int
    done: threading.Event = field(default_factory=threading.Event)
    reply: HttpReply | None = None
    error: ModelError | None = None
    aborted: bool = False
    open_socket: socket.socket | None = None

    def abort(self) -> None:
        """Let the caller continue, and end whatever the thread still waits for."""
        self.aborted = True
        self.done.set()
        if self.open_socket is not None:
            with suppress(OSError):  # SSLSocket's own shutdown would remove TLS from the reader
                socket.socket.shutdown(self.open_socket, socket.SHUT_RDWR)

    def run(self) -> None:
        """Do the exchange and keep its result, unless the caller has left."""
        reply, fault = None, None
        try:
            reply = self._talk()
        except ModelError as error:
            fault = error
        except Exception as error:  # whatever it is, the caller must hear of it and not wait
            fault = self._explain(error)
        finally:
            if not self.aborted:  # a socket shut from outside looks like the end of a reply
                self.reply, self.error = reply, fault
            self.done.set()

    def _talk(self) -> HttpReply:
        deadline = time.monotonic() + self.total_s
        connection, target = _open(self.url, self.connect_s)
        try:
            try:
                connection.connect()
            except TimeoutError:
                raise UnreachableError(
                    f"{_where(self.url)} accepted no connection within {self.connect_s:.1f} s; "
                    "check the address and the network."
                ) from None
            self.open_socket = connection.sock
            if self.aborted:
                raise ConnectionAbortedError
            connection.sock.settimeout(max(0.001, deadline - time.monotonic()))
            connection.request(self.method, target, body=self.body, headers=self.headers)
            response = connection.getresponse()
            return HttpReply(
                response.status,
                {name.lower(): value for name, value in response.getheaders()},
                self._read(response),
            )
        finally:
            connection.close()

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        expected = response.length  # None for a chunked body, or one that ends with the connection
        if expected is not None and expected > self.max_bytes:
            raise self._too_large(f"announces {expected / 1e6:.0f} MB")
        parts, size = [], 0
        while part := response.read1(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > self.max_bytes:
                raise self._too_large("does not end")
        if expected is not None and size < expected:
            raise http.client.IncompleteRead(b"", expected - size)
        return b"".join(parts)

    def _too_large(self, what: str) -> ReplyTooLargeError:
        return ReplyTooLargeError(
            f"the reply of {_where(self.url)} {what} and was cut off at {self.max_bytes / 1e6:.0f} "
            "MB; ask for fewer tokens or samples, or check what answers there."
        )

    def _explain(self, error: Exception) -> ModelError:
        where = _where(self.url)
        match error:
            case TimeoutError():
                return ModelTimeoutError(
                    f"{where} gave no complete reply in time; raise the time-out, ask for fewer "
                    "tokens, or use a faster server."
                )
            case ssl.SSLCertVerificationError():
                return RejectedError(
                    f"the certificate of {where} is not trusted ({error.verify_message}); "
                    "name your authority's file in SSL_CERT_FILE.",
                )
            case ConnectionRefusedError():
                return UnreachableError(
                    f"nothing listens at {where}; start the server or check the address."
                )
            case socket.gaierror():
                return UnreachableError(
                    f"the host of {where} is unknown; check the spelling and the network."
                )
            case http.client.BadStatusLine() | http.client.IncompleteRead() | OSError():
                detail = str(error) or type(error).__name__
                return UnreachableError(
                    f"{where} dropped the connection before its reply was complete ({detail}); "
                    "look at the server's own log."
                )
            case _:
                return ReplyError(f"{where} does not speak HTTP as it should: {error}.")


def _open(url: str, connect_s: float) -> tuple[http.client.HTTPConnection, str]:
    """A connection to the host of `url` or its proxy, not yet opened, and the request target."""
    parts = urllib.parse.urlsplit(url)
    host, port, path = parts.hostname or "", parts.port, parts.path or "/"
    proxy = _proxy(parts.scheme, host)
    first = proxy or (host, port)
    if parts.scheme != "https":
        return http.client.HTTPConnection(*first, timeout=connect_s), url if proxy else path
    context = ssl.create_default_context()
    connection = http.client.HTTPSConnection(*first, timeout=connect_s, context=context)
    if proxy:
        connection.set_tunnel(host, port or 443)
    return connection, path


def _proxy(scheme: str, host: str) -> tuple[str, int] | None:
    """Host and port of the proxy the environment names for `host`; never for this machine."""
    named = urllib.request.getproxies().get(scheme)
    if named is None or host in _LOOPBACK or urllib.request.proxy_bypass(host):
        return None
    try:
        parts = urllib.parse.urlsplit(named if "://" in named else f"http://{named}")
        return (parts.hostname, parts.port or 8080) if parts.hostname else None
    except ValueError as error:
        raise UnreachableError(
            f"the proxy that {scheme.upper()}_PROXY names is no address ({error}); unset it."
        ) from None


def _where(url: str) -> str:
    """The address without any part that could hold a secret."""
    try:
        parts = urllib.parse.urlsplit(url)
        return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}"
    except ValueError:  # a port that is no number
        return "the server"

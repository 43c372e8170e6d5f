"""Proxies and TLS, on real sockets."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
import time
from pathlib import Path

import pytest
from fake_server import Asked, FakeServer, chat_reply

from regrasp.models.errors import ModelTimeoutError, RejectedError
from regrasp.models.transport import HttpReply, exchange


def get(url: str, total_s: float = 5.0) -> HttpReply:
    return exchange(
        "GET", url, headers={}, body=None, connect_s=2.0, total_s=total_s, max_bytes=10_000
    )


class TestProxy:
    def test_it_is_used_where_the_environment_names_one(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with FakeServer(lambda asked: chat_reply("through the proxy")) as proxy:
            monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
            assert b"through" in get("http://models.invalid/v1/models").body
            assert proxy.asked[0].path == "http://models.invalid/v1/models"

    def test_this_machine_is_reached_directly(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        with FakeServer(lambda asked: chat_reply("directly")) as server:
            assert b"directly" in get(server.url).body

    def test_https_goes_through_a_tunnel(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with FakeServer(lambda asked: b"HTTP/1.1 403 Forbidden\r\n\r\n") as proxy:
            monkeypatch.setenv("https_proxy", f"127.0.0.1:{proxy.port}")
            with pytest.raises(Exception, match="403"):
                get("https://models.invalid/v1/models")
            assert (proxy.asked[0].method, proxy.asked[0].path) == ("CONNECT", "models.invalid:443")


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A key and a certificate of its own for localhost."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: no certificate for the TLS tests")
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*make.split(), *names], check=True, capture_output=True)
    return key, cert


class TestTls:
    def test_an_unknown_authority_is_refused(self, certificate: tuple[Path, Path]) -> None:
        with FakeServer(lambda asked: chat_reply("hi"), tls(certificate)) as server:
            with pytest.raises(
                RejectedError, match=r"certificate .* is not trusted .* SSL_CERT_FILE"
            ):
                get(f"https://localhost:{server.port}/v1")
            assert server.asked == []

    def test_a_known_one_is_trusted(
        self, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[1]))
        with FakeServer(lambda asked: chat_reply("hi"), tls(certificate)) as server:
            assert get(f"https://localhost:{server.port}/v1").status == 200

    def test_a_hanging_server_is_left_and_no_thread_stays(
        self, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[1]))

        def handler(asked: Asked) -> None:
            asked.send(b"HTTP/1.1 200 OK\r\n\r\n")
            asked.stall()

        with FakeServer(handler, tls(certificate)) as server:
            with pytest.raises(ModelTimeoutError):
                get(f"https://localhost:{server.port}/v1", total_s=0.5)
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline and any(
                thread.name == "regrasp-http" for thread in threading.enumerate()
            ):
                time.sleep(0.02)
            assert not [t for t in threading.enumerate() if t.name == "regrasp-http"]


def tls(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate[1], certificate[0])
    return context

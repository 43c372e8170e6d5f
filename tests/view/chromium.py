"""A headless Chromium to drive from a test: the WebDriver protocol, which is JSON over HTTP.

`docs/dependencies.md` says why this and not a library. Run as a script it takes a screenshot:

    python tests/view/chromium.py PAGE.html PICTURE.webp [--width 1280] [--height 900] [--dark]
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import io
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Self

from PIL import Image

BROWSERS, DRIVER = ("chromium", "chromium-browser", "google-chrome"), "chromedriver"
MISSING = "no Chromium here: apt-get install chromium chromium-driver"


def found() -> tuple[str, str] | None:
    """The paths of a Chromium and of its driver, if both are installed."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which(DRIVER)
    return (browser, driver) if browser and driver else None


class Chromium:
    """One window of one headless browser without a network; a context manager."""

    def __init__(self, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        paths = found()
        if paths is None:
            raise RuntimeError(MISSING)
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._driver, port = _started(paths[1])
        self._base = f"http://127.0.0.1:{port}"
        asked = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        asked += ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND"]  # also for root; offline
        asked += [f"--user-data-dir={self._profile.name}"]
        wanted = {
            "goog:chromeOptions": {"binary": paths[0], "args": asked},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        made = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._base += f"/session/{made['sessionId']}"
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._command("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._command("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, page: Path) -> float:
        """Load a page from disk; seconds until everything in it was loaded and laid out."""
        began = time.perf_counter()
        self._send("POST", "/url", {"url": page.resolve().as_uri()})
        self.run("return document.body.getBoundingClientRect().height")
        return time.perf_counter() - began

    def run(self, script: str, *values: object) -> Any:
        """What the body of a function, `script`, returns in the page; it gets `arguments`."""
        return self._send("POST", "/execute/sync", {"script": script, "args": values})

    def until(self, script: str, seconds: float = 5.0) -> None:
        """Wait until `script` returns something true."""
        deadline = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < deadline, f"never true: {script}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press a key as a person would."""
        for kind in ("keyDown", "keyUp"):
            self._command("Input.dispatchKeyEvent", {"type": kind, "key": key})

    def complaints(self) -> list[str]:
        """What the console has said since the last time, warnings and errors."""
        log = self._send("POST", "/se/log", {"type": "browser"})
        return [f"{line['level']}: {line['message']}" for line in log]

    def cpu_seconds(self) -> float:
        """Processor time that all processes of the browser have taken so far (Linux)."""
        parents, spent = {}, {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):  # it ended in this moment
                fields = path.read_text().rpartition(")")[2].split()
                pid = int(path.parent.name)
                parents[pid], spent[pid] = int(fields[1]), int(fields[11]) + int(fields[12])
        ours = {self._driver.pid}
        while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
            ours |= more
        return sum(spent.get(pid, 0) for pid in ours) / os.sysconf("SC_CLK_TCK")

    def screenshot(self) -> bytes:
        """The window as a PNG."""
        return base64.b64decode(self._send("GET", "/screenshot"))

    def close(self) -> None:
        """Close the browser and its driver."""
        try:
            self._send("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.wait(10)
            self._profile.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _command(self, name: str, values: dict[str, object]) -> Any:
        return self._send("POST", "/goog/cdp/execute", {"cmd": name, "params": values})

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:500]}") from None


def _started(driver: str, tries: int = 5) -> tuple[subprocess.Popen[str], int]:
    """The driver and its port. A free port that it finds may be taken before it has it: again."""
    for _ in range(tries):
        running = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert running.stdout is not None
        for line in running.stdout:
            if "started successfully on port" in line:
                return running, int(line.rstrip(".\n").rsplit(" ", 1)[1])
        running.wait()
    raise RuntimeError("chromedriver did not start")


def main() -> None:
    """Take a screenshot of a page."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument(
        "--entry", type=int, default=0, help="which entry of the timeline to step to"
    )
    parser.add_argument("--script", default="", help="JavaScript to run before")
    wanted = parser.parse_args()
    with Chromium(wanted.width, wanted.height, wanted.dark) as chromium:
        print(f"opened in {chromium.open(wanted.page):.2f} s")
        chromium.run(f"go({wanted.entry}); {wanted.script}")
        time.sleep(1.5)
        Image.open(io.BytesIO(chromium.screenshot())).save(wanted.picture, quality=90)
        print(*chromium.complaints(), sep="\n")


if __name__ == "__main__":
    main()

"""Text from outside is shown, not obeyed: escape sequences, markup and reversed letters."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fake_server import Asked, FakeServer, chat_reply, reply
from hypothesis import given
from hypothesis import strategies as st
from runs import kitchen
from typer.testing import CliRunner, Result

import regrasp
from regrasp.cli.main import app
from regrasp.cli.output import (
    print_error,
    print_json,
    print_note,
    print_pairs,
    print_rows,
    print_text,
    progress,
)
from regrasp.cli.visible import visible, visible_json
from regrasp.core.errors import RegraspError
from regrasp.core.event import PlanMade, Remark
from regrasp.core.trace import Stamp, TraceEntry
from regrasp.embedded import catalogue
from regrasp.models import connection
from regrasp.models.retry import RetryPolicy

TITLE, CLEAR, CLIPBOARD = "\x1b]0;owned\x07", "\x1b[2J\x1b[H", "\x1b]52;c;b3duZWQ=\x07"
HOSTILE = f"a{TITLE}{CLEAR}{CLIPBOARD}\x9b31m\u202egnp.exe\r[bold]b[/bold] :robot: \x08\x7f"
SHOWN = r"a\x1b]0;owned\x07\x1b[2J\x1b[H\x1b]52;c;b3duZWQ=\x07\x9b31m\u202egnp.exe\r"
ALLOWED = {"\n", "\t"}


def obeyed(text: str) -> set[str]:
    return {c for c in text if c not in ALLOWED and not c.isprintable() and c != "\xa0"} & {
        *map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066", "\u2028"
    }  # fmt: skip


@given(st.text())
def test_nothing_of_a_text_is_obeyed(text: str) -> None:
    assert obeyed(visible(text)) == set()
    visible(text).encode()  # can be printed anywhere


@given(st.text())
def test_json_reads_back_the_same(text: str) -> None:
    document = json.dumps({"a": text}, ensure_ascii=False, indent=2)
    assert json.loads(visible_json(document)) == {"a": text}
    assert obeyed(visible_json(document)) == set()


def test_it_shows_what_stood_there() -> None:
    assert visible(HOSTILE).startswith(SHOWN.removesuffix(r"\r") + r"\x0d")
    assert visible("naïve 机器人 😀\tβ\n") == "naïve 机器人 😀\tβ\n"
    assert visible("file\udcff.txt") == r"file\udcff.txt"


def test_every_way_to_print_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    print_text(HOSTILE)
    print_note(HOSTILE)
    print_error(HOSTILE)
    print_rows([{"a": HOSTILE, HOSTILE: 1}], ["a", HOSTILE], False, HOSTILE)
    print_json([{HOSTILE: HOSTILE}], {"about": HOSTILE})
    print_pairs([(HOSTILE, HOSTILE)])
    with progress() as bar:
        task = bar.add_task(HOSTILE)
        bar.update(task, description=HOSTILE)
        bar.note(HOSTILE)
    out, err = capsys.readouterr()
    assert obeyed(out + err) == set()
    assert "[bold]b[/bold] :robot:" in out and "[bold]b[/bold] :robot:" in err


def test_a_bar_on_a_terminal_obeys_nothing_either() -> None:
    """On a real terminal, where rich itself sends colours and moves the cursor."""
    code = (
        "import sys; from regrasp.cli.output import progress, print_error, print_rows\n"
        "with progress() as bar:\n"
        "    task = bar.add_task(sys.argv[1]); bar.update(task, description=sys.argv[1])\n"
        "    bar.note(sys.argv[1]); bar.refresh()\n"
        "print_error(sys.argv[1]); print_rows([{'a': sys.argv[1]}], ['a'], False, sys.argv[1])\n"
    )
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "300"}
    subprocess.run(
        [sys.executable, "-c", code, HOSTILE],
        stdout=child, stderr=child, env=environment, check=True, timeout=60,
    )  # fmt: skip
    os.close(child)
    seen = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # the other end is closed and read to its end
            break
        if not part:
            break
        seen += part
    text = seen.decode()
    assert "\x1b[" in text  # it is a terminal to rich
    assert not any(attack in text for attack in (TITLE, CLEAR, CLIPBOARD, "\x9b", "\u202e"))
    assert "🤖" not in text


def regrasp_command(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_a_models_reply_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGRASP_API_KEY", raising=False)
    monkeypatch.setattr(catalogue, "DESK_SERVERS", ())

    def answer(asked: Asked) -> bytes:
        names = {"data": [{"id": HOSTILE, "owned_by": HOSTILE}]}
        return reply(200, names) if asked.method == "GET" else chat_reply(HOSTILE)

    with FakeServer(answer) as server:
        asked = regrasp_command("ask", "hello", "-m", f"{server.url}#m")
        document = regrasp_command("ask", "hello", "-m", f"{server.url}#m", "--json")
        listed = regrasp_command("models", "--server", server.url)
    assert SHOWN.removesuffix(r"\r") in asked.stdout
    assert json.loads(document.stdout)["rows"][0]["text"] == HOSTILE
    assert obeyed(asked.output + document.output + listed.output) == set()


@pytest.mark.parametrize("status", [400, 401, 500])
def test_a_servers_error_is_shown(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "RetryPolicy", lambda: RetryPolicy(attempts=1))
    with FakeServer(lambda asked: reply(status, {"error": HOSTILE}, Retry_After="0")) as server:
        result = regrasp_command("ask", "hello", "-m", f"{server.url}#m")
    assert result.exit_code == 2
    assert obeyed(result.output) == set()


@pytest.mark.parametrize("command", ["view", "blame", "report", "fork", "compare"])
def test_the_name_of_a_file_is_shown(command: str, tmp_path: Path) -> None:
    folder = tmp_path / HOSTILE.replace("/", "")
    result = regrasp_command(command, str(folder))
    assert result.exit_code == 2
    assert obeyed(result.output) == set()


def test_the_page_of_a_run_in_a_hostile_folder(tmp_path: Path) -> None:
    folder = tmp_path / "\x1b]0;owned\x07"
    kitchen(folder)
    result = regrasp_command("view", str(folder))
    assert result.exit_code == 0
    assert obeyed(result.output) == set()


def test_a_usage_error_repeats_nothing_that_is_obeyed() -> None:
    for words in (
        [HOSTILE],
        ["view", "a", HOSTILE],
        ["run", "x", "--seed", HOSTILE],
        [f"--{HOSTILE}"],
    ):
        result = regrasp_command(*words)
        assert result.exit_code == 2
        assert obeyed(result.output) == set()


def test_what_a_trace_holds_is_shown_while_it_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from regrasp.cli.run_display import show_agent, show_skill

    stamp = Stamp(0, 0.0, 0.0)
    with show_agent() as display, show_skill() as show:
        for event in (Remark(HOSTILE), PlanMade(HOSTILE, HOSTILE, (HOSTILE,))):
            display.show(TraceEntry(stamp, event))
            show(TraceEntry(stamp, event))
    err = capsys.readouterr().err
    assert SHOWN.removesuffix(r"\r") in err
    assert obeyed(err) == set()


def test_a_traceback_is_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "registered_commands", list(app.registered_commands))

    @app.command()
    def stumble() -> None:
        raise RegraspError(HOSTILE) from ValueError(HOSTILE)

    result = regrasp_command("--debug", "stumble")
    assert "ValueError" in result.stderr
    assert obeyed(result.output) == set()


# ---- no command prints in another way ------------------------------------------------------------

PACKAGE = Path(regrasp.__file__).parent
PRINTERS = {"cli/output.py", "cli/progress_bar.py", "bench/judo_peer.py"}
"""The one place, its progress bar, and a child process that answers its parent as JSON."""


def test_text_reaches_the_terminal_in_one_place() -> None:
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        name, text = file.relative_to(PACKAGE).as_posix(), file.read_text(encoding="utf-8")
        if name in PRINTERS or not re.search(r"\b(print|s?echo|Console|write)\(", text):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if called in ("print", "typer.echo", "typer.secho", "click.echo", "Console") or (
                called.endswith((".console.print", "stdout.write", "stderr.write"))
            ):
                found.append(f"{name}:{node.lineno} {called}")
    assert found == []

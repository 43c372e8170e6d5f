"""The person at the terminal, who is asked with numbered options; and who is there to be asked."""

from __future__ import annotations

import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from regrasp.cli.output import print_text
from regrasp.core.errors import RegraspError
from regrasp.core.person import Nobody, Person, Prepared, chosen_option

__all__ = ["TerminalPartner", "TerminalPerson", "person_to_ask"]

Pause = Callable[[], AbstractContextManager[None]]


class TerminalPerson:
    """Asks on stdout and reads the answer from stdin; `pause` stops the display meanwhile."""

    def __init__(self, pause: Pause) -> None:
        self._pause = pause

    def choose(self, question: str, options: Sequence[str]) -> int | None:
        """See `Person`. Enter, 0 and the end of stdin are no answer; Ctrl-C interrupts."""
        with self._pause(), _ctrl_c_interrupts():
            print_text(question)
            for number, option in enumerate(options, 1):
                print_text(f"  {number}  {option}")
            print_text("  0  none of these")
            while True:
                try:
                    return chosen_option(input("Which one? [0] "), options)
                except EOFError:
                    print_text("")
                    return None
                except RegraspError as error:
                    print_text(error)


def person_to_ask(answers: Sequence[str], as_json: bool, pause: Pause) -> Person:
    """Prepared answers first; then the person at the terminal, if there is one."""
    somebody = not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    return Prepared(answers, TerminalPerson(pause) if somebody else Nobody())


@contextmanager
def _ctrl_c_interrupts() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt; during a run it only sets a flag (`Interrupt`)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class TerminalPartner:
    """The person at the terminal in a conversation: lines of stdin, read beside the robot's work.

    An empty line and the end of stdin end the conversation.
    """

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> str | None:
        """See `ChatPartner`."""
        print_text("you: ", end="")
        return self._lines.get() or None

    def interjection(self, seconds: float) -> str:
        """See `ChatPartner`."""
        try:
            return self._lines.get_nowait() or ""
        except queue.Empty:
            return ""

    def hear(self, text: str) -> None:
        """See `ChatPartner`."""
        print_text(f"robot: {text}")

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line.strip())
        self._lines.put(None)

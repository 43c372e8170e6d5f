"""Prepared lines of a conversation: what is said at a second, and what only looks like it."""

from __future__ import annotations

from regrasp.episodes.chat import PreparedPartner


def test_a_line_with_a_second_is_said_then() -> None:
    partner = PreparedPartner(["hello", "@12.5 stop"])
    assert partner.next() == "hello" and partner.next() is None
    assert partner.interjection(12.0) == "" and partner.interjection(12.5) == "stop"


def test_what_is_no_second_is_a_line() -> None:
    lines = ["@² stop", "@. stop", "@nan stop", "@1e9 stop", "@"]
    partner = PreparedPartner(lines)
    assert [partner.next() for _ in lines] == lines
    assert partner.interjection(1e12) == ""

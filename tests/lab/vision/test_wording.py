"""Every wording is read as what it asks, and nonsense as nothing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.wording import NONSENSE, WORDINGS, Topic, ask

# Names that fit each topic: what can be open, what can be inside what.
FITTING = {
    Topic.AT: ("grey table", ""),
    Topic.CLEAR: ("left", ""),
    Topic.OBSTACLE: ("right", ""),
    Topic.INSIDE: ("red cube", "wooden cabinet"),
    Topic.ANY_INSIDE: ("", "left hand"),
    Topic.BLOCKING: ("weight sensor", "stone cabinet left door"),
    Topic.OPEN: ("microwave door", ""),
    Topic.CLOSED: ("blue cabinet handle", ""),
    Topic.STATE: ("cabinet", ""),
    Topic.FILLED: ("mug", ""),
    Topic.EMPTY: ("red mug", ""),
    Topic.TURNED_ON: ("microwave", ""),
    Topic.TURNED_OFF: ("oven", ""),
    Topic.COOKED: ("water", ""),
    Topic.RAW: ("pie", ""),
    Topic.CAPPED: ("gin bottle", ""),
    Topic.UNCAPPED: ("salt bottle", ""),
    Topic.HOT: ("pie", ""),
    Topic.COLD: ("pie", ""),
    Topic.FROZEN: ("pie", ""),
    Topic.THAWED: ("pie", ""),
    Topic.HALVED: ("hard boiled egg", ""),
    Topic.WHOLE: ("hard boiled egg", ""),
    Topic.AFFORDANCE: ("toy duck", "red container"),
    Topic.SUCCESS: ("green bottle", "oven"),
}
DO = "put the {a} into the {b}"


@pytest.mark.parametrize("topic", WORDINGS, ids=str)
def test_all_wordings_of_a_topic_are_one_question(topic: Topic) -> None:
    a, b = FITTING.get(topic, ("orange", "weight sensor"))
    forms = [str(form).replace("{do}", DO) for form in WORDINGS[topic]]
    meant = forms[0].format(a=a, b=b)
    for form in forms:
        assert KNOWN.canonical(form.format(a=a, b=b)) == meant
        assert KNOWN.canonical(form.format(a=a.replace(" ", "_"), b=b.upper())) == meant


def test_nonsense_is_not_understood() -> None:
    for form, thing in itertools.product(NONSENSE, ("red cube", "pie", "mug", "box")):
        assert KNOWN.canonical(form.format(a=thing, b="wooden cabinet")) is None
    rng = np.random.default_rng(5)
    for held_out in (False, True):
        for _ in range(300):
            text = ask(Topic.NONSENSE, "red cube", "crate", rng, held_out=held_out)
            assert KNOWN.canonical(text) is None, text

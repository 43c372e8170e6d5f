"""The rewards: the motion plan in the language of the controller (REPLAN, figure B.6).

The reply is parsed by `regrasp.control.rewards` with a whitelist; nothing in it is ever executed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from regrasp.control.rewards import (
    PALM,
    RewardNameError,
    RewardProgram,
    RewardSyntaxError,
    parse_rewards,
)
from regrasp.prompts.grammar import CANNOT, choice, grammar
from regrasp.prompts.motions import MotionLine
from regrasp.prompts.parsing import Declined, Line, ParseError, declined
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.sections import layout, numbered, section, titled
from regrasp.prompts.text import listing, one_line

__all__ = ["RewardsPrompt"]


@dataclass(frozen=True, slots=True)
class RewardsPrompt(Prompt[RewardProgram]):
    """Ask for the rewards of a motion plan over `objects` (where a hand can go) and `joints`."""

    HEAD: ClassVar[str] = """Task: rewards
Translate each line of the motion plan into one call, in the same order:
- X close to Y: minimize_l2_distance_reward("X", "Y")
- X far from Y: maximize_l2_distance_reward("X", "Y")
- joint J open: set_joint_fraction_reward("J", 1.0)
- joint J closed: set_joint_fraction_reward("J", 0.0)
- X at height 0.4 m: set_obj_z_position_reward("X", 0.4)
- X tilted by 90 degrees: set_obj_orientation_reward("X", 1.571)
Begin with reset_reward() and end with execute_plan(), one call on each line, nothing else.
Names stand in double quotes, as in the motion plan; "palm" is the hand. Example for the motion plan
1. palm close to lid_handle
2. joint lid open
reset_reward()
minimize_l2_distance_reward("palm", "lid_handle")
set_joint_fraction_reward("lid", 1.0)
execute_plan()"""
    ASK: ClassVar[str] = "Translate each line: close to is minimize, far from is maximize."

    action: str
    motions: tuple[MotionLine, ...]
    objects: tuple[str, ...]
    joints: tuple[str, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            titled("Names", listing((PALM, *self.objects))),
            titled("Joints", listing(self.joints)),
            titled("Action", one_line(self.action)),
            section("Motion plan", numbered(map(str, self.motions))),
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        things = dict.fromkeys(name for one in self.motions for name in _things(one))
        joints = dict.fromkeys(one.object for one in self.motions if one.relation.moves_joint)
        number = r'"-"? [0-9] "." [0-9]{1,3}'
        thing = choice(things)
        terms = [
            rf'"{function}(\"{one}\", \"" {choice(others)} "\")"'
            for function in ("minimize_l2_distance_reward", "maximize_l2_distance_reward")
            for one in things
            if (others := tuple(other for other in things if other != one))
        ]
        if things:
            terms.append(rf'"set_obj_z_position_reward(\"" {thing} "\", " {number} ")"')
            terms.append(rf'"set_obj_orientation_reward(\"" {thing} "\", " {number} ")"')
        if joints:
            fraction = '("0.0" | "1.0")'
            terms.append(rf'"set_joint_fraction_reward(\"" {choice(joints)} "\", " {fraction} ")"')
        if not terms:
            return grammar(CANNOT)
        calls = f'(term "\\n"){{1,{len(self.motions)}}}'
        root = rf'"reset_reward()\n" {calls} "execute_plan()"'
        return grammar(root, {"term": " | ".join(terms)})

    def read(self, text: str) -> RewardProgram | Declined | ParseError:
        """See `Prompt.read`."""
        lines = _calls(text)
        if not any(line.text.strip() for line in lines):
            return declined(text) or ParseError.whole(
                text, 'Write calls only, e.g. minimize_l2_distance_reward("palm", "X").'
            )
        code = "\n".join(line.text for line in lines)
        try:
            return parse_rewards(code, objects=self.objects, joints=self.joints)
        except (RewardSyntaxError, RewardNameError) as error:
            problem = str(error).partition(": ")[2].partition(" In: ")[0]
            line = lines[min(max(error.line, 1), len(lines)) - 1]
            start = min(line.start + max(error.column - 1, 0), line.end)
            return ParseError.at(text, start, line.end, problem or "Write listed calls only.")


def _things(motion: MotionLine) -> tuple[str, ...]:
    """The hand and the objects of a line; a joint is none."""
    if motion.relation.moves_joint:
        return ()
    return tuple(name for name in (motion.object, motion.other) if name)


_CALL = re.compile(r"\s*(?:[-*>]\s+|\d+[.)]\s+)?([A-Za-z_]\w*\(.*)")


def _calls(text: str) -> list[Line]:
    """The lines of `text`; lines without a call are made empty, so prose around code is skipped.

    A fenced block is kept whole, because it marks the code explicitly.
    """
    found: list[Line] = []
    fenced = "```" in text
    start = 0
    for raw in text.replace("\r\n", " \n").replace("\r", "\n").split("\n"):
        call = _CALL.match(raw)
        if fenced:
            found.append(Line(raw, start))
        else:
            found.append(Line(call[1], start + call.start(1)) if call else Line("", start))
        start += len(raw) + 1
    return found

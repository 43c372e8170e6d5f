"""A prompt as the scripted model reads it: its sections, parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from regrasp.core.object_description import ObjectDescription
from regrasp.embedded.rules.belief import SceneBelief, believe
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.attempts import ATTEMPTS, FailedAttempt, read_attempts
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.motions import MotionLine, read_motion
from regrasp.prompts.observations import OBSERVATIONS, Observation
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import PromptSection, read_sections
from regrasp.prompts.skill_plan import CallResult
from regrasp.prompts.skills import SkillLine

__all__ = ["ParsedPrompt"]

_EMPTY = PromptSection("")
_LISTED = re.compile(r"(\w+)(?: \((\w+)\))?(?:, |$)")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ParsedPrompt:
    """The sections of a prompt. A missing section is empty."""

    sections: Mapping[str, PromptSection]

    @classmethod
    def read(cls, text: str) -> ParsedPrompt:
        """Read the text of a prompt."""
        return cls(read_sections(text))

    def value(self, title: str) -> str:
        """The text on the line of a title."""
        return self.sections.get(title, _EMPTY).value

    def items(self, title: str) -> tuple[str, ...]:
        """The lines under a title, without their marks."""
        return self.sections.get(title, _EMPTY).items

    def parsed(self, title: str, read: Callable[[str], T | None]) -> tuple[T, ...]:
        """The lines under a title, parsed; lines of no known form are left out."""
        return tuple(found for found in map(read, self.items(title)) if found is not None)

    @property
    def words(self) -> SceneLexicon:
        """The lexicon of the scene; an empty one where the scene cannot be read."""
        scene = SceneDescription.read(self.sections.get("Objects", _EMPTY).lines)
        return SceneLexicon(scene if scene is not None else SceneDescription())

    @property
    def names(self) -> tuple[str, ...]:
        """The list of names in prompts without a scene."""
        listed = self.value("Names")
        return tuple(name for name in listed.split(", ") if name and listed != "none")

    @property
    def observations(self) -> tuple[Observation, ...]:
        """Questions and answers."""
        return self.parsed(OBSERVATIONS, Observation.read)

    @property
    def attempts(self) -> tuple[FailedAttempt, ...]:
        """Failed attempts."""
        return read_attempts(self.sections.get(ATTEMPTS, _EMPTY).lines)

    @property
    def motions(self) -> tuple[MotionLine, ...]:
        """The lines of the motion plan; empty if one of them cannot be read."""
        found = self.parsed("Motion plan", read_motion)
        return found if len(found) == len(self.items("Motion plan")) else ()

    @property
    def skills(self) -> tuple[SkillLine, ...]:
        """The named skills."""
        return self.parsed("Skills", SkillLine.read)

    @property
    def happened(self) -> tuple[CallResult, ...]:
        """The earlier calls."""
        return self.parsed("Happened", CallResult.read)

    @property
    def goal_prompt(self) -> GoalPrompt:
        """The goal prompt; its objects stand on one line, with the kinds that names do not show."""
        forms = self.parsed("Forms", GoalForm.read)
        kinds = {kind for form in forms for taken in form.takes for kind in taken}
        listed = _LISTED.finditer(self.value("Objects"))
        objects = tuple(ObjectDescription(m[1], m[2] or _shown_kind(m[1], kinds)) for m in listed)
        scene = SceneDescription(objects if self.value("Objects") != "none" else ())
        return GoalPrompt(self.value("Instruction"), scene, forms)

    @property
    def belief(self) -> SceneBelief:
        """The belief that follows from the observations and attempts."""
        return believe(self.words, self.observations, self.attempts)


def _shown_kind(name: str, kinds: Iterable[str]) -> str:
    """The longest of `kinds` that a name ends with, before its number; "" if there is none."""
    bare = re.sub(r"(?:_\d+)+$", "", name)
    return max((kind for kind in kinds if bare.endswith(kind)), key=len, default="")

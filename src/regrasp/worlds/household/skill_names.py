"""The robot's actions as an agent gets them: names, arguments and descriptions."""

from __future__ import annotations

from regrasp.core.action import SkillSpec

__all__ = ["SKILLS", "SKILL_NAMES"]

SKILLS = (
    SkillSpec("find", ("thing",), "go to a thing, or to a floor, and look at it"),
    SkillSpec("grasp", ("thing",), "take a thing into the hand"),
    SkillSpec("placein", ("thing", "receptacle"), "put the thing in the hand into a receptacle"),
    SkillSpec("placeon", ("thing", "surface"), "put the thing in the hand on a surface"),
    SkillSpec("placefloor", ("thing", "floor"), "put the thing in the hand on the floor"),
    SkillSpec("fillsink", ("sink",), "turn the tap on and let water into the sink"),
    SkillSpec("fill", ("vessel", "sink"), "fill the vessel in the hand at a sink"),
    SkillSpec("open", ("receptacle",), "open the doors of a receptacle"),
    SkillSpec("close", ("receptacle",), "close the doors of a receptacle"),
    SkillSpec("turnon", ("appliance",), "switch a microwave or an oven on"),
    SkillSpec("cut", ("food", "knife"), "cut food into halves with the knife in the hand"),
)
"""Eleven skills; the paper has twelve because it separates microwave and oven for switching on."""

SKILL_NAMES = tuple(spec.name for spec in SKILLS)

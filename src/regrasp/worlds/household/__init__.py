"""The household: two rooms, a mobile robot with twelve skills, and what goes wrong with them."""

from __future__ import annotations

from regrasp.worlds.household.tasks import TASKS
from regrasp.worlds.household.world import HouseholdPlan, household_plan

__all__ = ["PLAN"]

PLAN: HouseholdPlan = household_plan(
    "household",
    "two rooms with a kitchen's furniture and a mobile robot whose actions may go wrong",
    TASKS,
)

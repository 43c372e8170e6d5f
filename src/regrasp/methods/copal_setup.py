"""The layers of CoPAL for an assignment: its parts, put together."""

from __future__ import annotations

from regrasp.methods.copal_execution import CommandExecution
from regrasp.methods.copal_high_level import HighLevel
from regrasp.methods.copal_layers import CopalLayers
from regrasp.methods.copal_rehearsal import Rehearsal
from regrasp.methods.copal_sequencer import Sequencer
from regrasp.methods.method import Assignment
from regrasp.methods.parts import fact_observer
from regrasp.perception.beliefs import BayesianBelief
from regrasp.perception.state_belief import StateBelief
from regrasp.planners.commander import Commander, listed_kinds
from regrasp.planners.interpreter import Conversation, Interpreter
from regrasp.planners.recipe_book import RecipeBook, shipped_recipes
from regrasp.planners.repair import PlanRepair
from regrasp.planners.specifier import Specifier

__all__ = ["copal_layers"]


def copal_layers(
    assignment: Assignment, talk: Conversation, recipes: RecipeBook | None, *,
    repair: bool, look: bool, logic: bool,
) -> CopalLayers:  # fmt: skip
    """The layers for an assignment; the options are those of `copal`."""
    robot, domain, model = assignment.robot, assignment.domain, assignment.language
    known, book = robot.knowledge(), recipes if recipes is not None else shipped_recipes()
    objects = listed_kinds(domain, known)
    names = tuple(name for name, _ in objects)
    commander, mending = Commander(model, domain, known), PlanRepair(domain, known)
    abilities = tuple(line.words for line in commander.command_lines)
    facts = fact_observer(assignment)
    estimate = StateBelief(facts, domain, mending.checker.rules, BayesianBelief())
    checker, start = mending.checker, domain.init
    execution = CommandExecution(robot, checker, estimate, talk.stop_asked, start, look)
    return CopalLayers(
        assignment,
        talk,
        Interpreter(model, abilities, names, book.makeable(names), book),
        HighLevel(Specifier(model, objects, book), commander, domain.lexicon),
        Sequencer(execution, Rehearsal(mending, assignment.emit, repair, logic)),
    )

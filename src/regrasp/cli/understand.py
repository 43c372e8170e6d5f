"""`regrasp understand`: what a robot would do with an instruction, before anything moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli import options

if TYPE_CHECKING:
    from regrasp.methods.preview import Preview, StagePlan

__all__ = ["understand"]


def understand(
    instruction: Annotated[
        str, typer.Argument(help='An instruction or a question, e.g. "open the left door".')
    ],
    *,
    world: options.WorldName = "",
    robot: options.RobotAddress = "",
    domain: options.DomainAddress = "",
    task: options.TaskName = None,
    llm: options.LanguageName = "",
    vlm: options.VisionName = "embedded",
    answer: options.Answers = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
) -> None:
    """Show the goal of an instruction and a plan for it; nothing moves.

    Exits with 0 only if the robot would act on the instruction, or can answer the question. Where
    it is not clear, the output has the question that `regrasp run` asks; --answer answers it.
    """
    from regrasp.cli.output import print_json, print_pairs, progress
    from regrasp.cli.place import place_of
    from regrasp.core.person import Prepared
    from regrasp.embedded.resolve import resolve_language
    from regrasp.episodes.runner import open_place
    from regrasp.episodes.vision import vision_factory
    from regrasp.methods.method import Assignment
    from regrasp.methods.preview import preview
    from regrasp.worlds.world import ignore_event

    place, _ = place_of(instruction, world, task, seed, robot, domain)
    llm = llm or options.default_language()
    language, vision = resolve_language(llm), vision_factory(vlm)
    with open_place(place, size=(224, 224)) as setting, progress() as bar:
        bar.add_task("reading the instruction and looking at the scene", total=None)
        found = preview(
            Assignment(
                instruction,
                setting.robot,
                setting.domain,
                language,
                vision(setting),
                ignore_event,
                Prepared(answer or ()),
            )
        )
    if as_json:
        where = {"world": world, "robot": robot, "task": getattr(place, "task", None), "seed": seed}
        print_json([{**where, "llm": llm, "vlm": vlm, **_row(found)}])
    else:
        print_pairs(_lines(found))
    if not found.acts:
        raise typer.Exit(1)


def _row(found: Preview) -> dict[str, object]:
    from regrasp.core.codec import to_json

    read, goal, reply = found.read, found.goal, found.reply
    fields = to_json(read)
    assert isinstance(fields, dict)
    return {
        **fields,
        "asked": [to_json(one) for one in found.asked],
        "stages": [list(map(str, stage.literals)) for stage in goal.stages] if goal else [],
        "keep": list(map(str, goal.keep)) if goal else [],
        "plans": [
            {
                "outcome": one.result.outcome,
                "message": one.result.message,
                "engine": one.result.engine,
                "steps": one.steps,
                "actions": list(map(str, one.result.plan)),
            }
            for one in found.plans
        ],
        "answer": reply.reason if reply and goal else "",
        "declined": reply.reason if reply and not goal else "",
        "acts": found.acts,
    }


def _lines(found: Preview) -> Iterator[tuple[str, str]]:
    from regrasp.planners.understanding import SURE

    read, goal = found.read, found.goal
    yield "instruction", read.instruction
    if read.goal:
        yield from _part("goal", read.goal)
        yield "in words", read.words
        enough = "" if read.confidence >= SURE else f", too low to act without asking ({SURE:.0%})"
        yield "confidence", f"{read.confidence:.0%}{enough}"
    yield from _part("or it means", [words for words in read.readings if words != read.words])
    yield from _part("left over", read.unexplained)
    for one in found.asked:
        yield "asks back", one.question
        for number, option in enumerate(one.options, 1):
            yield "", f"{number}  {option}{'  (the answer)' if option == one.chosen else ''}"
    if goal is not None:
        for number, stage in enumerate(goal.stages):
            yield "then" if number else "objects", ", ".join(map(str, stage.literals))
        yield from _part("kept", [str(literal) for literal in goal.keep])
    yield from _part("plan", _plan_lines(found.plans))
    if found.reply is not None:
        yield "declined" if goal is None else "answer", found.reply.reason


def _part(name: str, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        yield "" if number else name, line


def _plan_lines(plans: Sequence[StagePlan]) -> list[str]:
    """All steps, numbered; then why there is no further one."""
    from regrasp.planners.classical import PlanningOutcome

    steps = [step for one in plans for step in one.steps]
    lines = [f"{number}  {step}" for number, step in enumerate(steps, 1)]
    last = plans[-1].result if plans else None
    if last is None or (last.solved and lines):
        return lines
    if last.solved:
        return ["nothing to do: the goal is reached"]
    reasons = {
        PlanningOutcome.UNSOLVABLE: "the robot has no actions that reach it from what is seen",
        PlanningOutcome.TIMED_OUT: "the search took too long",
    }
    return [*lines, f"no plan: {reasons.get(last.outcome, last.message or last.outcome)}"]

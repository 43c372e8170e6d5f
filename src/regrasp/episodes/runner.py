"""One episode: a method on a setting, from an instruction to a verdict, recorded in a folder.

The agent gets a robot, its domain, two models and an event sink. The judge, where there is one,
decides the result; the agent never gets its verdict.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError
from regrasp.core.event import AnswerChecked, Event, EventSink, Judged, RunEnded, RunStarted
from regrasp.core.goal import Goal
from regrasp.core.grounded import PredicateGrounding
from regrasp.core.grounding import GroundedRobot
from regrasp.core.judge import Judge
from regrasp.core.outcome import Outcome
from regrasp.core.person import Nobody, Person
from regrasp.core.robot import Robot
from regrasp.core.trace import Clock, TraceEntry
from regrasp.core.users_code import UserCodeError, describe_error
from regrasp.domains.skill_domain import SkillDomain
from regrasp.episodes.checked_vision import CheckedVision
from regrasp.episodes.recorded_robot import RecordedRobot
from regrasp.episodes.recording import Film, Interrupt, WatchedTrace, end, open_film, versions
from regrasp.episodes.setting import Setting, VisionFactory, domain_of, world_setting
from regrasp.methods.instructions import follow_instruction
from regrasp.methods.method import Assignment, Method
from regrasp.models.budget import Budget, Meter, Price, Spending
from regrasp.models.errors import ModelError
from regrasp.models.language import LanguageModel
from regrasp.models.metered import CallRecord, MeteredLanguage, MeteredVision
from regrasp.models.tracing import tracing
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import RobotFactory, World, ignore_event

__all__ = [
    "EpisodeResult",
    "EpisodeSpec",
    "OwnRobot",
    "Recording",
    "WorldTask",
    "open_place",
    "run_episode",
]


@dataclass(frozen=True, slots=True)
class WorldTask:
    """A task of a world at a seed. `robot` replaces the world's own, for an oracle controller."""

    world: str
    task: str | None = None
    seed: int = 0
    robot: RobotFactory | None = None


@dataclass(frozen=True, slots=True)
class OwnRobot:
    """A robot without a world: `make()` returns it; `domain` replaces the robot's own domain."""

    make: Callable[[], Robot]
    domain: SkillDomain | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """What is recorded of an episode; `size` is (width, height) of pictures and film."""

    video: bool = True
    fps: float = 12.0
    size: tuple[int, int] = (320, 240)
    renderer: str = "raycast"


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """One episode: its place, instruction, method, models and limits.

    `instruction` is the task's own if None. The judge uses `goal`, or the task's own goal if that
    is None; with `judged=False` neither belongs to the instruction, and there is no verdict. After
    `limit_s` of the robot's time the agent counts as having given up.

    With `read_first` the instruction is read as a goal before the method gets it, `person` can be
    asked back, and the goal is looked at in the end (`methods.instructions`). With
    `oracle_grounding` the geometry behind names is the simulator's, not perceived. The vision model
    gets pictures of `cameras`; if there are none, of those that the domain names.
    """

    place: WorldTask | OwnRobot
    method: Method
    method_name: str
    language: LanguageModel
    vision: VisionFactory
    instruction: str | None = None
    goal: Goal | None = None
    judged: bool = True
    recording: Recording = field(default_factory=Recording)
    budget: Budget | None = None
    limit_s: float = math.inf
    price: Price | None = None
    read_first: bool = False
    person: Person = field(default_factory=Nobody)
    oracle_grounding: bool = False
    cameras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The result of an episode: the agent's claim, the judge's verdict, and the cost."""

    claim: Claim
    done: bool
    sim_s: float
    wall_s: float
    spent: Spending

    @property
    def succeeded(self) -> bool:
        """Whether the judge finds the goal reached and the agent claims so."""
        return self.done and self.claim.done


def run_episode(
    spec: EpisodeSpec,
    out: Path | str,
    *,
    cancel: Callable[[], str] = lambda: "",
    watch: Callable[[TraceEntry], None] = lambda entry: None,
    wall: Callable[[], float] = time.time,
) -> EpisodeResult:
    """Run one episode. The folder `out` gets the trace, the pictures and, if wanted, a film.

    `cancel` stops the robot once it returns a reason; `watch` gets every entry of the trace. Ctrl-C
    stops the robot, completes the folder and raises KeyboardInterrupt; a model that cannot be
    reached, or whose budget is spent, does the same with its ModelError.
    """
    began, meter, record = time.monotonic(), Meter(spec.budget), spec.recording

    def emit(event: Event) -> None:
        trace.write(event)

    with contextlib.ExitStack() as stack:
        setting = stack.enter_context(
            open_place(spec.place, renderer=record.renderer, size=record.size, emit=emit)
        )
        setting = setting.seen_by(spec.cameras)
        built = setting.world
        asked = _instruction(spec, built)
        judge = setting.judge if spec.judged else None
        if judge is not None and spec.goal is not None:
            _reached(spec.goal, judge, setting)  # a goal that cannot be judged is refused first
        vision_model = spec.vision(setting)
        clock = Clock(lambda: setting.robot.seconds, wall)
        trace = stack.enter_context(WatchedTrace(out, clock, watch))
        interrupt = stack.enter_context(Interrupt())
        checks: list[AnswerChecked] = []
        until = spec.limit_s

        def stop_asked() -> str:
            late = "out of time" if setting.robot.seconds >= until else ""
            return "interrupted" if interrupt.pressed else cancel() or late

        write_call = tracing(trace)

        def observe(call: CallRecord) -> None:
            write_call(call)
            if stop_asked():
                raise KeyboardInterrupt

        charge = spec.price or Price()
        language = MeteredLanguage(spec.language, meter, price=charge, observe=observe)
        metered = MeteredVision(vision_model, meter, price=charge, observe=observe)
        vision = metered if built is None else CheckedVision(metered, setting, checks.append)
        emit(_started(spec, setting, asked, language.name, metered.name))
        film: Film | None = None
        if record.video:
            film = stack.enter_context(
                open_film(trace, built, setting.robot, record.fps, record.size)
            )
        grounding, domain = _ground(setting, spec, trace)
        robot = RecordedRobot(setting.robot, trace, film=film, stop_asked=stop_asked)

        def judged() -> bool:
            for check in checks:
                emit(check)
            if judge is None:
                return False
            done = judge.done() if spec.goal is None else _reached(spec.goal, judge, setting)
            emit(Judged(done, judge.truths()))
            return done

        try:
            robot.shoot("start")
            try:
                given = Assignment(
                    asked,
                    robot,
                    domain,
                    language,
                    vision,
                    emit,
                    spec.person,
                    grounding=grounding,
                )
                claim = (
                    follow_instruction(given, spec.method)
                    if spec.read_first
                    else spec.method(given)
                )
                gave_up = Outcome.FAILED
            except KeyboardInterrupt:
                if stop_asked() != "out of time":
                    raise
                claim = Claim(False, f"out of time after {spec.limit_s:g} s")
                gave_up = Outcome.TIMED_OUT
            until = math.inf
            robot.look(robot.cameras()[0])
            robot.shoot("done" if claim.done else "given up", still_s=1.0)
            done = judged()
            outcome = Outcome.SUCCEEDED if claim.done else gave_up
            emit(RunEnded(outcome, claim.reason, str(claim.result)))
        except KeyboardInterrupt:
            end(robot, trace, Outcome.ABORTED, "interrupted")
            raise
        except ModelError as error:
            robot.stop()
            judged()  # so that a run whose budget is spent can be scored
            end(robot, trace, Outcome.ABORTED, f"{type(error).__name__}: {error}")
            raise
        except (Exception, SystemExit) as error:
            end(robot, trace, Outcome.BROKEN, describe_error(error))
            if isinstance(error, SystemExit):  # no success: only the command line ends a command
                raise UserCodeError(f"the run was ended: {describe_error(error)}.") from error
            raise
        seconds = time.monotonic() - began
        return EpisodeResult(claim, done, setting.robot.seconds, seconds, meter.spent)


def _instruction(spec: EpisodeSpec, built: World | None) -> str:
    if spec.instruction is not None:
        return spec.instruction
    if built is None:
        raise RegraspError("a robot without a world has no task of its own: give an instruction.")
    return built.task.instruction


@contextlib.contextmanager
def open_place(
    place: WorldTask | OwnRobot,
    *,
    renderer: str = "raycast",
    size: tuple[int, int] = (64, 48),
    emit: EventSink = ignore_event,
) -> Iterator[Setting]:
    """The setting of a place; its robot is closed at the end."""
    if isinstance(place, WorldTask):
        world = open_world(place.world, place.task, place.seed)
        make = place.robot
        with world_setting(world, robot=make, renderer=renderer, size=size, emit=emit) as setting:
            yield setting
        return
    robot = place.make()
    try:
        yield Setting(robot, place.domain or domain_of(robot))
    finally:
        close = getattr(robot, "close", None)
        if callable(close):
            close()


def _ground(
    setting: Setting, spec: EpisodeSpec, trace: WatchedTrace
) -> tuple[PredicateGrounding | None, SkillDomain]:
    """Evidence for a robot whose skills take it, and the domain with what its map tells."""
    if not isinstance(setting.robot, GroundedRobot):
        return None, setting.domain
    # Most robots take no evidence, and these parts are large.
    from regrasp.episodes.grounding import connect_grounding, mapped_domain  # noqa: PLC0415
    from regrasp.episodes.recorded_grounding import RecordedGrounding  # noqa: PLC0415
    from regrasp.perception.evidence_predicates import EvidencePredicates  # noqa: PLC0415

    grounding = connect_grounding(setting, oracle=spec.oracle_grounding)
    domain = mapped_domain(setting, grounding)
    if spec.recording.video and isinstance(grounding, EvidencePredicates):
        return RecordedGrounding(grounding, setting.robot, trace), domain
    return grounding, domain


def _started(
    spec: EpisodeSpec, setting: Setting, asked: str, language: str, vision: str
) -> RunStarted:
    parts = {
        **versions(),
        "language model": language,
        "vision model": vision,
        "robot": setting.robot.name,
        "renderer": spec.recording.renderer,
    }
    if spec.oracle_grounding:
        parts["grounding"] = "oracle"
    if spec.cameras:
        parts["cameras"] = ", ".join(spec.cameras)
    if spec.goal is not None:
        parts["goal"] = "; ".join(map(str, spec.goal.literals))
    world = setting.world
    if world is None:
        return RunStarted(setting.robot.name, "", 0, asked, spec.method_name, parts)
    return RunStarted(world.address, world.task.name, world.seed, asked, spec.method_name, parts)


def _reached(goal: Goal, judge: Judge, setting: Setting) -> bool:
    kinds = {one.name: one.kind for one in setting.robot.knowledge()}
    return goal.holds(lambda fact: judge.holds(fact.predicate, *fact.args), kinds)

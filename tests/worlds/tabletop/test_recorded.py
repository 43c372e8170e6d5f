"""A run at the table: what went wrong is in its trace, for people, and the agent never hears it."""

from pathlib import Path

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import Disturbed, Judged, RunStarted, SkillEnded, SkillStarted
from regrasp.core.trace import read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.methods.method import Assignment, Method
from regrasp.view.page import write_page
from regrasp.worlds.disturbance import Disturbance


def once(heard: list[str]) -> Method:
    """A method that tries once, and everything its robot reported."""

    def method(assignment: Assignment) -> Claim:
        for action in (Action("pick", ("red_block",)), Action("place", ("red_block", "fixture"))):
            run = assignment.robot.start(action)
            while run.step():
                heard.append(str(run.progress))
            heard.append(str(run.report))
        return Claim(True, "tried once")

    return method


def test_a_drop_is_written_when_it_happens_and_shown_in_plain_words(tmp_path: Path) -> None:
    luck = Disturbance(0.3)
    seed = next(seed for seed in range(40) if 0.6 < luck.hold_s(seed, 0) < 0.8)
    heard: list[str] = []
    place = WorldTask("tabletop", "pick-and-place:p=0.3", seed)
    spec = EpisodeSpec(
        place, once(heard), "once", ScriptedModel(), oracle_factory(),
        recording=Recording(video=False, size=(64, 48)),
    )  # fmt: skip
    ended = run_episode(spec, tmp_path / "run")
    trace = read_trace(tmp_path / "run")
    events = trace.events
    begun = next(event for event in events if isinstance(event, RunStarted))
    assert begun.task == "pick-and-place:p=0.3" and "red_block" in begun.instruction
    (drop,) = (event for event in events if isinstance(event, Disturbed))
    assert drop.fault == "the vacuum fails, and the red_block falls"
    placing = SkillStarted(drop.action)
    last = max(i for i, event in enumerate(events) if isinstance(event, SkillEnded))
    assert events.index(placing) < events.index(drop) < last
    assert any(isinstance(event, Judged) and event.done is ended.done for event in events)
    assert not any("vacuum fails" in said for said in heard)
    assert "the vacuum fails, and the red_block falls" in write_page(tmp_path / "run").read_text()

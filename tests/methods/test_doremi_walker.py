"""DoReMi on the walker: a box that slips and an obstacle in the way stop it while it walks."""

from __future__ import annotations

from pathlib import Path

from regrasp.core.event import Disturbed, Planned, Violated
from regrasp.core.trace import Entry, read_trace
from regrasp.methods import open_method
from regrasp.models.scripted import ScriptedModel
from regrasp.worlds.disturbance import Disturbance
from regrasp.worlds.run_method import oracle, run_method


def watched(out: Path, task: str, seed: int, limit_s: float) -> tuple[Entry, ...]:
    """What happened in the first seconds."""
    run_method(
        "walker_room", task, seed, None, open_method("doremi"), out, name="doremi",
        language=ScriptedModel(), seeing=oracle(), video=False, size=(16, 12), limit_s=limit_s,
    )  # fmt: skip
    return tuple(read_trace(out).entries)


def test_a_box_that_slips_stops_the_walk_and_is_taken_from_the_floor(tmp_path: Path) -> None:
    luck = Disturbance(p=0.2)
    seed = next(s for s in range(100) if 4.5 < luck.hold_s(s, 0) < 5.5)
    entries = watched(tmp_path, "move-box:p=0.2", seed, 19.0)
    fell = next(e.stamp.sim_s for e in entries if isinstance(e.event, Disturbed))
    noticed = next(e for e in entries if isinstance(e.event, Violated))
    assert 0.25 < noticed.stamp.sim_s - fell < 0.5
    plans = [e.event.steps for e in entries if isinstance(e.event, Planned)]
    assert plans[0][0] == "go_to(white_table)"
    assert plans[1][0].startswith("pick_up_from_floor(")
    assert plans[1][1] == "go_to(gray_table)"


def test_an_obstacle_stops_the_walk_and_it_turns_away(tmp_path: Path) -> None:
    entries = watched(tmp_path, "obstacle-forest:d=0.6", 3, 9.5)
    (noticed,) = [e for e in entries if isinstance(e.event, Violated)]
    (found,) = noticed.event.found
    away = {"left": "right", "right": "left"}[found.split()[5]]
    assert found == f"the way ahead on the {found.split()[5]} is not clear"
    assert noticed.stamp.sim_s < 9.5
    plans = [e.event.steps for e in entries if isinstance(e.event, Planned)]
    assert plans == [("go_forward(gate)",), (f"turn_{away}()", "go_forward(gate)")]

"""Watch a skill while it runs, and stop it as soon as the world disagrees.

An arm picks up a block and carries it to a fixture; its suction fails now and then. The constraints
follow from what the domain says of `pick` and `place`: what was picked is held until the hand lets
go. Every tenth of a second of the robot's time a vision model is asked whether that is still true.
Four noes in a row stop the skill, halfway, and the block is picked up again where it fell.

    python examples/05_watch_a_skill.py
"""

import sys

from regrasp.core.action import Action
from regrasp.core.event import Disturbed, Event
from regrasp.episodes.setting import oracle_of, world_setting
from regrasp.monitors.constraints import ConstraintSet
from regrasp.monitors.detectors import ConsecutiveDetector
from regrasp.monitors.monitor import Monitor
from regrasp.monitors.monitored_run import Violation, run_monitored
from regrasp.perception.observer import Observer
from regrasp.worlds.registry import open_world

PICK, PLACE = Action("pick", ("red_block",)), Action("place", ("red_block", "fixture"))


def main() -> bool:
    world = open_world("tabletop", "pick-and-place:p=0.4", seed=7)

    def emit(event: Event) -> None:
        secret = " (which the robot is not told)" if isinstance(event, Disturbed) else ""
        print(f"{world.seconds:5.2f} s  {event}{secret}")

    with world_setting(world, size=(160, 120), emit=emit) as setting:
        robot, domain = setting.robot, setting.domain
        # Any vision model will do; this one asks the simulator. `Odds` instead of `Streak` gives
        # each answer the weight that the record of the vision model supports.
        observer = Observer(robot, oracle_of(setting), emit, domain.cameras)
        monitor = Monitor(observer, domain.lexicon, ConsecutiveDetector(4), period_s=0.1)
        constraints = ConstraintSet.of(domain, robot.knowledge())
        todo = [PICK, PLACE]
        while todo and robot.seconds < 20.0:
            action = todo[0]
            schedule = constraints.schedule(action)
            ended = run_monitored(robot.start(action), monitor, schedule)
            if isinstance(ended, Violation):
                constraints = constraints.after_violation(ended.violated)
                todo = [PICK, PLACE]  # a method would ask its planner; see methods/doremi.py
                continue
            print(f"{robot.seconds:5.2f} s  {ended}")
            constraints, todo = constraints.after(action), todo[1:]
    done = world.plan.judge(world).done()
    print(f"the judge says: {'done' if done else 'not done'}")
    return done


if __name__ == "__main__":
    sys.exit(0 if main() else 1)

"""Talk with a robot: ask, request, say stop in the middle, go on, ask what it did.

CoPAL's interpreter answers or passes on what is said; the specifier and the commander plan; rules
mend the commands before anything moves. Here the lines are prepared, and `@1 stop` is said one
second after the start of the robot's clock, while it is picking up a block.

    python examples/07_chat_with_a_robot.py
    regrasp chat --world tabletop          # the same at your terminal; --world bar mixes drinks
"""

import sys
import tempfile
from pathlib import Path

from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.chat import PreparedPartner, run_chat
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask
from regrasp.episodes.setting import oracle_factory
from regrasp.methods.copal import copal

LINES = (
    "hello",
    "what can you do?",
    "place the red_block on the fixture",
    "@1 stop",
    "what did you do with the red_block?",
    "go on",
    "where is the red block?",
)


def main() -> bool:
    partner = PreparedPartner(LINES, hear=lambda text: print(f"robot: {text}"))
    spec = EpisodeSpec(
        WorldTask("tabletop", "pick-and-place"),
        copal,  # any configuration: partial(copal, repair=False, feedback="why") is H1
        "copal",
        ScriptedModel(),  # resolve_language("openai:NAME") asks a hosted model instead
        oracle_factory(),
        recording=Recording(video=False, size=(160, 120)),
    )
    with tempfile.TemporaryDirectory() as folder:
        run_chat(spec, partner, Path(folder) / "chat")
    return partner.heard[-1] == "The red block is on the fixture."


if __name__ == "__main__":
    sys.exit(0 if main() else 1)

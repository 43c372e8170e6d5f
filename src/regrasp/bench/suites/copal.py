"""CoPAL (Joublin et al., "CoPAL: Corrective Planning of Robot Actions with Large Language Models",
ICRA 2024): drinks, pizzas and blocks for a robot with two hands.

The paper reports executability over all drinks, not success in each of them, and pools the blocks
by their number; hence `plans` and `pools` in place of `figures`. It computes BL and M from its
other runs; here they are run. The paper names no pizzas and has no table of them: ours are those of
the recipe book that its kitchen has all ingredients for. Scene p01 of the published blocks is left
out, because its goal is true at the start.
"""

from __future__ import annotations

from regrasp.bench.record import Limits
from regrasp.bench.suite import Knob, PaperPlans, PaperPool, Suite, SuiteMethod, SuiteTask
from regrasp.worlds.blocks.problems import SCENES_VARIABLE
from regrasp.worlds.recipes import RECIPES_VARIABLE

__all__ = ["BARMAN", "BLOCKS", "PIZZA"]

_DRINKS = (
    "Bloody Mary", "Caipirinha", "Cosmopolitan", "Daiquiri", "Gin and Tonic",
    "Long Island Iced Tea", "Manhattan", "Margarita", "Martini", "Mojito",
)  # fmt: skip
_PIZZAS = ("bacon and onion", "four cheese", "hawaiian", "margherita", "mushroom", "pepperoni")
_LIMITS = Limits(sim_s=1800.0, calls=10_000)
_CONFIGURATIONS = (
    SuiteMethod("mh2", "copal", "MH2"),
    SuiteMethod("mh1", "copal-mh1", "MH1"),
    SuiteMethod("mh0", "copal-mh0", "MH0"),
    SuiteMethod("h2", "copal-h2", "H2"),
    SuiteMethod("h1", "copal-h1", "H1"),
    SuiteMethod("h0", "copal-h0", "H0"),
    SuiteMethod("m", "copal-m", "M"),
    SuiteMethod("bl", "copal-bl", "BL"),
)
_COMPARED = (
    ("mh2", "h2"), ("mh1", "h1"), ("mh0", "h0"), ("h1", "h0"), ("h2", "h1"), ("h0", "m"),
    ("m", "bl"),
)  # fmt: skip
_ORDER = (("bl", "m"), ("m", "h0"), ("h0", "h1"), ("h0", "mh0"), ("mh0", "mh1"))
"""Figure 4 of the paper: rules help, new plans help more, and reasons help both."""


def _recipes(world: str, task: str, names: tuple[str, ...]) -> tuple[SuiteTask, ...]:
    keys = [name.lower().replace(" ", "_") for name in names]
    return tuple(SuiteTask(key.replace("_", "-"), world, f"{task}:{key}") for key in keys)


BARMAN = Suite(
    name="copal-barman",
    summary="CoPAL's ten cocktails in its eight configurations",
    source="CoPAL, table IV, figures 3 and 4",
    tasks=_recipes("bar", "make-drink", _DRINKS),
    methods=_CONFIGURATIONS,
    plans=PaperPlans(
        executable={
            "bl": 0.057, "m": 0.348, "h0": 0.90, "h1": 1.0, "h2": 1.0, "mh0": 0.958, "mh1": 1.0,
            "mh2": 1.0,
        },
        correct=0.87,
        distances={0.2: 0.05, 1.0: 0.05, 1.2: 0.01, 2.0: 0.01},
        compared=_COMPARED,
        order=_ORDER,
    ),
    reads=(RECIPES_VARIABLE,),
    limits=_LIMITS,
)  # fmt: skip
"""The suite of the bar."""

PIZZA = Suite(
    name="copal-pizza",
    summary="pizzas whose ingredients have larger things in the way, in CoPAL's configurations",
    source="CoPAL, section IV-C, which has no figures",
    tasks=_recipes("pizza", "make-pizza", _PIZZAS),
    methods=tuple(
        SuiteMethod(one.name, one.method, one.paper, on_request=one.name not in ("mh2", "h2", "m"))
        for one in _CONFIGURATIONS
    ),
    plans=PaperPlans(compared=_COMPARED, order=_ORDER),
    reads=(RECIPES_VARIABLE,),
    episodes=20,
    limits=_LIMITS,
)
"""The suite of the pizza kitchen."""

_SCENES = {
    f"p{number:02}": blocks
    for number, blocks in enumerate(
        (3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12), start=2
    )
}
"""The published scenes with their numbers of blocks."""
_TABLE_V = {
    "3 blocks": {"copal": 0.83, "llm-p": 0.33, "llm-as-planner": 0.0},
    "3 to 5 blocks": {"copal": 0.73, "llm-p": 0.46, "llm-as-planner": 0.0},
}


def _scene(name: str, blocks: int) -> SuiteTask:
    return SuiteTask(
        f"scene-{name}", "blocks", f"scene:{name}", f"{blocks} blocks", table="Published scenes",
        needs=SCENES_VARIABLE,
    )  # fmt: skip


def _drawn(blocks: int) -> SuiteTask:
    return SuiteTask(f"blocks-{blocks}", "blocks", f"stack:blocks={blocks}", table="Drawn scenes")


def _pools() -> tuple[PaperPool, ...]:
    """The columns of table V, over drawn scenes and over published ones."""
    found = []
    for (name, rates), most in zip(_TABLE_V.items(), (3, 5), strict=True):
        drawn = tuple(f"blocks-{count}" for count in range(3, most + 1))
        scenes = tuple(f"scene-{key}" for key, blocks in _SCENES.items() if blocks <= most)
        found += [PaperPool(f"{name}, drawn", drawn, rates)]
        found += [PaperPool(f"{name}, published", scenes, rates)]
    return tuple(found)


BLOCKS = Suite(
    name="copal-blocks",
    summary="CoPAL's blocks world beside LLM+P, a language model alone, and search with feedback",
    source="CoPAL, table V",
    tasks=(
        *map(_drawn, (3, 4, 5, 6, 8, 10, 12, 16, 20)),
        *(_scene(name, blocks) for name, blocks in _SCENES.items()),
    ),
    methods=(
        SuiteMethod("copal", "copal-physical", "CoPAL, physical feedback"),
        SuiteMethod("copal-mh2", "copal", "CoPAL, all layers"),
        SuiteMethod("search", "dkprompt", "search with feedback"),
        SuiteMethod("llm-p", "classical-planner", "LLM+P"),
        SuiteMethod("llm-as-planner", "copal-open", "LLM-As-P"),
    ),
    plans=PaperPlans(compared=(("copal-mh2", "copal"),)),
    pools=_pools(),
    knobs=(Knob("blocks", "number of blocks", usual=4, least=2, most=20),),
    reads=(SCENES_VARIABLE,),
    limits=_LIMITS,
)
"""The suite of the blocks world."""

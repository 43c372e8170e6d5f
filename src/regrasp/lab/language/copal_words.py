"""The words of CoPAL's lessons: commands, sentences, themes, recipes and names.

The forms of our own worlds come first and are drawn most often. Ingredients are words of everyday
language; which of them go into which recipe is drawn, so no lesson has a recipe of the world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "COMMAND_NAMES", "COMMAND_PHRASES", "HELD_OUT_THEMES", "PREPARATIONS", "RECIPE_HEADS",
    "RECIPE_TAILS", "STATEMENTS", "THEMES", "Theme",
]  # fmt: skip


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


COMMAND_NAMES: Mapping[str, tuple[str, ...]] = {
    "get": _words("get take grab fetch pick pick_up grasp lift"),
    "put": _words("put place put_down set lay set_down move_to"),
    "pour": _words("pour add tip dispense fill_from decant"),
    "open_door": _words("open_door open open_up pull_open swing_open"),
    "close_door": _words("close_door close shut push_shut"),
    "screw": _words("screw cap seal screw_on close_cap"),
    "unscrew": _words("unscrew uncap unseal screw_off open_cap"),
    "push": _words("finger_push push press toggle switch push_button"),
    "wait": _words("wait pause stay idle"),
}
"""Names of the commands; the first is that of our own worlds."""

COMMAND_PHRASES: Mapping[str, tuple[str, ...]] = {
    "get": ("take the {0} from the {1}{hand}", "pick the {0} up from the {1}{hand}"),
    "put": ("put the {0} on or into the {1}", "set the {0} down on or in the {1}"),
    "pour": ("pour {2} ml from the {0} into the {1}", "fill {2} ml of the {0} into the {1}"),
    "open_door": ("swing the door of the {0} open", "open the {0}"),
    "close_door": ("close the door of the {0}", "close the {0}"),
    "screw": ("screw the cap onto the {0}", "close the {0} with its cap"),
    "unscrew": ("screw the cap off the {0}", "take the cap off the {0}"),
    "push": ("push the switch of the {0}", "press the button of the {0}"),
    "wait": ("wait for {0} s", "do nothing for {0} s"),
}
"""What the commands do."""

STATEMENTS: Mapping[str, tuple[str, ...]] = {
    "on": ("{a} is {not}on {b}", "{a} is {not}standing on {b}"),
    "inside": ("{a} is {not}inside {b}", "{a} is {not}in {b}"),
    "open": ("{a} is {not}open",),
    "capped": ("{a} is {not}closed with its cap", "{a} is {not}capped", "{a} is {not}sealed"),
    "contains": ("there is {not}some {b} in {a}", "{a} is {not}filled with {b}"),
    "empty": ("{a} is {not}empty",),
    "full": ("{a} is {not}full",),
    "switched_on": ("{a} is {not}switched on", "{a} is {not}running"),
    "baked": ("{a} is {not}baked", "{a} is {not}ready"),
    "holding": ("{b} is {not}held by the {a}", "the {a} is {not}holding {b}"),
    "free": ("the {a} is {not}free", "the {a} is {not}empty"),
    "held": ("{a} is {not}held by the robot", "{a} is {not}in the hand"),
    "hand_empty": ("the hand of the robot is {not}empty", "the gripper is {not}free"),
}
"""Sentences of the facts; the first is that of our own worlds."""

PREPARATIONS: tuple[tuple[str, str], ...] = (
    ("scan", "scanned"), ("unlock", "unlocked"), ("wipe", "clean"), ("tag", "tagged"),
    ("release", "released"), ("steady", "steady"), ("shake", "shaken"), ("weigh", "weighed"),
    ("warm", "warm"), ("approve", "approved"), ("ground", "grounded"), ("align", "aligned"),
)  # fmt: skip
"""A command that some robots need before another, and the word for what it makes true."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The nouns of a kind of scene.

    `sealed` vessels have caps, `loose` ones have none, `targets` are filled; `recipe` is the word
    for what is made. `substances` of sealed vessels come first, those of loose ones second.
    """

    sealed: tuple[str, ...]
    loose: tuple[str, ...]
    targets: tuple[str, ...]
    surfaces: tuple[str, ...]
    containers: tuple[str, ...]
    machines: tuple[str, ...]
    items: tuple[str, ...]
    liquids: tuple[str, ...]
    solids: tuple[str, ...]
    recipe: str
    bakes: bool = False


THEMES: Mapping[str, Theme] = {
    "bar": Theme(
        _words("bottle bottle bottle carafe flask"), _words("bowl bowl dish jar"),
        _words("glass glass glass tumbler goblet cup"),
        _words("table shelf tray counter mat rack"), _words("fridge cabinet cooler_box cupboard"),
        _words("mixer blender shaker ice_maker"), _words("napkin spoon coaster straw lemon cloth"),
        _words("gin rum vodka tequila whiskey brandy vermouth tonic_water soda_water ginger_beer "
               "coca_cola cranberry_juice orange_juice tomato_juice pineapple_juice milk "
               "cream simple_syrup grenadine bitters triple_sec salt pear_juice plum_wine iced_tea "
               "elderflower_syrup birch_water cherry_juice sloe_liqueur honey_syrup cold_brew"),
        _words("ice_cubes mint basil lime_slice lemon_slice orange_slice sugar_cubes rosemary "
               "fresh_herbs cherries olives cucumber_slice ginger_slice raspberries"),
        "drink",
    ),
    "kitchen": Theme(
        _words("bottle bottle jar tin"), _words("bowl bowl bowl plate dish"),
        _words("dough dough tart base"),
        _words("table shelf tray counter board"), _words("oven oven fridge cupboard"),
        _words("mixer toaster scale"), _words("fork spoon towel knife lid pan"),
        _words("tomato_sauce olive_oil pesto_sauce bbq_sauce salt peppers chilli_oil garlic_oil "
               "honey mustard cream soy_sauce vinegar"),
        _words("mozzarella_cheese feta_cheese goat_cheese parmesan_cheese provolone_cheese ham "
               "bacon mushrooms black_olives red_onion spinach_leaves anchovies garlic "
               "pineapple_chunks fresh_tomatoes grilled_chicken sausage artichoke_hearts walnuts "
               "sliced_pear corn pepper_strips beetroot chickpeas leek"),
        "bake", bakes=True,
    ),
    "laboratory": Theme(
        _words("flask vial bottle"), _words("dish tube crucible"), _words("beaker cuvette beaker"),
        _words("bench rack stand hotplate_stand table"), _words("incubator fridge hood cabinet"),
        _words("stirrer centrifuge pump"), _words("label tweezers slide stopper notebook"),
        _words("ethanol saline buffer acid dye glycerol distilled_water acetone enzyme"),
        _words("salt agar crystals powder beads resin"), "mixture",
    ),
    "workshop": Theme(
        _words("can canister bottle"), _words("tub box tin"), _words("bucket tray_pan mixing_pot"),
        _words("workbench shelf cart pallet table"), _words("locker cabinet chest drawer"),
        _words("compressor sander lamp"), _words("hammer wrench clamp bolt gear pipe ruler"),
        _words("oil paint glue coolant thinner varnish hardener"),
        _words("sawdust grit filler pigment screws"), "batch",
    ),
    "office": Theme(
        _words("carafe thermos bottle"), _words("bowl tin box"), _words("mug cup glass"),
        _words("desk table shelf windowsill"), _words("cabinet drawer fridge locker"),
        _words("printer coffee_machine lamp"), _words("book folder pen envelope stamp badge"),
        _words("coffee tea milk water juice oat_milk syrup"),
        _words("sugar honey lemon_slice mint cinnamon"), "cup",
    ),
}  # fmt: skip
"""The themes of the lessons."""

HELD_OUT_THEMES: Mapping[str, Theme] = {
    "greenhouse": Theme(
        _words("jerrycan sprayer"), _words("sack scoop"), _words("planter trough"),
        _words("staging potting_bench barrow ledge"), _words("shed coldframe"),
        _words("fogger heater"), _words("trowel dibber twine secateurs"),
        _words("rainwater feed seaweed_extract neem_oil"),
        _words("compost perlite sand bark straw bonemeal"), "blend",
    ),
}  # fmt: skip
"""A theme that only the evaluation uses."""

RECIPE_HEADS = _words(
    "velvet copper silent northern amber paper winter crooked lucky hollow silver second morning "
    "harbour lantern quiet dusty painted sleeping wandering iron marble orchard thunder midnight "
    "clever double slow green blue crimson golden rolling broken happy plain foggy salted"
)
RECIPE_TAILS = _words(
    "harbour thicket orchard sparrow ladder meadow engine window bridge pilot garden carousel "
    "whisper cradle lantern river station kettle postman ferry mountain button tailor parade "
    "cottage comet badger balloon library signal harvest feather valley clock market pebble"
)
"""Invented names of recipes are made of these."""

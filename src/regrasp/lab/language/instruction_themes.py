"""Kinds of rooms with their own things: a scene of one theme has nouns that belong together.

In a themed scene no noun is coined, so a model can use what its base knows of words: that a
refrigerator is a fridge, and that gin is poured and not folded.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["THEMES"]


def _theme(**roles: str) -> Mapping[str, tuple[str, ...]]:
    return {role: tuple(words.split()) for role, words in roles.items()}


THEMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "kitchen": _theme(
        item="apple banana orange pear lemon peach onion carrot tomato potato cucumber bread egg "
        "cheese sausage pie cake muffin sandwich mug cup bowl plate saucer fork spoon knife "
        "teaspoon pan pot lid spatula jar can carton napkin towel sponge salt_shaker pepper_mill",
        surface="table counter countertop stove tray shelf cutting_board windowsill plate trivet",
        container="fridge refrigerator freezer oven microwave cupboard cabinet drawer sink "
        "dishwasher bin trashcan bowl pot basket bread_box jar",
        openable="fridge refrigerator freezer oven microwave cupboard cabinet drawer dishwasher "
        "window door jar bread_box",
        machine="stove oven microwave toaster kettle dishwasher lamp radio coffee_maker blender "
        "faucet mixer",
        vessel="mug cup bowl pot pan kettle jug glass bottle sink teapot",
        liquid="water milk juice tea coffee soup oil broth",
        tool="sponge cloth rag towel brush mop broom",
    ),
    "bar": _theme(
        item="lemon lime olive straw napkin spoon strainer jigger bottle glass goblet tumbler "
        "shaker coaster jar can cherry umbrella cloth cap lid ice_cube",
        surface="tray coaster bar_counter counter mat shelf rack table cart bar_mat",
        container="sink crate ice_bucket bin fridge dishwasher box shaker basket",
        openable="bottle jar shaker fridge can dishwasher door",
        machine="blender ice_maker dishwasher lamp faucet coffee_machine radio",
        vessel="glass tumbler goblet shaker jug bottle carafe mug cup flute",
        liquid="gin vodka rum tequila whiskey vermouth tonic cola juice syrup soda lemonade water "
        "cream liqueur bitters wine beer",
        tool="cloth sponge towel brush napkin",
    ),
    "workshop": _theme(
        item="hammer wrench screwdriver pliers saw drill chisel file clamp nail screw bolt nut "
        "washer plank pipe bracket hinge tape ruler gear spring belt glove goggles battery "
        "cable spool gasket rivet",
        surface="workbench bench table cart shelf pallet stool rack board stand",
        container="toolbox drawer cabinet bin crate bucket box tray locker chest",
        openable="toolbox drawer cabinet locker chest door gate box vise",
        machine="drill_press lathe saw fan lamp compressor grinder heater charger sander",
        switch="button lever switch knob pedal handle valve latch crank",
        vessel="bucket can bottle jar tank",
        liquid="oil water paint glue coolant",
        tool="rag brush broom cloth scraper",
    ),
    "office": _theme(
        item="book folder binder letter envelope pen pencil marker scissors cup mug laptop phone "
        "charger tablet keyboard mouse headphones calendar card paper plant badge ruler tape "
        "notebook picture calculator",
        surface="desk table shelf chair windowsill cabinet printer stool sofa whiteboard",
        container="drawer cabinet bag backpack bin box tray locker safe briefcase mailbox",
        openable="drawer cabinet locker safe window door briefcase binder laptop",
        machine="computer printer lamp monitor projector fan scanner heater copier",
        switch="button switch knob dial",
        vessel="mug cup glass vase bottle jug",
        liquid="water coffee tea juice",
        tool="cloth duster rag",
    ),
    "laboratory": _theme(
        item="beaker flask vial tube syringe dish tray slide sample bottle jar cap glove goggles "
        "tweezers label stopper rack filter battery coin sensor notebook",
        surface="bench table scale hotplate rack shelf tray stand balance cart",
        container="incubator fridge freezer centrifuge cabinet drawer sink bin box jar cupboard",
        openable="incubator fridge freezer centrifuge cabinet drawer box jar door",
        machine="centrifuge hotplate incubator shaker lamp pump fan heater faucet stirrer",
        switch="button switch knob dial valve lever",
        vessel="beaker flask vial bottle jar tube bucket",
        liquid="water ethanol acid buffer saline oil",
        tool="cloth brush sponge towel",
    ),
    "garden": _theme(
        item="pot rake shovel trowel hose seed_packet bulb flower plant rose glove bucket basket "
        "apple pear pumpkin melon stone brick shears hat ball lantern bone",
        surface="table bench chair lawn path shelf wall stool cart terrace deck",
        container="shed greenhouse bucket basket bin crate pot wheelbarrow pond box sack",
        openable="shed greenhouse gate door window box",
        machine="sprinkler mower lamp fountain lantern pump grill",
        switch="valve lever handle switch tap",
        vessel="bucket pot vase watering_can jug pond",
        liquid="water fertilizer soil",
        tool="broom rake brush cloth sponge",
    ),
    "home": _theme(
        item="book pillow blanket cushion remote newspaper magazine vase candle toy doll ball "
        "puzzle sock shoe shirt hat coat scarf bag cup mug plate phone laptop glasses keys watch "
        "toothbrush towel soap picture guitar clock slipper",
        surface="sofa couch table coffee_table shelf bed chair armchair desk carpet rug "
        "nightstand dresser windowsill stool piano",
        container="basket hamper drawer wardrobe closet box chest bag suitcase bathtub sink bin "
        "cupboard washing_machine",
        openable="door window wardrobe closet drawer chest cupboard box suitcase curtain",
        machine="lamp television radio fan heater computer washing_machine vacuum speaker "
        "air_conditioner fireplace",
        switch="button switch knob handle dial cord",
        vessel="vase cup mug glass bathtub sink bucket jug bottle",
        liquid="water milk juice tea coffee",
        tool="cloth rag duster broom mop sponge vacuum brush towel",
    ),
    "warehouse": _theme(
        item="cube block box parcel carton bottle can crate bag cylinder ball disc tile brick "
        "ring peg letter tube roll",
        surface="pallet shelf conveyor table platform rack cart crate tray counter stand scale",
        container="box bin crate basket container locker cage drawer chute cabinet",
        openable="gate door box locker cage container cabinet drawer",
        machine="conveyor scanner lamp fan printer robot_arm lift",
        switch="button lever switch handle pedal knob latch bar",
        vessel="bucket tank can bottle",
        liquid="water oil",
        tool="broom cloth brush",
    ),
}  # fmt: skip
"""Nouns by theme and role; a role that a theme lacks has the nouns of every scene."""

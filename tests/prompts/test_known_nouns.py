"""The nouns of an instruction: which words name things, and which only look like it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.planners.unexplained import unexplained_nouns
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.known_nouns import (
    KNOWN_NOUNS,
    chinese_nouns,
    noun_phrases,
    nouns_in,
    singular,
)
from regrasp.prompts.noun_table import noun_table
from regrasp.prompts.scene import SceneDescription

THINGS = (
    "red_cube", "blue_cube", "green_apple", "mug", "wooden_cabinet", "tray", "fridge", "sink",
    "desk_lamp", "sponge", "book", "couch",
)  # fmt: skip
KITCHEN = SceneDescription(
    tuple(
        ObjectDescription(
            name, affordances=(Affordance.OPEN,) if name in ("wooden_cabinet", "fridge") else ()
        )
        for name in THINGS
    )
)
FORMS = (
    GoalForm("on", (THINGS, THINGS), "X is on Y"),
    GoalForm("powered", (THINGS,), "X has power"),
)


def missing(text: str) -> tuple[str, ...]:
    return unexplained_nouns(GoalPrompt(text, KITCHEN, FORMS)).not_in_scene


@pytest.mark.parametrize(
    "text",
    [
        "put the red cube on the tray",
        "Place the blue cube next to the mug, please.",
        "could you stack the two blocks on the tray?",
        "water the sponge",
        "can you lift the mug and box the book up",
        "hand me the cup",
        "the orange one goes on the tray",
        "put the orange cube left of the blue one",
        "light up the lamp on the desk",
        "turn the light off",
        "iron it and put it on the sofa",
        "face the cabinet and back away from the sink",
        "open the door of the cupboard",
        "close the fridge door",
        "pull the handle of the refrigerator",
        "is there anything in the top drawer of the cabinet?",
        "I'd like a piece of fruit on the tray",
        "bring the coffee mug over here",
        "give the tray a wipe with the sponge",
        "clean the sink because the dog was in it",
        "put the book away so the baby can't reach it",
        "my wife wants the mug in the sink",
        "take your time and park the mug by the sink",
        "build a tower out of the cubes",
        "my grandmother's book belongs on the couch",
        "keep an eye on the apple, it is the size of my thumb",
        "put the apple, which is as round as a ball, into the sink",
        "on the other hand, leave the middle one in its place",
        "wash the apple for the soup",
        "turn on the power of the lamp",
        "put the novel on the settee",
        "how many things are on the tray this time?",
        "stell die Tasse bitte in die Spüle",
        "nimm den grünen Apfel und leg ihn in den Kühlschrank",
        "mets la tasse dans l'évier",
        "ouvre la porte du frigo",
        "pon el libro sobre el sofá",
        "cierra la puerta del armario",
        "把苹果放进冰箱里",
        "请把书放到沙发上",
    ],
)
def test_nothing_is_missing(text: str) -> None:
    assert missing(text) == ()


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("bring me the banana", ("banana",)),
        ("put the bananas on the tray", ("banana",)),
        ("wash the strawberries in the sink", ("strawberry",)),
        ("put both knives next to the sponge", ("knife",)),
        ("is the vase on the tray?", ("vase",)),
        ("water the plant", ("plant",)),
        ("please water the plants and dust the piano", ("plant", "piano")),
        ("give me the orange", ("orange",)),
        ("put the apple and the orange on the tray", ("orange",)),
        ("bring the iron to the couch", ("iron",)),
        ("fetch a can from the fridge", ("can",)),
        ("put the mug in the dishwasher", ("dishwasher",)),
        ("turn the coffee machine off", ("coffee_machine",)),
        ("where is the remote control?", ("remote_control",)),
        ("put the washing machine on", ("washing_machine",)),
        ("feed the cat", ("cat",)),
        ("is the elephant behind the cabinet?", ("elephant",)),
        ("look for the scissors in the cabinet", ("scissors",)),
        ("bring the moon down from the sky", ("moon", "sky")),
        ("hammer the nail into the cabinet", ("nail",)),
        ("carry the blue suitcase to the bedroom", ("suitcase", "bedroom")),
        ("give the book to my grandmother", ("grandmother",)),
        ("put the guitar's strap on the couch", ("guitar",)),
        ("I want my umbrella on the tray", ("umbrella",)),
        ("slide the frying pan next to the sink", ("frying_pan",)),
        ("swap the mug for the teddy bear", ("teddy_bear",)),
        ("park the truck by the fridge", ("truck",)),
        ("put everything but the hammer into the cabinet", ("hammer",)),
        ("don't touch the candle", ("candle",)),
        ("how many eggs are in the fridge?", ("egg",)),
        ("put the cube into the microscope", ("microscope",)),
        ("stell die Vase auf das Tablett", ("vase",)),
        ("bring mir die beiden Bananen und eine Kaffeemaschine", ("banana", "coffee_maker")),
        ("mets les chaussettes dans le lave-linge", ("sock", "washing_machine")),
        ("où est la pomme de terre ?", ("potato",)),
        ("pon los plátanos en la bandeja", ("banana",)),
        ("¿dónde están los lápices?", ("pencil",)),
        ("把香蕉放到托盘上", ("banana",)),
        ("把微波炉打开", ("microwave",)),
        ("月亮在哪里？", ("moon",)),
    ],
)
def test_a_thing_that_is_not_here_is_noticed(text: str, nouns: tuple[str, ...]) -> None:
    assert missing(text) == nouns


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("place the cup on the place mat", ("cup", "place_mat")),
        ("put the banana next to the coffee machine", ("banana", "coffee_machine")),
        ("back up to the back of the box", ("box",)),
        ("box it", ()),
        ("stack the boxes", ("box",)),
        ("can you do it", ()),
        ("open the can", ("can",)),
        ("put the tin can in the trash can", ("tin_can", "trash_can")),
        ("water it", ()),
        ("pour the water into the glass", ("water", "glass")),
        ("the glass bowl", ("bowl",)),
        ("the light blue gizmo", ()),
        ("light the candle under the light", ("candle", "light")),
        ("paint a banana-shaped gizmo lemon yellow", ()),
        ("the dog bowl", ("dog", "bowl")),
        ("a cup of tea", ("cup", "tea")),
        ("Mom says you should go", ()),
        ("computer, go on", ()),
        ("leaves and shelves", ("leaf", "shelf")),
        ("it steams", ()),
        ("hold your horses", ()),
        ("put red_cube_2 on crate_1", ("cube", "crate")),
        ("", ()),
        ("42 %", ()),
    ],
)
def test_nouns_are_told_from_verbs_and_adjectives(text: str, nouns: tuple[str, ...]) -> None:
    assert nouns_in(text) == nouns


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("cubes", "cube"), ("boxes", "box"), ("knives", "knife"), ("shelves", "shelf"),
        ("tomatoes", "tomato"), ("shoes", "shoe"), ("vases", "vase"), ("berries", "berry"),
        ("cookies", "cookie"), ("mice", "mouse"), ("scissors", "scissors"), ("glass", "glass"),
        ("cactus", "cactus"), ("axes", "axe"), ("gizmos", "gizmo"), ("Cups", "cup"),
        ("buses", "bus"), ("dishes", "dishes"), ("brushes", "brush"), ("children", "child"),
    ],
)  # fmt: skip
def test_the_singular_of_a_noun(plural: str, one: str) -> None:
    assert singular(plural) == one


def test_words_stand_for_near_ones_for_kinds_and_for_owners() -> None:
    assert {"cabinet", "wardrobe", "closet", "cupboard"} <= KNOWN_NOUNS["cupboard"]
    assert {"apple", "banana"} <= KNOWN_NOUNS["fruit"]
    assert "fruit" in KNOWN_NOUNS["apple"]
    assert "banana" not in KNOWN_NOUNS["apple"]
    assert "cabinet" in KNOWN_NOUNS["door"]
    assert "door" not in KNOWN_NOUNS["cabinet"]


@pytest.mark.parametrize("word", ["thing", "object", "one", "side", "hand", "robot", "tower"])
def test_words_for_anything_are_no_nouns(word: str) -> None:
    assert word not in KNOWN_NOUNS


def test_a_phrase_has_its_place() -> None:
    cup, shelf, sink = noun_phrases("take the old cup from the shelf, then go to the sink")
    assert (cup.head, cup.adjectives, cup.preposition) == ("cup", ("old",), "")
    assert (shelf.preposition, shelf.source, shelf.describes) == ("from", True, True)
    assert (sink.preposition, sink.clause > shelf.clause) == ("to", True)


def test_chinese_words_are_found_by_substring_the_longest_first() -> None:
    assert chinese_nouns("把书桌上的书放进书架") == ("desk", "book", "bookshelf")
    assert chinese_nouns("专心一点") == ()


def test_the_table_is_whole() -> None:
    table = noun_table()
    assert len(table.meanings) >= 900
    for section in ("determined", "describing", "people", "rooms"):
        assert table.sections[section] <= table.meanings.keys()
    assert not table.sections["never"] & table.meanings.keys()
    for language in ("de", "fr", "es", "zh"):
        nouns = table.languages[language].nouns
        assert len(nouns) >= 300
        assert all(noun in table.meanings for found in nouns.values() for noun in found)


def test_an_import_reads_no_table() -> None:
    code = (
        "import regrasp.planners.understanding, regrasp.prompts.noun_table as t;"
        "print(t.noun_table.cache_info().currsize)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "0"

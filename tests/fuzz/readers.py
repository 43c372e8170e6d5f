"""Every reader of what a stranger may have written, with examples of what it reads."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
from damage import CHECKS, EPISODE, MANIFEST, NOTE, RECORDS, STATES, TRACE, healthy_run
from PIL import Image
from prompt_table import PROMPTS

import regrasp.domains
from regrasp.bench.layout import read_note
from regrasp.bench.manifest import read_manifest
from regrasp.bench.sealed_lines import SealedLines
from regrasp.bench.store import load_results
from regrasp.control.rewards import parse_rewards
from regrasp.core.goal import parse_goal
from regrasp.core.goal_description import parse_description
from regrasp.core.image_store import load_image, pixel_hash
from regrasp.core.object_description import ObjectDescription
from regrasp.core.trace import digest, read_trace
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.episodes import state_log
from regrasp.models.cassette import Cassette
from regrasp.models.language import Completion, Completions, Message, Request, Role, Usage
from regrasp.models.recorded import RecordedLanguage
from regrasp.models.reply_json import parse_reply
from regrasp.models.schema import text_mismatch
from regrasp.models.status import check_status
from regrasp.models.transport import HttpReply
from regrasp.models.vision import read_yes_no
from regrasp.models.wire import read_choices, read_facts, read_usage
from regrasp.planners.classical import plan
from regrasp.planners.recipe_book import load_recipes
from regrasp.planners.unexplained import unexplained_nouns
from regrasp.planners.unreflected import unreflected_words
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.visual_question_parser import parse_visual_question
from regrasp.view.page import write_page
from regrasp.worlds.blocks.problems import read_blocks_problem
from regrasp.worlds.recipes import load_judged_recipes
from regrasp.worlds.registry import open_world

__all__ = ["Reader", "Readers"]

PLAN_S = 0.2
RECIPES = Path(regrasp.domains.__file__).parents[1] / "recipes"
BOOK = (
    b"into: glass\nrecipes:\n  mojito: {ingredients: {rum: 50}, optional: {mint: 5}, also: [m]}\n"
)
INSTRUCTIONS = (
    b"put both cubes on the crate, then open the cabinet halfway, not the other one",
    b"stell die Tasse nicht auf den Tisch, sondern hinter den Schrank",
    "mets la tasse à côté du bol sans ouvrir le four".encode(),
    "把杯子放到桌子上，不要打开烤箱".encode(),
)  # fmt: skip
SCHEMA = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}


@dataclass(frozen=True)
class Reader:
    """A name, examples of what is read, and the function: it returns, or raises RegraspError."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], object]


class Readers:
    """All readers, on files in a folder of their own; a context manager."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.root = Path(self._stack.enter_context(TemporaryDirectory(dir=memory))) / "run"
        world = open_world("cubes", "match", 0)

        def build(name: str, task: str, seed: int) -> object:
            same = (name, task, seed) == ("cubes", "match", 0)
            return world if same else open_world("nonesuch", task, seed)

        self._stack.enter_context(patch.object(state_log, "open_world", build))
        healthy_run(self.root, 1)
        load_results(self.root)

    def __enter__(self) -> tuple[Reader, ...]:
        root = self.root
        return (
            self._file(
                "trace", TRACE, lambda: (digest(root / EPISODE), read_trace(root / EPISODE))
            ),
            self._file("page", TRACE, lambda: write_page(root / EPISODE, root / "page.html")),
            self._file("states", STATES, lambda: state_log.read_states(root / EPISODE)),
            self._file("note", NOTE, lambda: read_note(root / EPISODE)),
            self._file("manifest", MANIFEST, lambda: read_manifest(root)),
            self._file("records", RECORDS, lambda: SealedLines(root, RECORDS).read()),
            self._file("checks", CHECKS, lambda: SealedLines(root, CHECKS).read()),
            self._file("run", NOTE, lambda: load_results(root)),
            self._cassette(),
            self._picture(),
            self._recipes("recipes", "book.yaml", load_recipes),
            self._recipes("recipes of the judge", "judge.yaml", load_judged_recipes),
            self._named(
                "recipes of others",
                "judge.json",
                load_judged_recipes,
                b'{"02.01 Drink": {"ingredient": ["ice_cubes"], "liquid": ["gin"]}}',
            ),
            self._named(
                "blocks",
                "scenes.json",
                lambda path: read_blocks_problem(f"{path}#s"),
                b'{"s": {"domain": "b1 is on top of b2. b2 is on the table.", '
                b'"goal": "b2 is on top of b1."}}',
            ),
            *_texts(),
        )

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _file(self, name: str, where: str, read: Callable[[], object]) -> Reader:
        path = self.root / where
        healthy = path.read_bytes()

        def damaged(data: bytes) -> None:
            path.write_bytes(data)
            try:
                read()
            finally:
                path.write_bytes(healthy)

        return Reader(name, (healthy,), damaged)

    def _recipes(self, name: str, file: str, read: Callable[[Path], object]) -> Reader:
        return self._named(name, file, read, (RECIPES / "pizzas.yaml").read_bytes(), BOOK)

    def _named(self, name: str, file: str, read: Callable[[Path], object], *seeds: bytes) -> Reader:
        path = self.root / file

        def load(data: bytes) -> None:
            path.write_bytes(data)
            getattr(read, "__wrapped__", read)(path)

        return Reader(name, seeds, load)

    def _cassette(self) -> Reader:
        path, asked = self.root / "tape.jsonl", Request((Message(Role.USER, "?"),))
        request = {"kind": "language", **asked.canonical()}
        reply = {"items": [{"text": "yes", "finish_reason": "stop", "tokens": None}],
                 "usage": {"prompt_tokens": 1, "completion_tokens": 1, "calls": 1},
                 "latency_s": 0.1, "losses": []}  # fmt: skip
        line = {"model": "m", "draw": 0, "request": request, "reply": reply}
        tape = (json.dumps(line) + "\n").encode()

        def replay(data: bytes) -> None:
            path.write_bytes(data)
            RecordedLanguage(Cassette(path), name="m").respond(asked)

        path.write_bytes(tape)
        return Reader("cassette", (tape, tape * 2), replay)

    def _picture(self) -> Reader:
        rgb = np.full((8, 9, 3), 90, np.uint8)
        buffer = io.BytesIO()
        Image.fromarray(rgb).save(buffer, format="PNG")
        path = self.root / f"{pixel_hash(rgb)}.png"

        def load(data: bytes) -> None:
            path.write_bytes(data)
            load_image(self.root, path.stem)

        return Reader("picture", (buffer.getvalue(),), load)


def _texts() -> tuple[Reader, ...]:
    here = Path(regrasp.domains.__file__).parent
    domain = (here / "tabletop.pddl").read_text()
    known = read_domain((here / "household.pddl").read_text())
    problems = tuple(p.read_bytes() for p in sorted((here / "household_tasks").glob("*.pddl"))[:4])
    program = 'minimize_l2_distance_reward("palm", "kettle")\nset_joint_fraction_reward("microwave", 1.0)\nexecute_plan(4)'  # noqa: E501
    replies = tuple(
        Reader(f"reply to {family.name}", _encoded(family.answers), _text(family.example.parse))
        for family in PROMPTS
    )

    def read_pddl_problem(text: str) -> None:
        plan(known, read_problem(text, known), "search", PLAN_S)

    return (
        Reader("PDDL domain", (domain.encode(), _SMALL.encode()), _text(read_domain)),
        Reader("PDDL problem", problems, _text(read_pddl_problem)),
        Reader("rewards", (program.encode(),), _text(_rewards)),
        Reader("server", _served(), _server),
        Reader("schema", (b'{"a": [1, 2]}',), _text(lambda text: text_mismatch(text, SCHEMA))),
        Reader("goal", (b"on(red_cube, crate)", b"not closed(oven)"), _text(_goal)),
        Reader("question", (b"Is the red cube on the crate?",), _text(parse_visual_question)),
        Reader("instruction", INSTRUCTIONS, _text(_instruction)),
        Reader("yes or no", (b"Yes, it is.", b"Answer: no"), _text(read_yes_no)),
        *replies,
    )


def _encoded(texts: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(text.encode() for text in texts)


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "replace"))


def _rewards(text: str) -> object:
    return parse_rewards(text, objects=("kettle",), joints=("microwave",))


def _instruction(text: str) -> object:
    """What is left over of an instruction beside a goal."""
    things = tuple(map(ObjectDescription, ("cube", "crate", "cup", "table", "cabinet")))
    kinds = tuple(one.kind for one in things)
    forms = (
        GoalForm("on", (kinds, kinds), "X is on Y"),
        GoalForm("closed", (kinds,), "X is closed"),
    )
    prompt = GoalPrompt(text, SceneDescription(things), forms)
    goal = parse_description(["on(cup, table)", "then not closed(cabinet)"])
    return unexplained_nouns(prompt, goal), unreflected_words(prompt, goal)


def _goal(text: str) -> object:
    return parse_goal([text])


def _served() -> tuple[bytes, ...]:
    token = {"token": "yes", "logprob": -0.1, "top_logprobs": [{"token": "no", "logprob": -2.0}]}
    choice = {"index": 0, "message": {"role": "assistant", "content": "yes"},
              "finish_reason": "stop", "logprobs": {"content": [token]}}  # fmt: skip
    usage = {"prompt_tokens": 7, "completion_tokens": 1}
    replies = (
        {"choices": [choice, choice], "usage": usage},
        {"data": [{"id": "m", "owned_by": "vllm", "architecture": {"input_modalities": ["text"]}}]},
        {"error": {"message": "no such model", "type": "invalid"}},
    )
    return tuple(json.dumps(reply).encode() for reply in replies)


def _server(data: bytes) -> None:
    """All that is done with a reply; what is no reply of one kind may be one of another."""
    errors: list[Exception] = []
    for status in (429, 500, 404):
        _try(errors, lambda status=status: check_status(  # type: ignore[misc]
            HttpReply(status, {"retry-after": data[:40].decode("latin-1")}, data), "m", "KEY"
        ))  # fmt: skip
    value = parse_reply(data)
    for read in (read_choices, read_usage, read_facts):
        _try(errors, lambda read=read: read(value))  # type: ignore[misc]
    Completions((Completion("x"),), Usage())
    if errors:
        raise errors[0]


def _try(errors: list[Exception], act: Callable[[], object]) -> None:
    from regrasp.core.errors import RegraspError

    try:
        act()
    except RegraspError as error:
        errors.append(error)


_SMALL = """(define (domain small) (:requirements :adl) (:types thing - object place)
 (:constants table - place) (:predicates (on ?x - thing ?y - object) (clear ?y))
 (:action move :parameters (?x - thing ?to - (either thing place))
  :precondition (and (clear ?to) (not (= ?x ?to))
   (forall (?z - thing) (imply (on ?z ?x) (= ?z ?x))))
  :effect (and (on ?x ?to) (when (clear ?x) (not (clear ?to))) (forall (?y) (clear ?y)))))"""

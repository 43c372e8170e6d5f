"""Let a larger language model say our instructions in its own words, as further lessons.

    python train/language/paraphrase.py --model gguf:larger.gguf --count 2000 --out lessons.jsonl
    python train/language/paraphrase.py --model http://localhost:8080/v1#NAME ...

A paraphrase is kept if it names every object of the goal and nothing else that is listed, and is
not the sentence that it came from. With `--check MODEL` it must also be read as the same goal by
that model; those that are not are written to OUT.doubtful for a person to look at.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from regrasp.core.goal_description import GoalDescription, Selection, parse_description
from regrasp.embedded.abridge import shorten_messages
from regrasp.embedded.resolve import resolve_language
from regrasp.lab.language.instruction_examples import InstructionExample, instruction
from regrasp.lab.language.vocabulary import TRAINING_WORDS
from regrasp.models.language import LanguageModel, Message, Role
from regrasp.prompts.exchange import ask_value
from regrasp.prompts.goal import GoalPrompt

REQUEST = (
    "People tell a household robot the same thing in many ways. Rewrite the sentence in three ways "
    "in which other people would say it: other verbs, another order, longer or shorter, spoken or "
    "typed. Keep every thing that it names, and add none. One per line, no numbers, nothing else."
)


def paraphrases(model: LanguageModel, sentence: str) -> Iterator[str]:
    """What the model writes, line by line."""
    asked = (Message(Role.SYSTEM, REQUEST), Message(Role.USER, sentence))
    seed = random.Random(sentence).randrange(2**31) if model.capabilities.seed else None
    reply = model.complete(asked, temperature=0.9, max_tokens=200, seed=seed)
    for line in reply.text.splitlines():
        text = re.sub(r"^\s*(?:\d+[.)]|[-*•])\s*", "", line).strip().strip('"')
        if 2 < len(text) < 240 and text.casefold() != sentence.casefold():
            yield text


def names_the_same(text: str, sentence: str, goal: GoalDescription, prompt: GoalPrompt) -> bool:
    """Whether the paraphrase has the nouns of the goal's objects, and of no others."""
    args = [arg for clause in goal.clauses for arg in clause.args]
    used = {arg.kind if isinstance(arg, Selection) else arg.lstrip("?") for arg in args}
    used |= {f.of for arg in args if isinstance(arg, Selection) for f in arg.filters if f.of}
    spoken = text.lower().replace("_", " ")
    for thing in prompt.scene.objects:
        noun = thing.name.split("_")[-1] if not thing.name[-1].isdigit() else thing.kind
        was = noun in sentence.lower().replace("_", " ")
        if was != (noun in spoken):
            return False
        if thing.name in used and not was:
            return False
    return True


def lesson(prompt: GoalPrompt, answer: str) -> str:
    """The line that train.py reads."""
    contents = [message.content for message in shorten_messages(prompt.messages())]
    return json.dumps(["goal", contents, answer], ensure_ascii=False)


def draws(rng: random.Random) -> Iterator[tuple[InstructionExample, GoalDescription]]:
    """Instructions with a goal, without end."""
    while True:
        made = instruction(rng, TRAINING_WORDS)
        if made.answer.startswith("Goal:") and made.prompt.instruction.isascii():
            yield made, parse_description(made.answer.splitlines()[1:])


def main() -> None:
    """Write the lessons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="any language model that regrasp takes")
    parser.add_argument("--check", default="", help="a model that must read the same goal")
    parser.add_argument("--count", type=int, default=1000, help="sentences to rewrite")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    writer = resolve_language(given.model)
    reader = resolve_language(given.check) if given.check else None
    rng = random.Random(f"paraphrases {given.seed}")
    with (
        given.out.open("w", encoding="utf-8") as out,
        Path(f"{given.out}.doubtful").open("w", encoding="utf-8") as doubtful,
    ):
        for _, (made, goal) in zip(range(given.count), draws(rng), strict=False):
            said = made.prompt.instruction
            for text in paraphrases(writer, said):
                prompt = GoalPrompt(text, made.prompt.scene, made.prompt.forms)
                if not names_the_same(text, said, goal, made.prompt):
                    continue
                same = reader is None or ask_value(reader, prompt) == goal
                (out if same else doubtful).write(lesson(prompt, made.answer) + "\n")


if __name__ == "__main__":
    main()

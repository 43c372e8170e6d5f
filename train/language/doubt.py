"""What the robot would do with instructions that were written to find misreadings.

    python train/language/doubt.py --llm embedded --vlm oracle [--without] [--mistakes]

`doubt.json` has 160 instructions for all worlds, written by somebody who had seen neither the
sixty of `regrasp bench language` nor the lessons. With the first 100 the words of
`prompts/operator_words.txt` were found; the other 60 were written afterwards. With `--without`, a
goal need not reflect those words, as before.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from regrasp.bench.unprepared import Result, examine, read_unprepared
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.vision import vision_factory
from regrasp.methods import reading
from regrasp.planners import understanding

FILE = Path(__file__).with_name("doubt.json")


def main() -> None:
    """Read every instruction and print the table of results by part."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--llm", default="embedded")
    options.add_argument("--vlm", default="oracle")
    options.add_argument("--without", action="store_true")
    options.add_argument("--mistakes", action="store_true")
    given = options.parse_args()
    if given.without:
        understanding.unreflected_words = lambda prompt, goal: ()
        reading._kept_is_true = lambda goal, scene: goal
    text = FILE.read_text("utf-8")
    language, vision = resolve_language(given.llm), vision_factory(given.vlm)
    table: dict[str, Counter[Result]] = {}
    for row, asked in zip(json.loads(text), read_unprepared(text), strict=True):
        done = examine(asked, language, vision)
        table.setdefault(f"{row['part']}, {asked.expect}", Counter())[done.result] += 1
        if given.mistakes and done.result not in (Result.RIGHT, Result.REFUSED):
            print(f"{asked.world}: {asked.say}\n  {done.result}: {done.words}")
    for name, found in table.items():
        listed = ", ".join(f"{count} {result}" for result, count in found.most_common())
        print(f"{name}: {found.total()}: {listed}")


if __name__ == "__main__":
    main()

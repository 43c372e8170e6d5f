"""Every family of prompts keeps the same promises."""

from __future__ import annotations

import random
import re
from dataclasses import is_dataclass
from pathlib import Path

import pytest
from gbnf_sampler import Sampler
from prompt_pages import pages, write_pages
from prompt_table import PROMPTS, PromptFamily

from regrasp.models.language import Role
from regrasp.prompts.parsing import ParseError
from regrasp.prompts.prompt import without_examples
from regrasp.prompts.why import WORDINGS, why_prompts

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "prompts"
SEEDS = HERE.parents[2] / "shared" / "seeds"
PAPERS = {
    "REPLAN": "000_1ae7bcc0a24e1c7d.txt",
    "DoReMi": "003_7eda3f5305f5e6d3.txt",
    "CoPAL": "002_133149ee105b31c5.txt",
    "IALP": "004_71f9a74ab007677a.txt",
}
FAMILIES = pytest.mark.parametrize("family", PROMPTS, ids=lambda family: family.name)


def test_every_figure_of_the_appendix_is_covered() -> None:
    figures = {family.figure for family in PROMPTS}
    assert {f"B.{i}" for i in range(1, 19)} <= figures


@FAMILIES
def test_rendering_is_golden(family: PromptFamily, update_golden: bool) -> None:
    text = "\n".join(f"[{m.role}]\n{m.content}\n" for m in family.example.messages())
    path = HERE / "golden" / f"{family.name}.txt"
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_all_six_wordings_are_golden(update_golden: bool) -> None:
    asked = why_prompts("Open the oven", ("oven", "broom", "tray"))
    text = "\n".join(prompt.render() for prompt in asked) + "\n"
    path = HERE / "golden" / "why_wordings.txt"
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
    assert len(set(text.split("\n"))) == len(WORDINGS) + 1 == 7


@FAMILIES
def test_the_docs_page_is_up_to_date(family: PromptFamily, update_golden: bool) -> None:
    if update_golden:
        write_pages(DOCS)
    name = f"{family.name}.md"
    assert (DOCS / name).read_text(encoding="utf-8") == pages()[name], (
        "run: python tests/prompts/prompt_pages.py docs/prompts"
    )


def test_the_docs_index_is_up_to_date() -> None:
    assert (DOCS / "README.md").read_text(encoding="utf-8") == pages()["README.md"]
    assert {path.name for path in DOCS.glob("*.md")} == set(pages())


@FAMILIES
def test_a_prompt_is_a_frozen_value_with_a_head_and_a_text(family: PromptFamily) -> None:
    assert is_dataclass(family.example)
    system, *_, user = family.example.messages()
    assert (system.role, user.role) == (Role.SYSTEM, Role.USER)
    assert re.fullmatch(r"Task: [a-z ]+", f"Task: {family.example.purpose}")
    assert system.content == family.example.HEAD
    asked = [family.example.ASK] if family.example.ASK else []
    assert user.content == "\n".join((family.example.render(), *(f"To answer: {a}" for a in asked)))
    assert user.content.strip() == user.content


@FAMILIES
def test_examples_are_turns_that_the_parser_reads(family: PromptFamily) -> None:
    shown = family.example.messages()[1:-1]
    assert [m.role for m in shown] == [Role.USER, Role.ASSISTANT] * (len(shown) // 2)
    assert all(m.content.startswith("An example:\n") for m in shown[::2])
    assert without_examples(family.example.messages()) == (
        family.example.messages()[0],
        family.example.messages()[-1],
    )


@FAMILIES
def test_example_answers_are_read(family: PromptFamily) -> None:
    for reply in family.answers:
        assert not isinstance(family.example.parse(reply), ParseError), reply


@FAMILIES
def test_answers_are_read_through_chatter(family: PromptFamily) -> None:
    for reply in family.answers:
        expected = family.example.parse(reply)
        if family.name in ("why", "ask_vision"):
            continue  # free text: chatter is part of the answer
        for noisy in (
            f"  {reply}  ",
            f"{reply}\n",
            f"{reply}\n\nI hope that this helps.",
            reply + "\r\n",
        ):
            assert family.example.parse(noisy) == expected, noisy


@FAMILIES
def test_whatever_the_grammar_allows_is_read(family: PromptFamily) -> None:
    grammar = family.example.grammar()
    if grammar is None:
        pytest.skip("free text")
    sampler = Sampler(grammar, random.Random(family.name))
    for _ in range(200):
        text = sampler.sample()
        result = family.example.parse(text)
        if isinstance(result, ParseError):
            assert family.name == "rewards" and "two things" in result.hint, (text, result)


@FAMILIES
def test_no_sentence_of_the_paper_is_copied(family: PromptFamily) -> None:
    if family.paper not in PAPERS:
        pytest.skip("no paper has this prompt")
    seed = SEEDS / PAPERS[family.paper]
    if not seed.exists():
        pytest.skip("the seed is not on this machine")
    paper = re.sub(r"[\W_]+", " ", seed.read_text(encoding="utf-8").lower()).split()
    eights = {tuple(paper[i : i + 8]) for i in range(len(paper) - 7)}
    ours = re.sub(r"[\W_]+", " ", family.example.HEAD.lower()).split()
    copied = [ours[i : i + 8] for i in range(len(ours) - 7) if tuple(ours[i : i + 8]) in eights]
    assert not copied

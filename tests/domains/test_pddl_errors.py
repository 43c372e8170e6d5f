"""Whatever is wrong with a PDDL file, there is one error, and it says where and what to do.

The files are made from good ones by mutation. `‸` marks where the error must be reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regrasp.domains
from regrasp.core.errors import RegraspError
from regrasp.domains.household import household_domain
from regrasp.domains.pddl_read import PddlError, load_domain, read_domain, read_problem
from regrasp.domains.pddl_text import MAX_CHARACTERS, MAX_DEPTH

HERE = Path(regrasp.domains.__file__).parent


def _code(path: Path) -> str:
    return re.sub(";[^\n]*", "", path.read_text(encoding="utf-8"))


DOMAIN = _code(HERE / "household.pddl")
PROBLEM = _code(HERE / "household_tasks" / "boil-water.pddl")
FIRST_ACTION = DOMAIN.index("(:action")

Case = tuple[str, str, str]
"""What is wrong, the text with its mark, a word that the error must hold."""


def swapped(text: str, old: str, new: str) -> str:
    assert old in text, old
    return text.replace(old, new, 1)


def spliced(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def misspelt(word: str) -> str:
    return word[:2] + "z" + word[2:]


def truncated(text: str) -> Iterator[Case]:
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    for end in ends[1 : -1 : len(ends) // 8]:
        yield f"cut off after {end} characters", text[:end] + "‸", "missing"


def without_a_parenthesis(text: str) -> Iterator[Case]:
    for section in re.finditer(r"\(:", text):
        before = text.rindex(")", 0, section.start())
        kept = spliced(text, section.start(), section.start(), "‸")
        yield (
            f"no ) before {text[section.start() :][:20]!r}",
            spliced(kept, before, before + 1, " "),
            "missing before",
        )


def with_a_parenthesis_more(text: str) -> Iterator[Case]:
    for section in list(re.finditer(r"\(:", text))[1::4]:
        more = spliced(text, section.start(), section.start(), ")‸")
        yield f"a ) too many before {section.start()}", more, "too many"
    yield "a ) too many at the end", f"{text.rstrip()}‸)", "too many"


def of_unknown_types(text: str) -> Iterator[Case]:
    for use in list(re.finditer(r"- (\w+)", text)):
        if use[1] != "object":
            wrong = spliced(text, use.start(1), use.end(1), "‸" + misspelt(use[1]))
            yield f"type {use[1]} misspelt at {use.start()}", wrong, f"Did you mean '{use[1]}'"


def of_unknown_predicates() -> Iterator[Case]:
    declared = DOMAIN.index("(:predicates"), FIRST_ACTION
    names = re.findall(r"\((\w+)", DOMAIN[slice(*declared)])
    uses = list(re.finditer(rf"\(({'|'.join(names)})[ )]", DOMAIN[FIRST_ACTION:]))
    for use in uses[::4]:
        start, end = (FIRST_ACTION + at for at in use.span(1))
        wrong = spliced(DOMAIN, start, end, "‸" + misspelt(use[1]))
        yield f"predicate {use[1]} misspelt at {start}", wrong, f"Did you mean '{use[1]}'"


def of_wrong_arity() -> Iterator[Case]:
    for use in list(re.finditer(r"\((inview|inhand|closed|filled) \?\w+\)", DOMAIN))[4::5]:
        less, more = f"‸({use[1]})", f"‸({use[1]} ?x ?x)"
        if use.start() > FIRST_ACTION:
            yield f"{use[1]} without a term", spliced(DOMAIN, *use.span(), less), "takes 1 term"
            yield f"{use[1]} with two", spliced(DOMAIN, *use.span(), more), "takes 1 term"


def of_unbound_variables() -> Iterator[Case]:
    uses = list(re.finditer(r"\((?:inview|inhand|closed|filled|inside|ontop) (\?\w+)", DOMAIN))
    for use in [use for use in uses if use.start() > FIRST_ACTION][::4]:
        wrong = spliced(DOMAIN, *use.span(1), "‸?nobody")
        yield f"unbound variable at {use.start()}", wrong, "bound nowhere"


def of_things_named_like_types() -> Iterator[Case]:
    for name in [t.name for t in household_domain().types][::3]:
        wrong = swapped(PROBLEM, "mug - vessel", f"mug - vessel ‸{name} - item")
        yield f"an object called {name}", wrong, "is a type"


def of_repeated_sections(text: str) -> Iterator[Case]:
    for name in re.findall(r"\((:(?!action|domain)\w+)", text):
        again = swapped(text.rstrip(), f"({name}", f"({name}) (‸{name}")
        yield f"{name} twice", again, "already"


DOMAIN_EDITS: tuple[tuple[str, str, str], ...] = (
    # types
    ("thing room", "thing - ‸nothing room", "unknown type 'nothing'"),
    ("thing room liquid - object", "‸thing - vessel room liquid - object", "cycle"),
    ("movable place - thing", "‸movable - movable place - thing", "cycle"),
    ("appliance - receptacle", "‸appliance - oven_like oven_like - appliance", "cycle"),
    ("appliance - receptacle", "appliance - receptacle ‸appliance - place", "already declared"),
    ("thing room", "‸object thing room", "predefined"),
    ("movable place - thing", "movable place - (either ‸thing room)", "only one parent type"),
    ("movable place - thing", "movable place - ‸(or thing)", "(either TYPE TYPE"),
    ("(:types", "(:types ‸-", "before it"),
    ("microwave_oven baking_oven - appliance", "microwave_oven ‸-", "after it"),
    ("thing room", "‸?thing room", "cannot be the name of a type"),
    # predicates
    ("(handempty)", "(handempty) (‸handempty)", "already declared"),
    ("(handempty)", "(handempty) ‸()", "expected a predicate"),
    ("(handempty)", "‸handempty", "in parentheses"),
    ("(handempty)", "(‸forall)", "is a keyword of PDDL"),
    ("(inview ?x - thing)", "(inview ‸x - thing)", "begin with '?'"),
    ("(inside ?x - item ?c", "(inside ?x - item ‸?x", "already declared"),
    # requirements and sections
    (":adl", "‸::adl", "no meaning"),
    (":adl", "‸:strip", "Did you mean ':strips'"),
    (":adl", ":adl ‸:fluents", "not supported"),
    (":adl", ":adl ‸:action-costs", "not supported"),
    (":adl", "‸(:adl)", "found '('"),
    ("(:types", "(‸:type", "Did you mean ':types'"),
    ("(:types", "(‸:functions (total-cost)) (:types", "not supported"),
    ("(:types", "‸stray (:types", "in parentheses"),
    ("(:types", "(‸) (:types", "unknown section"),
    ("(:types", "(‸:init) (:types", "in a domain"),
    ("(define", "‸(defin", "expected (define"),
    ("(define (domain household)", "(define ‸(problem household)", "swapped"),
    ("(define (domain household)", "(define ‸(domain)", "expected (domain NAME)"),
    ("(define (domain household)", "(define (domain ‸(household))", "name of a domain"),
    # actions
    ("(:action find", "(:action ‸?find", "cannot be the name of an action"),
    ("(:action find", "(:action‸)(:action find", "needs a name"),
    ("(:action close", "(:action ‸open", "already declared"),
    ("(:action find\n    :parameters (?x - thing)", "(:action ‸find", "no :parameters"),
    ("(:action open\n", "(:action ‸nothing :parameters ()) (:action open\n", "no :effect"),
    (":precondition (and (inview ?r) (closed ?r))", "‸:precond ()", "Did you mean ':precondition'"),
    (
        ":precondition (and (inview ?r) (closed ?r))",
        ":precondition ‸:precondition ()",
        "expected '('",
    ),
    (":effect (not (closed ?r))", ":effect () ‸:effect ()", "twice"),
    (":effect (not (closed ?r))", ":effect‸", "expected '('"),
    (":parameters (?x - thing)", ":parameters ‸?x", "expected '('"),
    (":parameters (?r - receptacle)", ":parameters (?r ‸?r - receptacle)", "already declared"),
    # conditions and effects
    ("(and (inview ?r) (closed ?r))", "(and (inview ?r) ‸closed)", "in parentheses"),
    ("(and (inview ?r) (closed ?r))", "(‸(inview ?r) (closed ?r))", "needs 'and'"),
    ("(and (inview ?r) (closed ?r))", "(and (not (‸inhnd)))", "Did you mean 'inhand'"),
    ("(and (inview ?r) (closed ?r))", "‸(not (inview ?r) (closed ?r))", "takes 1 part"),
    ("(and (inview ?r) (closed ?r))", "‸(imply (closed ?r))", "takes 2 parts"),
    ("(and (inview ?r) (closed ?r))", "‸(when (inview ?r) (closed ?r))", "write 'imply'"),
    ("(and (inview ?r) (closed ?r))", "‸(= ?r)", "takes 2 parts"),
    ("(and (inview ?r) (closed ?r))", "(= ?r ‸cabinet)", "unknown object 'cabinet'"),
    ("(and (inview ?r) (closed ?r))", "(forall ‸?q (closed ?r))", "list of variables"),
    ("(and (inview ?r) (closed ?r))", "(exists (‸?r - thing) (closed ?r))", "another name"),
    ("(and (inview ?r) (closed ?r))", "(inview ‸(closed ?r))", "found '('"),
    ("(and (inview ?r) (closed ?r))", "(ontop ‸?r ?r)", "takes movable"),
    ("(halved ?x)))", "(closed ‸?x)))", "takes receptacle"),
    ("(halved ?x)))", "‸(or (halved ?x))))", "is not allowed in an effect"),
    ("(halved ?x)))", "‸(exists (?y) (halved ?x))))", "is not allowed in an effect"),
    ("(halved ?x)))", "(when (halved ?x) ‸halved)))", "in parentheses"),
    ("(halved ?x)))", "(not ‸(and (halved ?x)))))", "a single fact"),
    (
        "(inview ?x)\n                 (forall",
        "(inside ‸?x ?x)\n                 (forall",
        "takes item",
    ),
)

PROBLEM_EDITS: tuple[tuple[str, str, str], ...] = (
    ("(:domain household)", "(:domain ‸kitchen)", "of the domain 'kitchen'"),
    ("(:domain household)", "‸(:domain)", "takes one part"),
    ("(problem boil-water)\n  (:domain household)", "(problem ‸boil-water)", "no (:domain"),
    ("(:goal (cooked water))", "‸(:goal)", "takes one part"),
    ("(:goal (cooked water))", "‸(:goal (cooked water) (hot pie))", "takes one part"),
    ("(:goal (cooked water))", "(:goal (cooked ‸?w))", "bound nowhere"),
    ("(:goal (cooked water))", "(:goal (cooked ‸watr))", "Did you mean 'water'"),
    ("(:goal (cooked water))", "(:goal (cooked ‸mug))", "takes edible or liquid"),
    ("(:goal (cooked water))", "(:goal (cooked water)) (‸:metric minimize)", "not supported"),
    ("water - liquid", "water ‸mug - liquid", "already declared"),
    ("water - liquid", "water - (either ‸liquid room)", "only one type"),
    ("water - liquid", "‸?water - liquid", "cannot be the name of an object"),
    ("water - liquid", "water - liquid ‸(mug)", "found '('"),
    ("(handempty)", "‸(not (handempty))", "leave out the (not"),
    ("(handempty)", "‸(= mug mug)", "list of facts"),
    ("(handempty)", "‸(and (handempty))", "list of facts"),
    ("(handempty)", "‸handempty", "in parentheses"),
    ("(handempty)", "(‸handfull)", "Did you mean"),
    ("(closed cabinet)", "(closed ‸cabnet)", "Did you mean 'cabinet'"),
    ("(closed cabinet)", "(closed ‸mug)", "mug is of type vessel"),
    ("(closed cabinet)", "‸(closed cabinet mug)", "takes 1 term"),
    ("(inside mug cabinet)", "(inside ‸cabinet mug)", "cabinet is of type receptacle"),
    ("(insource sink water)", "(insource ‸water sink)", "takes basin"),
    ("(define (problem boil-water)", "(define ‸(domain boil-water)", "swapped"),
    ("(:init", "(:init ‸{", "no meaning"),
    ("(:init", "(:init ‸\"mug\"", "no meaning"),
    ("(:init", "(:init ‸é", "no meaning"),
    ("(:init", "(‸:start", "unknown section"),
)  # fmt: skip


def _edited(text: str, edits: tuple[tuple[str, str, str], ...]) -> Iterator[Case]:
    for old, new, said in edits:
        yield f"{old[:30]!r} → {new[:40]!r}", swapped(text, old, new), said


DOMAIN_CASES: tuple[Case, ...] = (
    *truncated(DOMAIN),
    *without_a_parenthesis(DOMAIN),
    *with_a_parenthesis_more(DOMAIN),
    *of_unknown_types(DOMAIN),
    *of_unknown_predicates(),
    *of_wrong_arity(),
    *of_unbound_variables(),
    *of_repeated_sections(DOMAIN),
    *_edited(DOMAIN, DOMAIN_EDITS),
    ("an empty file", "‸", "empty"),
    ("only a comment", "‸; nothing\n", "empty"),
    ("a word", "‸hello", "expected '(define'"),
    ("nested too deep", "(" * MAX_DEPTH + "‸(", "deeper"),
    ("too long", "‸" + " " * (MAX_CHARACTERS + 1), "at most"),
)
PROBLEM_CASES: tuple[Case, ...] = (
    *truncated(PROBLEM),
    *without_a_parenthesis(PROBLEM),
    *with_a_parenthesis_more(PROBLEM),
    *of_unknown_types(PROBLEM),
    *of_things_named_like_types(),
    *of_repeated_sections(PROBLEM),
    *_edited(PROBLEM, PROBLEM_EDITS),
    (
        "no goal",
        swapped(PROBLEM, "(:goal (cooked water))", "").replace("(problem ", "(problem ‸"),
        "no (:goal",
    ),
)


def test_there_are_well_over_a_hundred() -> None:
    texts = {text for _, text, _ in (*DOMAIN_CASES, *PROBLEM_CASES)}
    assert len(texts) >= 200


def _check(error: PddlError, marked: str, said: str) -> None:
    before, mark, _ = marked.partition("‸")
    if mark:
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        assert (error.line, error.column) == (line, column), str(error)
    assert said in error.problem, str(error)
    assert error.problem.rstrip().endswith((".", "?", ")")) and "\n" not in str(error)
    assert str(error).startswith(f"file.pddl, line {error.line}, column {error.column}: ")


@pytest.mark.parametrize(("what", "text", "said"), DOMAIN_CASES, ids=[c[0] for c in DOMAIN_CASES])
def test_a_malformed_domain_gives_one_error_at_its_place(what: str, text: str, said: str) -> None:
    with pytest.raises(PddlError) as caught:
        read_domain(text.replace("‸", ""), "file.pddl")
    _check(caught.value, text, said)


@pytest.mark.parametrize(("what", "text", "said"), PROBLEM_CASES, ids=[c[0] for c in PROBLEM_CASES])
def test_a_malformed_problem_gives_one_error_at_its_place(what: str, text: str, said: str) -> None:
    with pytest.raises(PddlError) as caught:
        read_problem(text.replace("‸", ""), household_domain(), "file.pddl")
    _check(caught.value, text, said)


def test_the_error_says_what_would_be_right() -> None:
    text = DOMAIN.replace("?s - surface", "?s - surfase", 1)
    with pytest.raises(PddlError) as caught:
        read_domain(text, "house.pddl")
    line = text[: text.index("surfase")].count("\n") + 1
    assert str(caught.value).startswith(f"house.pddl, line {line}, column ")
    assert "unknown type 'surfase'. Did you mean 'surface'? Valid: appliance, " in str(caught.value)


def test_files_that_cannot_be_read_are_errors_too(tmp_path: Path) -> None:
    with pytest.raises(RegraspError, match=r"cannot read .*none\.pddl"):
        load_domain(tmp_path / "none.pddl")
    latin = tmp_path / "latin.pddl"
    latin.write_bytes(b"(define (domain x)\n ; caf\xe9\n)")
    with pytest.raises(PddlError, match=r"latin\.pddl, line 2, column 7: .*UTF-8"):
        load_domain(latin)


PIECES = (*"()?-:=;\n", "", "?x", "thing", "either", "forall", "when", "not", ":action", "(and")


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + draw(st.sampled_from(PIECES)) + text[stop:]
    return text


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_text_gives_a_value_or_such_an_error(data: st.DataObject) -> None:
    try:
        read_domain(data.draw(mutated(DOMAIN)))
        read_problem(data.draw(mutated(PROBLEM)), household_domain())
    except PddlError as error:
        assert error.line >= 1 and error.column >= 1 and error.problem

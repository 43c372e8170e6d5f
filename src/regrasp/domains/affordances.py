"""A planning domain for any robot, made from what its objects allow and which skills it offers.

`affordances.pddl` has every action over roles (pickable, openable, ...). The kinds of the robot's
objects become the PDDL types, and each role is assigned to the types whose objects allow its use.
Actions whose skill the robot lacks are left out, and so is everything that no object allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from regrasp.core.action import Action, EffectTiming
from regrasp.core.fact import Fact, State
from regrasp.core.feedback import FailureCode
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.domains.domain import ROOT, Domain, Type
from regrasp.domains.formula import Parameter
from regrasp.domains.hand_words import HANDEMPTY, HOLDING, ON
from regrasp.domains.lexicon import Access, Lexicon, PredicateWords
from regrasp.domains.pddl_formula import WORDS
from regrasp.domains.pddl_read import load_domain, read_effects
from regrasp.domains.pddl_write import write_effects
from regrasp.domains.roles import RoleAssignment
from regrasp.domains.skill_domain import SkillCall, SkillDomain
from regrasp.prompts.text import plain_name
from regrasp.prompts.visual_question import ObjectQuestion

__all__ = ["affordance_domain"]

_SKILLS = {
    "find_in": SkillCall("open", (1,)),
    "place_on": SkillCall("place"),
    "stack_on": SkillCall("place"),
    "weigh_down": SkillCall("place"),
    "place_in": SkillCall("place"),
}

_PHRASES = {
    "open": "open the {0}",
    "find_in": "open the {1} to find the {0}",
    "close": "close the {0}",
    "pull": "pull the {0}",
    "press": "press the {0}",
    "pick": "pick up the {0}",
    "place_on": "put the {0} on the {1}",
    "stack_on": "put the {0} on the {1}",
    "weigh_down": "put the {0} on the {1}",
    "place_in": "put the {0} into the {1}",
    "move_away": "move the {0} away from the {1}",
}

_WAITS = ("rest", "stand")
"""Skills without arguments during which the robot changes nothing."""

_DENIALS = {
    FailureCode.DROPPED: ("holding",),
    FailureCode.NOT_GRASPED: ("holding",),
    FailureCode.RESISTED: ("unlocked",),
}

_SUSPECTS = {
    FailureCode.RESISTED: ("closed", "blocking"),
    FailureCode.UNREACHED: ("visible", "on", "inside"),
    FailureCode.NOT_GRASPED: ("visible", "on", "inside"),
}

_DESCRIBED = ("visible", "closed", "on", "inside", "blocking")

_LET_GO = "(when (holding ?a) (handempty)) (not (holding ?a))"

_ON_NOTHING_ELSE = """(forall (?s - (either wide narrow plate stackable))
  (when (not (= ?s ?b)) (not (on ?a ?s))))"""

_IN_NOTHING_ELSE = "(forall (?c - container) (when (not (= ?c ?b)) (not (inside ?a ?c))))"

_ENTRIES = (
    replace(
        HOLDING,
        if_yes="""(and (holding ?a) (not (handempty))
          (forall (?z - pickable) (when (not (= ?z ?a)) (not (holding ?z))))
          (forall (?s - (either wide narrow plate stackable)) (not (on ?a ?s)))
          (forall (?c - container) (not (inside ?a ?c)))
          (forall (?y - (either openable shuttable)) (not (blocking ?a ?y))))""",
        if_no=f"(and {_LET_GO})",
    ),
    replace(HANDEMPTY, if_yes="(and (handempty) (forall (?z - pickable) (not (holding ?z))))"),
    replace(
        ON,
        if_yes=f"""(and (on ?a ?b) {_LET_GO} {_ON_NOTHING_ELSE}
          (forall (?c - container) (not (inside ?a ?c))))""",
    ),
    PredicateWords(
        "inside",
        Access.SEEN,
        "{a} is {not}inside {b}",
        (
            ObjectQuestion.INSIDE,
            "Does the {b} contain the {a}?",
            "Has the {a} been put into the {b}?",
        ),
        if_yes=f"""(and (inside ?a ?b) {_LET_GO} {_IN_NOTHING_ELSE}
          (forall (?s - (either wide narrow plate stackable)) (not (on ?a ?s))))""",
    ),
    PredicateWords(
        "closed",
        Access.SEEN,
        "{a} is {not}closed",
        (ObjectQuestion.CLOSED, "Is the {a} shut?", "Has the {a} been closed?"),
        (ObjectQuestion.OPEN, "Has the {a} been opened?", "Does the {a} stand open?"),
        if_no="(and (not (closed ?a)) (unlocked ?a))",
    ),
    PredicateWords(
        "visible",
        Access.SEEN,
        "{a} is {not}in sight",
        (ObjectQuestion.SEEN, "Can you see the {a}?", "Is the {a} visible?"),
        if_no="""(and (not (visible ?a)) (forall (?y - (either openable shuttable))
          (when (not (closed ?y)) (searched ?a ?y))))""",
        moves=False,
    ),
    PredicateWords(
        "blocking",
        Access.SEEN,
        "{a} is {not}blocking {b}",
        (
            ObjectQuestion.BLOCKING,
            "Is the {a} in the way of the {b}?",
            "Does the {a} obstruct the {b}?",
        ),
    ),
    PredicateWords(
        "unlocked",
        Access.GROUNDED,
        "{a} is {not}unlocked",
        ("Is the {a} unlocked?",),
        ("Is the {a} locked?",),
        moves=False,
    ),
    PredicateWords(
        "searched",
        Access.ASSUMED,
        "{b} has {not}been searched for {a}",
        ("Has the {b} been searched for the {a}?",),
        moves=False,
    ),
    PredicateWords(
        "pulled",
        Access.ASSUMED,
        "{a} has {not}been pulled",
        ("Has the {a} been pulled?",),
    ),
    PredicateWords(
        "pressed",
        Access.ASSUMED,
        "{a} has {not}been pressed",
        ("Has the {a} been pressed?",),
    ),
)


def affordance_domain(
    known: Iterable[ObjectDescription],
    skills: Iterable[str],
    timing: Mapping[str, EffectTiming] | None = None,
) -> SkillDomain:
    """The domain of a robot with these objects and with skills of these names.

    `timing` gives the stages of each skill at which its effects happen.
    """
    objects, offered = tuple(known), frozenset(skills)
    template = _template()
    naming = _Naming.of(objects)
    roles = {role.name: naming.playing(role.name) for role in template.types}
    actions = {schema.name for schema in template.actions if _skill(schema.name) in offered}
    assignment = RoleAssignment.of(template, roles)
    domain = assignment.domain(template, naming.types, actions)
    # If no object can unlock, a door is never believed to be locked: something must block it.
    if not any(
        e.positive and e.atom.predicate == "unlocked" for a in domain.actions for e in a.effects
    ):
        assignment = RoleAssignment.of(template, roles, ("unlocked",))
        domain = assignment.domain(template, naming.types, actions)
    predicates = {one.name for one in domain.predicates}
    entries = (_entry(one, template, assignment) for one in _ENTRIES if one.predicate in predicates)
    made = {schema.name for schema in domain.actions}
    return SkillDomain(
        Lexicon(domain, tuple(entries)),
        kinds=naming.kinds,
        init=_init(objects, predicates),
        timing={name: stages for name in made if (stages := (timing or {}).get(_skill(name)))},
        skills={name: call for name, call in _SKILLS.items() if name in made},
        denied_by=_among(_DENIALS, predicates),
        felt_predicates=frozenset({"unlocked"} & predicates),
        wait_action=next((Action(name) for name in _WAITS if name in offered), None),
        initial_predicates=tuple(one for one in _DESCRIBED if one in predicates),
        types=naming.by_name,
        phrases={name: phrase for name, phrase in _PHRASES.items() if name in made},
        suspects=_among(_SUSPECTS, predicates),
    )


def _skill(action: str) -> str:
    """The robot's skill for an action."""
    return _SKILLS.get(action, SkillCall(action)).name


@cache
def _template() -> Domain:
    return load_domain(Path(__file__).parent / "affordances.pddl")


def _init(objects: Iterable[ObjectDescription], predicates: set[str]) -> State:
    """The hand is empty; what opens is closed until it is seen, unlocked until it is felt."""
    doors = [one.name for one in objects if one.allows(Affordance.OPEN)]
    assumed = [name for name in ("closed", "unlocked") if name in predicates]
    return frozenset({Fact("handempty"), *(Fact.of(p, d) for p in assumed for d in doors)})


def _entry(entry: PredicateWords, template: Domain, assignment: RoleAssignment) -> PredicateWords:
    """The entry with its effects over the types of the objects."""
    takes = template.predicate(entry.predicate).parameters
    over_roles = tuple(
        Parameter(f"?{place}", one.types) for place, one in zip("ab", takes, strict=False)
    )
    bound = {one.name: assignment.parameter(one).types for one in over_roles}

    def specialised(text: str) -> str:
        if not text:
            return ""
        effects = read_effects(text, template, over_roles, f"affordances, {entry.predicate}")
        return write_effects(assignment.effects(effects, bound))

    return replace(entry, if_yes=specialised(entry.if_yes), if_no=specialised(entry.if_no))


def _among(
    table: Mapping[FailureCode, tuple[str, ...]], predicates: set[str]
) -> Mapping[FailureCode, tuple[str, ...]]:
    """The table without predicates that the domain does not have."""
    kept = {code: tuple(n for n in names if n in predicates) for code, names in table.items()}
    return {code: names for code, names in kept.items() if names}


def _roles(one: ObjectDescription) -> Iterator[str]:
    """The roles of an object."""
    picked, opens, holds = (
        use in one.affordances for use in (Affordance.PICK, Affordance.OPEN, Affordance.PUT_IN)
    )
    if picked:
        yield "pickable"
    if opens:
        yield "openable"
    if holds:
        yield "container"
    if opens and holds:
        yield "shuttable"
    if Affordance.PUT_ON in one.affordances and picked:
        yield "stackable"
    elif Affordance.PUT_ON in one.affordances and one.pressed_by_weight:
        yield "plate"
    elif Affordance.PUT_ON in one.affordances:
        yield "narrow" if one.takes_one else "wide"
    if Affordance.PULL in one.affordances:
        yield "puller"
    if Affordance.PRESS in one.affordances:
        yield "presser"


@dataclass(frozen=True, slots=True)
class _Naming:
    """The types of objects: one for each kind, with subtypes where its objects differ."""

    types: tuple[Type, ...]
    kinds: Mapping[str, str]
    by_name: Mapping[str, str]
    roles: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, objects: tuple[ObjectDescription, ...]) -> _Naming:
        """The types of these objects. No type has the name of an object, as PDDL requires."""
        taken = {ROOT, *WORDS, *(one.name.lower() for one in objects)}
        types: list[Type] = []
        kinds: dict[str, str] = {}
        by_name: dict[str, str] = {}
        roles: dict[str, tuple[str, ...]] = {}
        for kind in dict.fromkeys(one.kind for one in objects):
            kinds[kind] = _free_name(plain_name(kind) or "thing", taken)
            types.append(Type(kinds[kind]))
            same = [one for one in objects if one.kind == kind]
            variants = dict.fromkeys(tuple(_roles(one)) for one in same)
            for variant in variants:
                leaf = kinds[kind]
                if len(variants) > 1:
                    leaf = _free_name(f"{kinds[kind]}_to_{'_'.join(variant) or 'see'}", taken)
                    types.append(Type(leaf, kinds[kind]))
                    by_name |= {one.name: leaf for one in same if tuple(_roles(one)) == variant}
                roles[leaf] = variant
        return cls(tuple(types), kinds, by_name, roles)

    def playing(self, role: str) -> tuple[str, ...]:
        """The types whose objects have a role."""
        return tuple(name for name, played in self.roles.items() if role in played)


def _free_name(wanted: str, taken: set[str]) -> str:
    """The name, with `_kind` and a number if it is taken; the result is then taken."""
    names = (f"{wanted}_kind{number or ''}" for number in range(len(taken) + 1))
    name = next(one for one in (wanted, *names) if one not in taken)
    taken.add(name)
    return name

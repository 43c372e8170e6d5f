"""One clause of an instruction: its goal and the objects of it."""

from __future__ import annotations

import re

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.goals import GoalKind, RuleGoal, relation_in, verb_in
from regrasp.embedded.rules.words import SceneLexicon, phrases
from regrasp.prompts.names import Mention, Names
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["read_clause", "spoken_of", "use_of"]

_SAME = re.compile(
    r"\b(?:same|match\w*|identical|equal|alike|shares?|(?:size|shape|colou?r) is that|"
    r"its own (?:size|shape|colou?r))\b",
    re.I,
)
_ATTRIBUTE = re.compile(r"\b(?:colou?r\w*|size|shape|material)\b", re.I)
_NEGATED = re.compile(r"\b(?:do not|don't|never(?! mind)|avoid|must not|should not)\b", re.I)
_FROM_TO = re.compile(r"\bfrom\b.*\b(?:to|onto|into)\b", re.I)
_HOLDS = re.compile(r"\b(?:contains?|holds?|have|has|carry)\b", re.I)
_OF_PLACES = (
    GoalKind.OPEN,
    GoalKind.CLOSE,
    GoalKind.UNLOCK,
    GoalKind.ROOM,
    GoalKind.CLEAR,
    GoalKind.LOOK,
)
_TO_PLACES = (GoalKind.PUT_IN, GoalKind.PUT_ON, GoalKind.PUT_BY, GoalKind.REMOVE)
_OF_THINGS = (GoalKind.PUT_IN, GoalKind.REMOVE, GoalKind.PICK)
_USES = {Affordance.PULL: Verb.PULL, Affordance.PRESS: Verb.PRESS, Affordance.TURN: Verb.TURN}


def use_of(name: str, words: SceneLexicon) -> Step | None:
    """The step that operates a lever, button or knob; None for anything else."""
    thing = words.scene.owner(name)
    can = [c for c in _USES if thing is not None and c in thing.affordances]
    return Step(_USES[can[0]], name) if can else None


def read_clause(
    clause: str, words: SceneLexicon, before: RuleGoal | None, earlier: str = ""
) -> RuleGoal | str:
    """The goal of a clause, or what is unclear about it.

    `before` is the goal of the clause before it and `earlier` the text so far: they resolve "it".
    """
    if _NEGATED.search(clause):
        return f"I do not know what to do when told what not to do: '{clause}'"
    verb = verb_in(clause)
    if verb is None:
        return f"no verb that I know in '{clause}'"
    wants, start, end = verb
    if wants is GoalKind.FIND:
        return _find(clause[end:], words, before, f"{earlier} {clause[:start]}")
    blanked = clause[:start] + "the".ljust(end - start)[: end - start] + clause[end:]
    refs = _merged(words.refs(blanked), clause, words)
    alike = _likeness(clause, refs, words)
    if alike is not None:
        return alike
    it = re.search(r"\b(?:it|them)\b", clause)
    if before is not None and it is not None:
        refs = _with_pronoun(refs, before, it, wants, words)
    there = re.search(r"\b(?:in |on |up )?there\b", clause)
    if before is not None and before.place and there is not None and len(refs) == 1:
        refs = (*refs, Mention(before.place, there.end(), there.end()))
    if not refs:
        return f"I do not know which object '{clause[end:].strip()}' speaks of"
    if len(refs) == 1 and wants in _OF_THINGS:
        named = _unseen(clause[end : refs[0].start], words)
        relation = relation_in(clause[end : refs[0].start], last=True)
        if named and relation is not None and relation in _TO_PLACES:
            fitting = _fitting(relation, refs[0].name, words)
            return RuleGoal(fitting, named, words.owner(refs[0].name))
    return _related(wants, clause, refs, words)


def spoken_of(clause: str, words: SceneLexicon) -> RuleGoal | None:
    """The objects of a clause without a goal, so that the next clause can use "it" and "there"."""
    names = [ref.name for ref in words.refs(clause)]
    thing = next((name for name in names if words.can(name, Affordance.PICK)), "")
    place = next((words.owner(name) for name in names if name != thing), "")
    return RuleGoal(GoalKind.LOOK, thing, place) if thing or place else None


def _find(rest: str, words: SceneLexicon, before: RuleGoal | None, earlier: str) -> RuleGoal | str:
    phrase = re.split(r"\b(?:for me|please|which|that|somewhere|anywhere|and)\b|[,.?!]", rest)[0]
    phrase = re.split(r"\s(?:in|inside|around|near|on)\s", f" {phrase.strip()} ")[0].strip()
    phrase = re.sub(r"^me\b\s*", "", phrase)
    if Names.normal(phrase) in ("", "it", "them"):
        if before is not None:
            return before
        mentioned = [
            p
            for p, start, _ in phrases(earlier)
            if re.search(r"\b(?:an?|the)\s+$", earlier[:start])
        ]
        if not mentioned:
            return "I do not know what to find"
        phrase = re.sub(r"\s+(?:anywhere|somewhere)$", "", mentioned[-1])
    meant = words.meaning(phrase)
    if len(meant) > 1:
        return f"'{phrase}' may be any of {', '.join(meant)}"
    return RuleGoal(GoalKind.FIND, meant[0] if meant else Names.normal(phrase))


def _unseen(text: str, words: SceneLexicon) -> str:
    """The name of an object that is mentioned before a place and that the scene does not list."""
    mentioned = [phrase for phrase, _, _ in phrases(text)]
    known = any(words.meaning(phrase) for phrase in mentioned)
    vague = re.search(r"\b(?:everything|all|anything|things|stuff|it|them)\b", text, re.I)
    return Names.normal(mentioned[0]) if mentioned and not known and not vague else ""


def _merged(refs: tuple[Mention, ...], clause: str, words: SceneLexicon) -> tuple[Mention, ...]:
    """`refs` with a part and its object merged into one ("the spot inside the chest")."""
    kept: list[Mention] = []
    for ref in refs:
        if not kept or words.owner(kept[-1].name) != words.owner(ref.name):
            kept.append(ref)
            continue
        relates = relation_in(clause[kept[-1].end : ref.start]) is not None
        start = ref.start if relates else kept[-1].start  # the relation must stay outside
        kept[-1] = Mention(words.owner(ref.name), start, ref.end)
    return tuple(kept)


def _with_pronoun(
    refs: tuple[Mention, ...],
    before: RuleGoal,
    it: re.Match[str],
    wants: GoalKind,
    words: SceneLexicon,
) -> tuple[Mention, ...]:
    """`refs` with "it" resolved: to the place, for a verb or a partner that takes a place."""
    if len(refs) > 1:
        return refs
    place = wants in _OF_PLACES or any(words.can(ref.name, Affordance.PICK) for ref in refs)
    thing = str(before.thing)
    name = (before.place or thing) if place else (thing or before.place)
    if not name or any(ref.name == name for ref in refs):
        return refs
    both = (*refs, Mention(name, it.start(), it.end()))
    return tuple(sorted(both, key=lambda ref: ref.start))


def _likeness(clause: str, refs: tuple[Mention, ...], words: SceneLexicon) -> RuleGoal | None:
    """The goal of `the cube with the same colour as the crate on the crate`, in any word order."""
    if not _SAME.search(clause):
        return None
    kinds = {o.kind.lower() for o in words.scene.objects if Affordance.PICK in o.affordances}
    tokens = re.findall(r"[a-z]+", clause.lower())
    kind = next((k for w in tokens for k in (w, w.removesuffix("s")) if k in kinds), "")
    lines = [(ref, words.scene.owner(ref.name)) for ref in refs]
    places = [ref for ref, line in lines if line is None or line.kind.lower() != kind]
    if not kind or not places:
        return None
    found = _ATTRIBUTE.search(clause)
    attribute = found[0].lower() if found and not found[0].lower().startswith("colo") else "colour"
    target = places[-1]
    relation = relation_in(clause[: target.start][-24:], last=True) or GoalKind.PUT_ON
    like = Likeness(kind, attribute, words.owner(places[0].name))
    return RuleGoal(_fitting(relation, target.name, words), like, words.owner(target.name))


def _fitting(wants: GoalKind, place: str, words: SceneLexicon) -> GoalKind:
    """In or on, whichever the place allows: an object that is put *in* a stand lies *on* it."""
    holds, bears = words.can(place, Affordance.PUT_IN), words.can(place, Affordance.PUT_ON)
    if wants is GoalKind.PUT_IN and not holds:
        return GoalKind.PUT_ON if bears else GoalKind.PUT_BY
    return GoalKind.PUT_IN if wants is GoalKind.PUT_ON and holds and not bears else wants


def _related(
    wants: GoalKind, clause: str, refs: tuple[Mention, ...], words: SceneLexicon
) -> RuleGoal | str:
    first, second = refs[0], refs[-1]
    if wants in _OF_PLACES:
        front = re.search(r"\bin front of\b|\bunblock\b|\bway\b", clause, re.I)
        stands = words.can(second.name, Affordance.PUT_IN, Affordance.PUT_ON)
        rid = re.search(r"\b(?:of|from)\b", clause[first.end : second.start], re.I)  # free A from B
        if wants is GoalKind.CLEAR and rid and words.can(second.name, Affordance.PICK):
            return RuleGoal(GoalKind.REMOVE, second.name, words.owner(first.name))
        if wants is GoalKind.CLEAR and (front or not stands):
            wants = GoalKind.ROOM
        return RuleGoal(
            wants, place=words.owner((second if wants is GoalKind.ROOM else first).name)
        )
    if wants is GoalKind.GO:
        return RuleGoal(GoalKind.GO, place=words.owner(first.name))
    if wants is GoalKind.USE and use_of(first.name, words) is not None:
        return RuleGoal(GoalKind.USE, first.name)
    if len(refs) == 1:
        return _alone(wants, clause, first.name, words)
    between = clause[first.end : second.start]
    if len(refs) > 2 and _FROM_TO.search(between):
        between = clause[refs[-2].end : second.start]  # its present place is not the goal
    relation = relation_in(between)
    if relation is None and relation_in(clause[: first.start]) is not None:
        relation = relation_in(clause[: first.start])  # "into the chest put the ball"
        first, second = second, first
    elif relation is None and _HOLDS.search(between):
        relation = GoalKind.PUT_IN  # "the chest should contain the ball"
        first, second = second, first
    if relation is None:
        return f"I do not see how {first.name} and {second.name} should relate"
    if relation in (GoalKind.PUT_IN, GoalKind.PUT_ON):
        relation = _fitting(relation, second.name, words)
    elif relation is GoalKind.ROOM:
        relation = GoalKind.AWAY if wants is GoalKind.REMOVE else GoalKind.PUT_BY
    place = second.name if relation is GoalKind.AWAY else words.owner(second.name)
    return RuleGoal(relation, words.owner(first.name), place)


def _alone(wants: GoalKind, clause: str, name: str, words: SceneLexicon) -> RuleGoal | str:
    """A goal about one object only."""
    if not words.can(name, Affordance.PICK):
        opens = wants is GoalKind.USE and words.can(name, Affordance.OPEN)
        return (
            RuleGoal(GoalKind.OPEN, place=words.owner(name)) if opens else f"I cannot move {name}"
        )
    if wants is GoalKind.PICK:
        return RuleGoal(GoalKind.PICK, name)
    if wants is GoalKind.REMOVE or re.search(r"\b(?:out of the way|aside|off)\b", clause, re.I):
        return RuleGoal(GoalKind.REMOVE, name)
    holders = words.scene.that_can(Affordance.PUT_IN)
    if wants is GoalKind.PUT_IN and re.search(r"\baway\b|\bstow|\bstash|\bstor", clause, re.I):
        if len(holders) == 1:
            return RuleGoal(GoalKind.PUT_IN, name, holders[0])
        return f"I do not know where {name} should go: {', '.join(holders) or 'nothing holds it'}"
    return f"I do not know what to do with {name}"

"""Random domains of mobile manipulators, for the lessons of IALP's prompt for the next action.

A robot may have to go to a thing, look for it, adjust its arm, open what the thing is in, prepare
it or free its hand before it can take it. Which of these it has to do, what they need and what they
undo is drawn anew for each world, and so are the names of types, predicates, actions and objects.
None of the words of our own apartment names an object.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from regrasp.domains.domain import Domain, Object
from regrasp.domains.pddl_read import read_domain
from regrasp.lab.language.vocabulary import Words

__all__ = ["NextActionWorld", "make_next_action_world"]

_COINED = 0.35
"""How often a predicate or an action has an invented name."""

_APARTMENT_WORDS = frozenset(
    (
        "paper", "box", "pill", "blue", "jacket", "book", "bucket", "wooden", "table", "black",
        "white", "hanger", "cloth", "drawer", "bookshelf", "shelf", "door", "person",
    )
)  # fmt: skip
"""No object of a lesson has one of these in its name: the apartment is for measuring alone."""

_NAMES: Mapping[str, tuple[str, ...]] = {
    "on": ("on", "on", "on_top", "lies_on", "placed_on", "stands_on"),
    "in": ("in", "in", "inside", "stored_in", "within"),
    "holding": ("holding", "holding", "held", "grasped", "carrying", "in_hand"),
    "opened": ("opened", "open", "is_open", "unlocked"),
    "at": ("at", "at", "robot_at", "near_to", "next_to", "arrived"),
    "known": ("find", "known", "located", "mapped", "place_known"),
    "seen": ("detected", "seen", "in_view", "visible", "recognised", "spotted"),
    "near": ("reachable", "in_reach", "within_reach", "arm_ready", "aligned"),
    "ready": ("graspable", "has_grasp", "can_grip", "grip_found", "takeable"),
    "room": ("placeable", "has_room", "free_spot", "spot_found", "clear"),
    "hand": ("hand_empty", "gripper_free", "hand_free", "arm_empty"),
    "has": ("has", "received", "given_to", "handed_to"),
    "running": ("running", "switched_on", "active", "powered", "lit"),
    "fit": ("clean", "warm", "tagged", "unlatched", "dusted", "charged", "weighed", "unwrapped"),
    "move": ("move", "move", "go_to", "navigate", "drive_to", "walk_to", "approach", "travel"),
    "scan": ("scan", "scan", "look_for", "search", "detect", "inspect", "observe"),
    "adjust": ("adjust", "adjust", "align", "reposition", "prepare_arm", "shift_base"),
    "grasp": ("grasp", "grasp", "pick", "take", "grab", "pick_up", "fetch"),
    "place": ("place", "place", "put", "put_on", "set_down", "drop_on", "unload"),
    "insert": ("insert", "insert", "slide_in", "put_up", "push_into", "file_in"),
    "stow": ("stow_in", "put_in", "pack", "place_in", "store", "drop_in"),
    "pull": ("pull", "pull", "pull_open", "open", "draw_open", "slide_open"),
    "close": ("close", "shut", "push_shut", "lock"),
    "give": ("give", "hand_over", "pass_to", "offer"),
    "press": ("press", "turn_on", "switch_on", "start_up", "push_button"),
    "prepare": ("clean_off", "wipe", "unlatch", "tag", "charge", "unwrap", "weigh", "warm_up"),
    "lift": ("lift", "lift", "raise", "hold_up"),
    "item": ("item", "item", "ware", "movable", "good", "thing_to_carry"),
    "surface": ("surface", "surface", "support", "stand_place", "top"),
    "rack": ("shelf_place", "rack_place", "slot", "level", "niche"),
    "container": ("container", "container", "storage", "holder", "closed_place"),
    "human": ("human", "user", "resident", "recipient"),
    "device": ("device", "machine", "appliance", "fixture"),
    "thing": ("thing", "thing", "entity", "target"),
}
_EXAM_NAMES: Mapping[str, tuple[str, ...]] = {
    "on": ("resting_upon", "atop"),
    "in": ("enclosed_by", "contained"),
    "holding": ("clutching", "in_gripper"),
    "opened": ("unsealed", "ajar"),
    "at": ("parked_by", "standing_before"),
    "known": ("whereabouts_known", "on_map"),
    "seen": ("identified", "perceived"),
    "near": ("arm_in_range", "accessible"),
    "ready": ("pickable", "grip_planned"),
    "room": ("vacant", "accepts"),
    "hand": ("palm_empty", "unburdened"),
    "has": ("owns", "served_with"),
    "running": ("humming", "operating"),
    "fit": ("polished", "labelled"),
    "move": ("head_to", "travel_to", "proceed"),
    "scan": ("examine", "survey", "locate"),
    "adjust": ("fine_tune", "recentre"),
    "grasp": ("seize", "collect", "clutch"),
    "place": ("deposit", "rest_on", "set_upon"),
    "insert": ("tuck_in", "slot_in"),
    "stow": ("stow", "enclose"),
    "pull": ("swing_open", "unseal"),
    "close": ("swing_shut", "seal"),
    "give": ("present_to", "deliver"),
    "press": ("activate", "power_up"),
    "prepare": ("polish", "label"),
    "lift": ("hoist", "elevate"),
}
_PEOPLE = ("visitor", "guest", "nurse", "neighbour", "customer", "colleague", "teacher", "girl")
_EXAM_PEOPLE = ("librarian", "uncle", "tourist")


@dataclass(frozen=True)
class NextActionWorld:
    """A domain with its objects; `name` has the names of predicates and types by their role."""

    domain: Domain
    objects: tuple[Object, ...]
    name: Mapping[str, str]
    roles: frozenset[str]

    def of(self, role: str) -> tuple[str, ...]:
        """The objects of a type."""
        return tuple(one.name for one in self.objects if one.type == self.name[role])


def make_next_action_world(
    words: Words, rng: random.Random, held_out: bool = False
) -> NextActionWorld:
    """A world with its own domain, names and objects."""
    return _Builder(words, rng, held_out).made()


@dataclass
class _Builder:
    """Draws what the robot can do and must do, then the names, then the objects."""

    words: Words
    rng: random.Random
    held_out: bool
    taken: set[str] = field(default_factory=set)

    def made(self) -> NextActionWorld:
        """The world."""
        self._draw()
        name = {role: self._name(role) for role in _NAMES}
        domain = read_domain(self._domain(name))
        objects = tuple(Object(one, name[role]) for role, one in self._objects())
        return NextActionWorld(domain, objects, name, self._roles())

    def _draw(self) -> None:
        rng = self.rng
        self.moves = rng.random() < 0.93
        self.maps = self.moves and rng.random() < 0.6
        self.scans = rng.random() < 0.7
        self.adjusts = rng.random() < 0.65
        self.judges = self.adjusts and rng.random() < 0.7
        self.forgets = rng.random() < 0.75
        self.empties = rng.random() < 0.45
        self.racks = rng.random() < 0.35
        self.boxes = rng.random() < 0.5
        self.handles = self.boxes and rng.random() < 0.55
        self.closes = self.boxes and rng.random() < 0.35
        self.stows = self.boxes and rng.random() < 0.6
        self.people = rng.random() < 0.35
        self.gives = self.people and rng.random() < 0.5
        self.devices = rng.random() < 0.3
        self.lifts = rng.random() < 0.4
        self.prepares = rng.choice(("grasp", "place", "pull")) if rng.random() < 0.35 else ""
        if self.prepares == "pull" and not self.boxes:
            self.prepares = "grasp"

    def _roles(self) -> frozenset[str]:
        have = {
            "at": self.moves, "known": self.maps, "seen": self.scans, "near": self.adjusts,
            "ready": self.judges, "room": self.judges, "hand": self.empties, "rack": self.racks,
            "opened": self.boxes, "in": self.boxes, "container": self.boxes, "stow": self.stows,
            "close": self.closes, "human": self.people, "has": self.gives, "device": self.devices,
            "fit": bool(self.prepares), "handle": self.handles,
        }  # fmt: skip
        return frozenset(role for role, there in have.items() if there)

    def _name(self, role: str) -> str:
        """A name that nothing else has."""
        while True:
            names = _EXAM_NAMES.get(role, _NAMES[role]) if self.held_out else _NAMES[role]
            coined = self.rng.random() < _COINED
            name = self.words.coined(self.rng) if coined else self.rng.choice(names)
            if name in self.taken:
                name = f"{name}_{self.words.coined(self.rng)}"
            if name not in self.taken and name not in _APARTMENT_WORDS | {"object", "either"}:
                self.taken.add(name)
                return name

    # ---- objects -------------------------------------------------------------------------------

    def _objects(self) -> list[tuple[str, str]]:
        rng, words = self.rng, self.words
        counts = {
            "item": rng.choice((1, 1, 1, 2, 2, 3)), "surface": rng.choice((1, 1, 2, 2, 3)),
            "rack": int(self.racks), "container": rng.choice((1, 1, 2)) * self.boxes,
            "human": int(self.people), "device": rng.choice((1, 1, 2)) * self.devices,
        }  # fmt: skip
        nouns = {
            "item": words.things, "surface": words.stands, "rack": words.stands,
            "container": words.places, "device": words.switches,
            "human": _EXAM_PEOPLE if self.held_out else _PEOPLE,
        }  # fmt: skip
        found = [(role, self._object(nouns[role])) for role, n in counts.items() for _ in range(n)]
        if rng.random() < 0.7:
            rng.shuffle(found)
        return found

    def _object(self, nouns: tuple[str, ...]) -> str:
        while True:
            name = self.words.name(self.rng, self.words.noun(self.rng, nouns))
            if name not in self.taken and not _APARTMENT_WORDS & set(name.split("_")):
                self.taken.add(name)
                return name

    # ---- the domain ----------------------------------------------------------------------------

    def _domain(self, n: Mapping[str, str]) -> str:
        rng = self.rng
        kinds = ["item", "surface"]
        for role, there in (("rack", self.racks), ("container", self.boxes),
                            ("human", self.people), ("device", self.devices)):  # fmt: skip
            kinds += [role] * there
        supports = _either(n[one] for one in ("surface", "rack") if one in kinds)
        places = _either(n[one] for one in ("surface", "rack", "container") if one in kinds)
        graspable = _either([n["item"], *([n["container"]] if self.handles else [])])
        thing = n["thing"]
        declared = [
            f"({n['on']} ?o - {n['item']} ?p - {supports})",
            f"({n['holding']} ?o - {graspable})",
        ]
        for role, there, takes in (
            ("at", self.moves, thing), ("known", self.maps, thing), ("seen", self.scans, thing),
            ("near", self.adjusts, thing), ("ready", self.judges, graspable),
            ("room", self.judges, places), ("opened", self.boxes, n["container"]),
            ("running", self.devices, n["device"]), ("fit", bool(self.prepares), thing),
        ):  # fmt: skip
            if there:
                declared.append(f"({n[role]} ?o - {takes})")
        if self.boxes:
            declared.append(f"({n['in']} ?o - {n['item']} ?p - {n['container']})")
        if self.empties:
            declared.append(f"({n['hand']})")
        if self.gives:
            declared.append(f"({n['has']} ?h - {n['human']} ?o - {n['item']})")
        actions = self._actions(n, supports, places, graspable)
        rng.shuffle(actions)
        types = " ".join(n[one] for one in kinds)
        named = self.words.coined(rng)
        return (
            f"(define (domain {named}) (:types {types} - {thing} {thing} - object)"
            f" (:predicates {' '.join(declared)}) {' '.join(actions)})"
        )

    def _there(self, n: Mapping[str, str], what: str, *, ready: str = "") -> list[str]:
        """What must be true of a thing before a hand does something with it."""
        found = []
        if self.moves:
            found.append(f"({n['at']} {what})")
        if self.scans and (ready != "room" or self.scan_places):
            found.append(f"({n['seen']} {what})")
        if self.adjusts:
            found.append(f"({n['near']} {what})")
        if self.judges and ready:
            found.append(f"({n[ready]} {what})")
        return found

    def _actions(
        self, n: Mapping[str, str], supports: str, places: str, graspable: str
    ) -> list[str]:
        rng, made = self.rng, list[str]()
        self.scan_places = rng.random() < 0.5
        free = [f"({n['hand']})"] if self.empties else []
        full = [f"(not ({n['hand']}))"] if self.empties else []
        thing, item, box = n["thing"], n["item"], n["container"]
        shut_in = f"(forall (?d - {box}) (imply ({n['in']} ?o ?d) ({n['opened']} ?d)))"
        if self.moves:
            made.append(self._move(n))
        if self.scans:
            needs = [f"(not ({n['seen']} ?o))"]
            if self.moves and rng.random() < 0.85:
                needs.insert(0, f"({n['at']} ?o)")
            if self.boxes and rng.random() < 0.7:
                needs.append(
                    f"(forall (?i - {item}) (forall (?d - {box}) (imply (and (= ?i ?o)"
                    f" ({n['in']} ?i ?d)) ({n['opened']} ?d))))"
                )
            made.append(_action(n["scan"], f"?o - {thing}", needs, [f"({n['seen']} ?o)"]))
        if self.adjusts:
            made.append(self._adjust(n, places, graspable))
        prepared = {one: [f"({n['fit']} ?o)"] if self.prepares == one else []
                    for one in ("grasp", "place", "pull")}  # fmt: skip
        grasp_needs = [*self._there(n, "?o", ready="ready"), f"(not ({n['holding']} ?o))", *free]
        gone = f"(forall (?s - {supports}) (not ({n['on']} ?i ?s)))"
        if self.boxes:
            grasp_needs.append(shut_in)
            gone += f" (forall (?d - {box}) (not ({n['in']} ?i ?d)))"
        lifted = f"(forall (?i - {item}) (when (= ?i ?o) (and {gone})))"
        made.append(
            _action(n["grasp"], f"?o - {graspable}", [*grasp_needs, *prepared["grasp"]],
                    [f"({n['holding']} ?o)", *full, lifted])
        )  # fmt: skip
        for role, kind, where in (("place", "surface", "on"), ("insert", "rack", "on"),
                                  ("stow", "container", "in")):  # fmt: skip
            if (role == "insert" and not self.racks) or (role == "stow" and not self.stows):
                continue
            needs = [*self._there(n, "?p", ready="room"), f"({n['holding']} ?o)"]
            needs += [f"({n['opened']} ?p)"] if role == "stow" else prepared["place"]
            makes = [f"({n[where]} ?o ?p)", f"(not ({n['holding']} ?o))", *free]
            made.append(_action(n[role], f"?o - {item} ?p - {n[kind]}", needs, makes))
        if self.boxes:
            shut = f"(not ({n['opened']} ?o))"
            needs = [f"({n['holding']} ?o)"] if self.handles else [*self._there(n, "?o"), *free]
            makes = [f"({n['opened']} ?o)"]
            makes += [f"(not ({n['holding']} ?o))", *free] if self.handles else []
            made.append(_action(n["pull"], f"?o - {box}", [*needs, shut, *prepared["pull"]], makes))
        if self.closes:
            needs = [*self._there(n, "?o"), f"({n['opened']} ?o)"]
            made.append(_action(n["close"], f"?o - {box}", needs, [f"(not ({n['opened']} ?o))"]))
        if self.gives:
            needs = [f"({n['holding']} ?o)"]
            needs += [f"({n['at']} ?h)"] if self.moves else []
            makes = [f"({n['has']} ?h ?o)", f"(not ({n['holding']} ?o))", *free]
            made.append(_action(n["give"], f"?o - {item} ?h - {n['human']}", needs, makes))
        if self.devices:
            needs = [*self._there(n, "?o"), f"(not ({n['running']} ?o))"]
            made.append(_action(n["press"], f"?o - {n['device']}", needs, [f"({n['running']} ?o)"]))
        if self.lifts:
            held = f"({n['holding']} ?o)"
            made.append(_action(n["lift"], f"?o - {item}", [held], [held]))
        if self.prepares:
            needs = [f"({n['at']} ?o)"] if self.moves and rng.random() < 0.6 else []
            needs += free if rng.random() < 0.3 and self.prepares != "place" else []
            made.append(_action(n["prepare"], f"?o - {thing}", needs, [f"({n['fit']} ?o)"]))
        return made

    def _move(self, n: Mapping[str, str]) -> str:
        needs = [f"({n['known']} ?o)"] if self.maps else []
        needs.append(f"(not ({n['at']} ?o))")
        if self.handles:
            needs.append(f"(forall (?d - {n['container']}) (not ({n['holding']} ?d)))")
        lost = [f"(not ({n['at']} ?x))"]
        if self.forgets:
            lost += [f"(not ({n['seen']} ?x))"] if self.scans else []
            lost += [f"(not ({n['near']} ?x))"] if self.adjusts else []
        left = f"(forall (?x - {n['thing']}) (when (not (= ?x ?o)) (and {' '.join(lost)})))"
        return _action(n["move"], f"?o - {n['thing']}", needs, [f"({n['at']} ?o)", left])

    def _adjust(self, n: Mapping[str, str], places: str, graspable: str) -> str:
        needs = [f"({n['at']} ?o)"] if self.moves else []
        needs += [f"({n['seen']} ?o)"] if self.scans and self.rng.random() < 0.8 else []
        makes = [f"({n['near']} ?o)"]
        lacks = [f"(not ({n['near']} ?o))"]
        if self.judges:
            for role, kinds in (("ready", graspable), ("room", places)):
                lacks.append(f"(exists (?x - {kinds}) (and (= ?x ?o) (not ({n[role]} ?x))))")
                makes.append(f"(forall (?x - {kinds}) (when (= ?x ?o) ({n[role]} ?x)))")
        needs.append(f"(or {' '.join(lacks)})" if len(lacks) > 1 else lacks[0])
        return _action(n["adjust"], f"?o - {n['thing']}", needs, makes)


def _action(name: str, takes: str, needs: Iterable[str], makes: Iterable[str]) -> str:
    wanted = " ".join(needs)
    condition = f" :precondition (and {wanted})" if wanted else ""
    return f"(:action {name} :parameters ({takes}){condition} :effect (and {' '.join(makes)}))"


def _either(kinds: Iterable[str]) -> str:
    listed = list(kinds)
    return listed[0] if len(listed) == 1 else f"(either {' '.join(listed)})"

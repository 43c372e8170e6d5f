"""Answer a question about the scene in one sentence, by what is seen."""

from __future__ import annotations

from regrasp.perception.seen_scene import ObservedScene
from regrasp.planners.goal_grounding import GroundedQuestion

__all__ = ["answer_question"]


def answer_question(question: GroundedQuestion, scene: ObservedScene) -> str | None:
    """The answer, or None if it cannot be seen."""
    names = [name.replace("_", " ") for name in question.names]
    match question.kind:
        case "count":
            return f"{len(names)}."
        case "which":
            return f"The {' and the '.join(names)}." if names else "None."
        case "colour":
            colours = [scene.colour(name) for name in question.names]
            said = [f"The {n} is {c}." for n, c in zip(names, colours, strict=True) if c]
            return " ".join(said) if len(said) == len(names) else None
        case "where":
            places = [scene.place_of(name) for name in question.names]
            said = [
                f"The {name} is {'in' if place.fact.predicate in ('in', 'inside') else 'on'} the "
                f"{place.fact.args[1].replace('_', ' ')}."
                for name, place in zip(names, places, strict=True)
                if place is not None
            ]
            return " ".join(said) if len(said) == len(names) else None
        case _:
            truths = [scene.holds(literal) for literal in question.literals]
            if None in truths:
                return "No." if False in truths else None
            return "Yes." if all(truths) else "No."

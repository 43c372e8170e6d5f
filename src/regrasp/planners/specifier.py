"""CoPAL's specifier: a language model says what a request comes to, with recipes as a tool."""

from __future__ import annotations

from dataclasses import dataclass, field

from regrasp.core.errors import UnknownNameError
from regrasp.models.language import LanguageModel
from regrasp.planners.recipe_book import RecipeBook
from regrasp.prompts.command_line import FailedCommand
from regrasp.prompts.exchange import ask
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.recipe import Recipe
from regrasp.prompts.specify import Specification, SpecifyPrompt

__all__ = ["Specifier"]

_MOST_TOKENS = 1000
_MOST_LOOK_UPS = 2


@dataclass(slots=True)
class Specifier:
    """Asks `model`; `book` answers what it looks up. The last recipe stays on the table."""

    model: LanguageModel
    objects: tuple[tuple[str, str], ...]
    book: RecipeBook
    recipe: Recipe | None = field(default=None, init=False)

    def specify(
        self,
        request: str,
        facts: tuple[str, ...],
        wanted: tuple[str, ...] = (),
        done: tuple[str, ...] = (),
        failures: tuple[FailedCommand, ...] = (),
    ) -> Specification | Declined:
        """Goal, objects, state and the steps left, or why the request cannot be carried out."""
        for _ in range(_MOST_LOOK_UPS + 1):
            prompt = SpecifyPrompt(
                request,
                self.objects,
                facts,
                wanted,
                self.book.titles(name for name, _ in self.objects),
                self.recipe.name if self.recipe else "",
                self.recipe.lines() if self.recipe else (),
                done,
                failures,
            )
            result = ask(self.model, prompt, max_tokens=_MOST_TOKENS).result
            if isinstance(result, ParseError):
                return Declined(f"the plan could not be read: {result.hint}")
            if isinstance(result, Declined) or not result.look_up:
                return result
            try:
                self.recipe = self.book.look_up(result.look_up)
            except UnknownNameError as error:
                guess = f" The closest is {error.closest}." if error.closest else ""
                return Declined(f"I know no recipe for {result.look_up}.{guess}")
        return Declined(f"{request}: it looked up one recipe after the other")

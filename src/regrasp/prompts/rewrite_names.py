"""Rewrite a sentence with the names that the robot knows (REPLAN, figure B.11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.grammar import CANNOT, choice, grammar
from regrasp.prompts.names import Names
from regrasp.prompts.parsing import Declined, Line, ParseError, declined, labelled
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.sections import layout, titled
from regrasp.prompts.text import listing, one_line, quoted

__all__ = ["RewriteNamesPrompt"]


@dataclass(frozen=True, slots=True)
class RewriteNamesPrompt(Prompt[str]):
    """Ask for `sentence` with every object called by the nearest of `names`."""

    HEAD: ClassVar[str] = f"""Task: rewrite names
A camera described the scene in one sentence, but may have called objects by wrong names. Write the
same sentence with each object called by the listed name that comes nearest to what was meant.
Change nothing else and add nothing.
{QUOTES}
Answer in this form: "Sentence: …". If nothing listed can be meant, answer "Cannot: " and why."""

    sentence: str
    names: tuple[str, ...]

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            titled("Names", listing(self.names)), titled("Sentence", quoted(self.sentence))
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        if not self.names:
            return grammar(CANNOT)
        rules = {
            "name": choice(self.names),
            "words": """([A-Za-z0-9,'-]{1,20} " "){0,12}""",
            "rest": """(" " [A-Za-z0-9,'-]{1,20}){1,8}""",
        }
        more = '([,;]? " " words name){0,3} ([,;]? rest)?'
        return grammar(f'"Sentence: " words name {more} "." | {CANNOT}', rules)

    def read(self, text: str) -> str | Declined | ParseError:
        """See `Prompt.read`."""
        names = Names(self.names)
        sentence = next((line for line in labelled(text, "Sentence") if line.text), None)
        if sentence is None:
            if cannot := declined(text):
                return cannot
            lines = [line.strip() for line in text.split("\n") if line.strip()]
            if len(lines) != 1:
                return ParseError.whole(text, "Write one line: 'Sentence: ' and the sentence.")
            sentence = Line(lines[0], text.index(lines[0]))
        if foreign := names.foreign(sentence.text):
            return names.unknown(text, Line(foreign.text, sentence.start + foreign.start))
        if not names.mentions(sentence.text):
            return names.unknown(text, sentence)
        return one_line(sentence.text).strip('"')

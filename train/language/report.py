"""The tables of the card, out of the replies that `examine.py` wrote."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path


def table(rows: list[dict[str, object]]) -> str:
    """Per part and family: questions; read, right and word for word under the grammar, read and
    right without it, in percent; calibration error under the grammar.
    """
    groups: dict[tuple[str, str], list[dict[str, object]]] = defaultdict(list)
    for row in rows:
        groups[str(row["part"]), str(row["family"])].append(row)
        groups[str(row["part"]), "all"].append(row)
    keys = ("parsed", "right", "exact", "parsed_freely", "right_freely")
    shown = "read | right | word for word | read freely | right freely"
    lines = [f"| part | family | questions | {shown} | calibration error |", "|---" * 9 + "|"]
    for (part, family), found in sorted(groups.items()):
        rates = [100 * sum(bool(r[k]) for r in found) / len(found) for k in keys]
        shown = " | ".join(f"{rate:.1f}" for rate in rates)
        lines.append(f"| {part} | {family} | {len(found)} | {shown} | {_error(found):.3f} |")
    return "\n".join(lines)


def _error(rows: list[dict[str, object]], bins: int = 10) -> float:
    """Expected calibration error of the probability of the whole reply."""
    parts: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for row in rows:
        p = float(str(row["probability"]))
        parts[min(bins - 1, int(p * bins))].append((p, bool(row["right"])))
    return sum(
        abs(sum(p for p, _ in one) - sum(right for _, right in one)) for one in parts.values()
    ) / len(rows)


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    print(table([json.loads(line) for line in text.splitlines()]))

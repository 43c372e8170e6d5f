"""The style of figures: a colour-blind-safe palette, hatching for print, reproducible files.

Colours are Okabe and Ito's (2008), which stay distinct under every common colour blindness. Each
has a hatch of its own, so that a grey copy can also be read. No global state of matplotlib is
used: no pyplot, no display.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from regrasp.core.files import atomic_path
from regrasp.core.run_folder import inside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# ruff: noqa: PLC0415  -- matplotlib is an extra, and slow to import

__all__ = ["GREY", "HATCHES", "INKS", "MARKERS", "bare", "draw", "new_figure", "panel_axes"]

INKS = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999",
)  # fmt: skip
"""Blue, orange, green, purple, sky, vermilion, yellow, and a grey."""

HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "++++", "oooo")
"""One for each ink."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<")
"""One for each line; one more than inks, so that a ninth line is still distinct."""

GREY = "#555555"
_WIDTH = 7.16  # inches: both columns of a page

_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # part of matplotlib, so figures are equal on all machines
    "font.size": 7.5,
    "axes.titlesize": 7.5,
    "axes.labelsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "hatch.linewidth": 0.5,
    "svg.fonttype": "path",
    "svg.hashsalt": "regrasp",
    "figure.dpi": 100,
}


def draw(figures: Mapping[str, Callable[[], Figure | None]], folder: Path) -> dict[str, bytes]:
    """Draw every figure that is not None into `folder`, in our style. Returns the SVGs by name.

    Each is `NAME.png` (300 dpi) and `NAME.svg`, without a date in them.
    """
    import matplotlib

    drawn: dict[str, bytes] = {}
    with matplotlib.rc_context(_STYLE):
        for name, make in figures.items():
            figure = make()
            if figure is None:
                continue
            figure.draw_without_rendering()
            figure.set_layout_engine("none")  # lay out once, not for each file
            with atomic_path(inside(folder, f"{name}.png")) as png:
                figure.savefig(png, format="png", dpi=300, metadata={"Software": None})
            with atomic_path(inside(folder, f"{name}.svg")) as svg:
                figure.savefig(svg, format="svg", metadata={"Date": None})
            drawn[name] = (folder / f"{name}.svg").read_bytes()
    return drawn


def new_figure(height: float) -> Figure:
    """An empty figure of this height (inches), with automatic layout."""
    from matplotlib.figure import Figure

    return Figure(figsize=(_WIDTH, height), layout="constrained", facecolor="white")


def panel_axes(figure: Figure, count: int, across: int, *, sharey: bool = False) -> list[Axes]:
    """The axes of `count` panels, at most `across` side by side, row by row."""
    down = -(-count // across)
    axes: list[Axes] = (
        figure.subplots(down, across, squeeze=False, sharey=sharey).flatten().tolist()
    )
    for unused in axes[count:]:
        unused.set_visible(False)
    return axes[:count]


def bare(axes: Axes, grid: Literal["x", "y"]) -> None:
    """Keep only the two axes with numbers, and faint lines along `grid`."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)
    axes.grid(axis=grid, color="#dddddd", linewidth=0.5)

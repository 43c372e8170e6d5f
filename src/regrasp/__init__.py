"""Regrasp: robots that follow plain-language instructions and recover when the world disagrees.

Nothing is imported here but the version: `import regrasp` must stay cheap. Import what you use
from its own room, e.g. `from regrasp.worlds import open_world`.
"""

from regrasp._version import __version__

__all__ = ["__version__"]

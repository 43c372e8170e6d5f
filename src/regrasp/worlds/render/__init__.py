"""Pictures of a compiled scene: colour, depth and, for training data only, geom ids."""

from regrasp.worlds.render.base import Frame, Renderer, open_renderer

__all__ = ["Frame", "Renderer", "open_renderer"]

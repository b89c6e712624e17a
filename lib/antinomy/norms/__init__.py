"""What a provision says, read by grammar and words: its norms, quantities, addressees and definitions."""

from antinomy.norms.model import Measure, Norm
from antinomy.norms.read import extract
from antinomy.norms.render import facts

__all__ = ["Measure", "Norm", "extract", "facts"]

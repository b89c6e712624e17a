"""What a provision says, read by grammar and words: its norms, quantities, addressees and definitions."""

from antinomy.judge.norms.model import Measure, Norm
from antinomy.judge.norms.read import extract
from antinomy.judge.norms.render import facts

__all__ = ["Measure", "Norm", "extract", "facts"]

"""What a provision demands, read by grammar and lexicon: norms, quantities, addressees, definitions."""

from antinomy.norms.model import Measure, Norm
from antinomy.norms.read import extract
from antinomy.norms.render import facts

__all__ = ["Measure", "Norm", "extract", "facts"]

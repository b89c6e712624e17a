"""What a provision demands, extracted by rules and a lexicon: norms, quantities, addressees, definitions."""

from antinomy.norms.model import Measure, Norm
from antinomy.norms.read import extract
from antinomy.norms.render import norms_as_lines

__all__ = ["Measure", "Norm", "extract", "norms_as_lines"]

"""The judge without a model: it reads the norms out of two provisions and compares them where they bind alike."""

from antinomy.judge.norms.decide import Comparison, compare
from antinomy.judge.norms.judge import NormsJudge
from antinomy.judge.norms.model import Measure, Norm
from antinomy.judge.norms.read import extract
from antinomy.judge.norms.render import facts
from antinomy.judge.norms.view import features

__all__ = ["Comparison", "Measure", "Norm", "NormsJudge", "compare", "extract", "facts", "features"]

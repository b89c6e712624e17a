"""Documents as publishers set them, in the formats in which they publish, against what their writers keyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from antinomy.parse import parse_document
from antinomy.settings.source import Source
from parse.published_outline import missed, read, unresolved

_FOLDER = Path(__file__).parent / "published"
#: Least shares of the lines of the outline and of the citations. Where they are below 1, mostly the key has another
#: convention: rows that do not name their columns, an annex without a number as a level, a preamble as provisions, an
#: appendix or a note below the part that it hangs on.
_LEAST = {
    "access-booklet.txt": (0.95, 0.98),
    "access-regulation.pdf": (0.97, 0.97),
    "advice-circular.docx": (0.96, 1),
    "advice-sourcebook.html": (1, 0.98),
    "arrears-rule.pdf": (0.94, 0.98),
    "arrears-sourcebook.docx": (0.94, 1),
    "auditors-guideline.docx": (0.99, 0.92),
    "auditors-regulation.html": (0.99, 1),
    "benchmarks-code.docx": (1, 1),
    "benchmarks-rule.pdf": (1, 1),
    "broker-rule.html": (0.98, 1),
    "broker-rulebook.pdf": (0.96, 1),
    "brokering-notice.html": (0.98, 1),
    "brokering-rule.pdf": (1, 1),
    "cash-guidelines.pdf": (0.99, 1),
    "cash-regulations.html": (0.98, 1),
    "change-booklet.html": (1, 1),
    "change-circular.html": (1, 1),
    "claims-booklet.pdf": (0.94, 0.87),
    "claims-rulebook.html": (0.99, 0.97),
    "clearing-circular.pdf": (1, 0.96),
    "clearing-notice.txt": (0.95, 0.9),
    "climate-circular.html": (1, 0.97),
    "climate-regulation.docx": (0.99, 1),
    "cloud-circular.txt": (0.98, 1),
    "cloud-rule.html": (0.92, 0.92),
    "coded-standard.pdf": (0.96, 1),
    "collection-rule.html": (0.92, 0.88),
    "collection-sourcebook.pdf": (0.95, 0.87),
    "complaints-notice.docx": (1, 1),
    "complaints-regulation.md": (0.99, 0.91),
    "conduct-sourcebook.html": (1, 1),
    "continuity-booklet.pdf": (1, 1),
    "continuity-circular.pdf": (0.98, 0.97),
    "control-handbook.md": (0.83, 0.97),
    "credit-direction.html": (0.9, 0.91),
    "custodian-circular.pdf": (0.98, 0.98),
    "custody-circular.docx": (0.98, 0.97),
    "custody-module.html": (0.97, 1),
    "custody-part.pdf": (0.98, 1),
    "dealing-circular.docx": (1, 1),
    "dealing-notice.pdf": (1, 1),
    "delegated-regulation.pdf": (0.98, 0.98),
    "depositors-handbook.pdf": (1, 0.98),
    "depositors-rulebook.html": (0.97, 0.98),
    "factoring-circular.docx": (1, 0.98),
    "factoring-rule.txt": (1, 1),
    "federal-ordinance.html": (0.98, 0.97),
    "federal-part.xml": (0.89, 0.93),
    "final-report-guidelines.pdf": (0.95, 0.95),
    "final-rule.xml": (0.76, 0.7),
    "fre-guideline.pdf": (1, 0.97),
    "free-zone-module.html": (0.95, 1),
    "gateway-booklet.md": (1, 1),
    "incidents-notice.pdf": (0.97, 0.91),
    "incidents-rule.txt": (1, 0.98),
    "insurer-regulation.docx": (0.99, 0.96),
    "insurer-rule.txt": (0.96, 0.97),
    "interagency-guidance.txt": (0.98, 1),
    "leasing-direction.pdf": (1, 0.96),
    "leasing-handbook.html": (1, 0.92),
    "ledgers-circular.html": (1, 0.95),
    "ledgers-handbook.docx": (1, 0.98),
    "liquidity-circular.docx": (1, 0.96),
    "liquidity-notice.pdf": (0.95, 1),
    "margin-guidelines.docx": (0.97, 0.96),
    "margin-regulation.html": (0.91, 0.96),
    "metals-instrument.docx": (0.78, 0.85),
    "onboarding-handbook.md": (0.93, 0.92),
    "onboarding-notice.html": (0.95, 0.97),
    "operations-handbook.html": (1, 0.89),
    "operations-notice.docx": (1, 0.94),
    "outsourcing-chapter.md": (1, 1),
    "outsourcing-notice.pdf": (0.98, 1),
    "payouts-regulation.pdf": (1, 0.96),
    "payouts-rule.html": (1, 1),
    "pensions-code.docx": (0.98, 0.94),
    "pensions-regulation.pdf": (0.95, 0.97),
    "policy-module.pdf": (0.93, 0.95),
    "prudential-standard.docx": (1, 1),
    "ratings-regulation.pdf": (1, 1),
    "ratings-rule.html": (1, 0.98),
    "register-act.html": (0.98, 1),
    "reinsurance-manual.html": (1, 0.98),
    "reinsurance-notice.pdf": (1, 1),
    "remittance-rule.txt": (0.99, 0.98),
    "remittance-rulebook.pdf": (0.89, 0.97),
    "resilience-part.html": (0.93, 0.98),
    "sanctions-circular.html": (0.96, 1),
    "sanctions-directions.html": (0.94, 0.95),
    "scam-notice.docx": (0.93, 0.91),
    "scam-sourcebook.html": (0.87, 0.95),
    "servicing-rule.docx": (1, 1),
    "servicing-rulebook.html": (0.98, 1),
    "sharing-regulation.html": (0.92, 1),
    "sharing-rule.pdf": (0.91, 0.9),
    "stablecoin-guideline.pdf": (1, 0.97),
    "stablecoin-rule.txt": (1, 0.93),
    "standard-guidance-policy.pdf": (1, 1),
    "state-part.txt": (1, 0.95),
    "statutory-instrument.xml": (0.98, 0.96),
    "stewardship-rule.txt": (0.99, 1),
    "stewardship-standard.pdf": (0.99, 1),
    "surveillance-regulation.txt": (1, 0.96),
    "surveillance-rulebook.docx": (0.9, 0.98),
    "switching-regulation.docx": (0.99, 0.9),
    "switching-sourcebook.pdf": (1, 0.96),
    "tracked-guideline.docx": (0.98, 0.97),
    "trust-rule.docx": (0.88, 0.94),
    "trustees-circular.pdf": (1, 1),
    "trustees-sourcebook.docx": (0.99, 0.98),
    "two-column-circular.pdf": (1, 1),
    "vendor-booklet.html": (1, 1),
    "vendor-regulation.html": (0.97, 0.98),
    "venues-notice.docx": (1, 1),
    "venues-regulation.html": (0.98, 0.94),
    "wiki-policy.html": (0.98, 1),
    "word-direction.docx": (0.9, 0.93),
}


@pytest.mark.parametrize("name", _LEAST)
def test_a_document_as_its_publisher_sets_it_gives_its_provisions_and_citations(name: str) -> None:
    path = _FOLDER / name
    document = parse_document(Source("text", name, "any"), path.read_bytes())
    outline, citations = (read(path.with_suffix(f".{key}.jsonl")) for key in ("outline", "citations"))
    lost, open_ended = missed(document, outline), unresolved(document, citations)
    least_found, least_resolved = _LEAST[name]
    assert 1 - len(lost) / len(outline) >= least_found, lost
    assert 1 - len(open_ended) / len(citations) >= least_resolved, open_ended

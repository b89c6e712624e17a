"""Findings: which verdicts are reported, how they rank, what reviewers decided on them."""

"""Verdicts → findings and the report.

spark-submit jobs/report.py --config FILE [--run-id ID] [--set a.b=c] [--json]
"""

from antinomy.cli.app import job

if __name__ == "__main__":
    job("report")

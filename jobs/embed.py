"""Sections and citations → units and vectors.

spark-submit jobs/embed.py --config FILE [--run-id ID] [--set a.b=c] [--json]
"""

from antinomy.cli.app import job

if __name__ == "__main__":
    job("embed")

"""A run against its key.

spark-submit jobs/evaluate.py --config FILE [--run-id ID] [--set a.b=c] [--json]
"""

from antinomy.cli.app import job

if __name__ == "__main__":
    job("evaluate")

"""Units → facts: subject, predicate, object.

spark-submit jobs/facts.py --config FILE [--run-id ID] [--set a.b=c] [--json]
"""

from antinomy.cli.app import job

if __name__ == "__main__":
    job("facts")

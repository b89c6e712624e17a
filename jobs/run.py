"""All stages in one Spark application.

spark-submit jobs/run.py --config FILE [--run-id ID] [--set a.b=c] [--json]
"""

from antinomy.cli.app import job

if __name__ == "__main__":
    job("run")

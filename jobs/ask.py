"""Questions → answers, each with the sections that show it.

spark-submit jobs/ask.py --config FILE --questions FILE [--run-id ID] [--set a.b=c] [--json]
"""

from antinomy.cli.app import job

if __name__ == "__main__":
    job("ask")

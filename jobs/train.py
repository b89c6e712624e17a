"""Labelled pairs → weights of the judge ``default``; needs no Spark.

python jobs/train.py --config conf/train.yaml [--set a.b=c] [--json]
"""

from antinomy.cli.app import job

if __name__ == "__main__":
    job("train")

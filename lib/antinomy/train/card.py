"""Writes the model card: what was fitted on which data, and its figures on held-out data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antinomy.evaluate.pairs import measure
from antinomy.run import base_model

Rows = list[dict[str, Any]]
_DEVELOPMENT = "conflicts_dev.jsonl"
_FIGURES = ("precision", "recall", "f1", "auc", "calibration_error")


def card(judges: Sequence[tuple[str, Rows]], provenance: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the figures of every judge and baseline, and the card as Markdown.

    Args:
        judges: names with judged pairs; the last fitted judge is ``default``.
        provenance: see ``judge.fitted.decision.Decision``.
    """
    figures: dict[str, Any] = {}
    for title, development in (("train topics", False), (_DEVELOPMENT, True)):
        chosen = {
            name: [row for row in rows if (row["source"] == _DEVELOPMENT) == development] for name, rows in judges
        }
        if any(chosen.values()):
            figures[title] = {name: measure(rows) for name, rows in chosen.items()}
    parts = [_HEAD.format(**provenance, base=base_model.REVISION, files=_files(provenance["data"]))]
    for title, found in figures.items():
        n = next(iter(found.values()))["n"]
        parts.append(f"\n## {title} ({n} pairs, out of fold)\n\n" + _table_of_judges(found))
        parts += [table(found["default"]) for table in (_table_of_relations, _table_of_kinds, _confusion_matrix)]
        if title != _DEVELOPMENT:
            parts.append(_table_by_file(next(rows for name, rows in judges if name == "default")))
    return figures, "\n".join(parts) + "\n"


_HEAD = """# Model card: the judge `default`

{network[averaged]} small networks (one hidden layer of {network[hidden]} units), averaged, tell how two provisions
relate. They see how near clauses and words are, and what grammar and words say of duties, quantities and addressees.
Where that makes a relation possible, a cross-encoder reads both provisions together, and as many further networks
decide by what it says as well. Where a relation is still possible, a larger cross-encoder reads both too, and the
weighted geometric mean of both opinions counts; which side is stricter is left to the small networks. Two provisions
in nearly the same words are decided by what one says otherwise, without the networks; whether two definitions of one
term differ, by a logistic regression.

The encoder is all-MiniLM-L6-v2 ({encoder}, Apache-2.0) with an adapter: low-rank matrices (LoRA, rank 16; Hu et al.
2021) that `python -m antinomy.train.encoder` fitted on the pairs of DORA and of the FFIEC handbook in
`bench/real_labels.jsonl` (2,179) and `bench/real_rewritten.jsonl` (2,759), and on `bench/families.jsonl` (1,440: each
of 240 provisions with six of other jurisdictions, by eight writers). It has read none of the files below, no corpus and
no text of NIST. Of the last two, 240 pairs were labelled again by a language model that did not see the labels; every
label was the same. The cross-encoder
({cross_encoder:.12}) has the same embeddings; its six layers were trained further, in bfloat16 by AdamW: one pass over
some 65,000 general inference pairs, then three over two thirds of the files below in either order, each with other
pairs of near, unrelated provisions (.7 for each pair) and with general pairs between them. Its weights are the mean of
three networks, each without another third of the files ("model soups", Wortsman et al. 2022). Each network then read
1,480 pairs of real provisions twice, with 500 written pairs and 350 near, unrelated ones in each pass, and twice more
with the `reworded_*` files of the other thirds and as many others: 27 provisions of DORA with the FFIEC handbook
(524 pairs), and DORA, the handbook, NIST CSF 2.0 and SP 800-53 with each other (956). Language models labelled them by
reading (108 were labelled twice: κ .94); their texts are not packaged. At last the mean was fitted further with
`fit: further` on `far_security`, `far_governance` and `same_demand_notices`, in two passes at a rate of 8e-5, with as
many pairs of the other files and a near, unrelated pair for each, again by three networks, each without one of these
files. In the same manner it was fitted on `conduct`, `notices`, `vendors`, `resilience`, `utilities` and `statutes`, at
1e-4 and with .6 near, unrelated pairs for each, by two networks, each without three of these, together with 342 of the
pairs of DORA and the handbook. The small networks are not fitted on these six files, and on `payers`,
`platforms`, `funds` and `guardians` nothing is. General pairs: 58,000 of SNLI's
training part
(Bowman et al. 2015, CC BY-SA 4.0), negated SNLI and MNLI (Hossain et al. 2020, MIT; the SNLI beneath it CC BY-SA 4.0),
ConjNLI (Saha et al. 2020, MIT), FEVER Symmetric (Schuster et al. 2019, CC BY-SA 3.0), MED (Yanaka et al. 2019, CC BY-SA
4.0). The weights are kept in 8 bits as safetensors, the others as JSON with a hash of their own.

The larger cross-encoder is all-mpnet-base-v2 ({base}, Apache-2.0, 110 million parameters). Its upper eight layers were
adapted by low-rank matrices (LoRA, rank 16; Hu et al. 2021) in bfloat16. It read some 69,000 pairs: every file but
`payers`, `platforms`, `funds` and `guardians` two or three times, with near, unrelated pairs, most of which hold a text
that is in conflict with another (without these it takes some texts to be in conflict with anything), and some of the
general pairs above. Pairs of two further kinds were among them. First, 3,729 candidates of real provisions, read two to
four times: of DORA (Articles 4, 5, 8 to 13, 17, 20, 25 and 29, without the provisions of the labelled development set),
of the FFIEC handbook, of NIST CSF 2.0 and of SP 800-53, with each other. Language models labelled these by reading; 120
were labelled twice (related or not: κ .85). Second, 4,942 pairs that look like use, read two or three times: 2,620 of
such provisions beside provisions of an invented other jurisdiction that demand the same, more, less, the contrary or
something near (14 writers, some 185 pairs each); and candidates of six pairs of invented regulations (`payments`,
`technology`, `laundering`, `securities`, `continuity`, `privacy`), the 348 pairs of their keys and 1,974 others. Of 364
further rewritten pairs a second language model, which did not see the labels, gave every one the same label. It was
fitted in parts, at rates of 2.6e-4 to 3.5e-4, by a script with the method of `large_cross_encoder.fit: anew`. Labels
and invented texts are in `bench/real_labels.jsonl`, `bench/real_rewritten.jsonl` and `bench/corpora`, which hold no
texts of regulations.

- **Made by** `antinomy train --config conf/train.yaml`: {pairs} written pairs, {pairs_made} made from them, {folds}
  folds.
- **Data** (sha256): {files}. Invented provisions, written by a language model and labelled by their writer; no person
  has labelled them.
- **Measured** out of fold: each file by networks that have not seen that file, the mixed development file by networks
  that have not seen the pair, with a cross-encoder that has seen neither; the shares of the relations are estimated per
  file, as a run does. The lexicon was written with parts of these files at hand, so that its share is in-sample.
  The larger cross-encoder has read these files and is left out of all tables; docs/evaluation.md has figures with it.
  Conflicts are far more frequent here than among the candidate pairs of real regulations: precision does not carry
  over.
- **Decides** as the product does: a conflict is claimed where no other relation is likelier and its chance is 40 % or
  more, though the two may more probably be unrelated. Else they are unrelated if that is likelier than not, else in the
  likeliest other relation; a likelier conflict below that chance makes it an overlap, and so does a stricter rule whose
  side is open. The area under the curve does not depend on that.
- **For** ranking candidate pairs for a person; not a verdict on compliance.
"""


def _files(data: dict[str, str]) -> str:
    return ", ".join(f"{name} {sha[:16]}" for name, sha in data.items())


def _cell(figure: dict[str, Any] | None) -> str:
    if not figure or figure["value"] is None:
        return "–"
    interval = f" ({figure['low']:.2f}–{figure['high']:.2f})" if figure.get("low") is not None else ""
    return f"{figure['value']:.2f}{interval}"


def _table_of_judges(found: dict[str, Any]) -> str:
    heads = ("conflict against the rest", *_FIGURES, "decided", "relation right")
    rows = [f"| {' | '.join(heads)} |".replace("_", " "), "|---" * len(heads) + "|"]
    for name, figures in found.items():
        fitted = name == "default"
        cells = [_cell(figures[key]) for key in _FIGURES] + [_cell({**figures["coverage"], "low": None})]
        right = sum(row[i] for i, row in enumerate(figures["confusion"]["matrix"])) / figures["n"]
        cells.append(f"{right:.2f}" if fitted else "–")
        rows.append(f"| {f'`{name}`' if fitted else name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _table_of_relations(found: dict[str, Any]) -> str:
    rows = ["`default` by relation:\n", "| relation | precision | recall | F1 | pairs |", "|---|---|---|---|---|"]
    for relation, f in found["per_relation"].items():
        values = " | ".join("–" if f[k] is None else f"{f[k]:.2f}" for k in ("precision", "recall", "f1"))
        rows.append(f"| {relation} | {values} | {f['n']} |")
    return "\n".join(rows) + f"\n\nWho governs, of the stricter pairs found: {_cell(found['governs_accuracy'])}.\n"


def _table_of_kinds(found: dict[str, Any]) -> str:
    rows = ["`default` on conflicts by kind:\n", "| kind | recall | precision | pairs |", "|---|---|---|---|"]
    for kind, f in found["per_kind"].items():
        rows.append(f"| {kind} | {_cell(f['recall'])} | {_cell(f['precision'])} | {f['n']} |")
    return "\n".join(rows) + "\n"


def _table_by_file(rows: Rows) -> str:
    lines = ["`default` by file:\n", "| file | F1 | auc | relation right | pairs |", "|---|---|---|---|---|"]
    for source in sorted({row["source"] for row in rows} - {_DEVELOPMENT}):
        own = [row for row in rows if row["source"] == source]
        f = measure(own)
        right = sum(row["relation"] == row["predicted"] for row in own) / len(own)
        name = source.removesuffix(".jsonl")
        lines.append(f"| {name} | {_cell(f['f1'])} | {_cell(f['auc'])} | {right:.2f} | {len(own)} |")
    return "\n".join(lines) + "\n"


def _confusion_matrix(found: dict[str, Any]) -> str:
    table = found["confusion"]
    names = [n for n in table["predicted"] if n not in ("undecided", "error")]
    rows = ["`default`: labelled (rows) against said (columns):\n", f"| | {' | '.join(names)} |"]
    rows.append("|---" * (len(names) + 1) + "|")
    for name, counts in zip(table["actual"], table["matrix"], strict=True):
        rows.append(f"| {name} | " + " | ".join(str(c) for c in counts[: len(names)]) + " |")
    return "\n".join(rows) + "\n"

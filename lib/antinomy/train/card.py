"""Writes the model card: what was fitted on which data, and its figures on held-out data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antinomy.evaluate.pairs import measure
from antinomy.run import base_model
from antinomy.settings.train import CrossEncoderSettings

Rows = list[dict[str, Any]]
_DEVELOPMENT = "conflicts_dev.jsonl"
_FIGURES = ("precision", "recall", "f1", "auc", "calibration_error")


def card(
    judges: Sequence[tuple[str, Rows]], provenance: dict[str, Any], settings: CrossEncoderSettings
) -> tuple[dict[str, Any], str]:
    """Return the figures of every judge and baseline, and the card as Markdown.

    Args:
        judges: names with judged pairs; the last fitted judge is ``default``.
        provenance: see ``judge.fitted.decision.Decision``.
        settings: of the cross-encoder.
    """
    figures: dict[str, Any] = {}
    for title, development in (("train topics", False), (_DEVELOPMENT, True)):
        chosen = {
            name: [row for row in rows if (row["source"] == _DEVELOPMENT) == development] for name, rows in judges
        }
        if any(chosen.values()):
            figures[title] = {name: measure(rows) for name, rows in chosen.items()}
    about = _PACKAGED if settings.fit == "packaged" else _FITTED
    reader = about.format(base=base_model.REVISION, settings=settings.model_dump_json(exclude={"fit"}))
    parts = [_HEAD.format(**provenance, cross_encoder=reader, files=_files(provenance["data"]))]
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
Where that makes a relation possible, a cross-encoder reads both provisions together, and the weighted geometric mean of
both opinions counts. Two provisions in nearly the same words are
decided by what one says otherwise, without the networks; whether two definitions of one term differ, by a logistic
regression.

The encoder is all-MiniLM-L6-v2 ({encoder}, Apache-2.0) with an adapter: low-rank matrices (LoRA, rank 16; Hu et al.
2021) that `python -m antinomy.train.encoder` fitted on 2,179 pairs of DORA and of the FFIEC handbook in
`bench/real_labels.jsonl`, on the first 2,759 of `bench/real_rewritten.jsonl` and on the first 1,440 of
`bench/families.jsonl`. It has read none of the files below, no corpus and no text of NIST. (Fitted on all of these
pairs, with two to eight passes, it finds no more.)

{cross_encoder}
- **Made by** `antinomy train`: {pairs} written pairs, {pairs_made} made from them, {folds}
  folds.
- **Data** (sha256): {files}. Invented provisions, written by a language model and labelled by their writer; no person
  has labelled them.
- **Measured** out of fold: each file by networks that have not seen that file, the mixed development file by networks
  that have not seen the pair; the shares of the relations are estimated per file, as a run does. The lexicon was
  written with parts of these files at hand, so that its share is in-sample. The cross-encoder has read these files and
  is left out of all tables, which are of the networks alone; docs/evaluation.md has figures with it. Conflicts are far
  more frequent here than among the candidate pairs of real regulations: precision does not carry over.
- **Decides** as the product does (docs/judges.md): a conflict from 35 % on if no other relation is likelier; else two
  provisions are unrelated if that is likelier than not, else in the likeliest relation; a stricter rule of which
  neither side is likelier than not is an overlap. The area under the curve does not depend on that.
- **For** ranking candidate pairs for a person; not a verdict on compliance.
"""


_PACKAGED = """The cross-encoder is the lower eight of the twelve layers of all-mpnet-base-v2 ({base}, Apache-2.0, 110
million parameters), adapted by low-rank matrices (LoRA, rank 64, in every linear layer) in bfloat16. It reads each
provision behind its nearest heading ("Heading: text"), where there is one. It was fitted on one H200 in twelve minutes:
three adapters of all layers first, of which the third learned from the labels and from the mean of the other two; a
fourth from the labels (weight .3) and the mean of all three (.7; ensemble distillation, Hinton et al. 2015); at last
the packaged one, which started as the lower layers of the fourth, from the labels (.2) and from the fourth (.8). The
fourth read 703,000 pairs, 86,000 of those below in each of eight passes, the last 622,000, in batches of 24,576 tokens,
with dropout .1, a highest rate of 2.5e-4 (the last: 1.5e-4), and in the end the mean of the weights (exponential, .005
a step). Headings were left out in one of five pairs. `antinomy train` with `cross_encoder.fit: anew` follows this
method, but reads each of the related pairs once in a pass; the packaged adapter was fitted by a faster script, with the
matrices merged into the weights at every step.

- the files below but `payers`, `platforms`, `funds` and `guardians` (13,699), with 9,500 near, unrelated pairs, most of
  which hold a text that is in conflict with another, and 3,300 that are put into another provision;
- 3,729 candidates of real provisions (`bench/real_labels.jsonl`): of DORA (Articles 4, 5, 8 to 13, 17, 20, 25 and 29,
  without the provisions of the labelled development set), of the FFIEC handbook, of NIST CSF 2.0 and of SP 800-53, with
  each other; labelled by reading, 120 of them twice (related or not: κ .85);
- 4,260 such provisions beside provisions of an invented other jurisdiction that demand the same, more, less, the
  contrary or something near (`bench/real_rewritten.jsonl`);
- the candidates of seventeen pairs of invented regulations (`bench/corpora`, the older ones): the 766 pairs of their
  keys, read two or three times in a pass, and 10,000 of 27,100 others;
- 5,580 pairs of `bench/families.jsonl`: each of 930 provisions with six of other jurisdictions, by 31 writers. In 4,140
  of these, and in 800 of the rewritten ones, likeness of the words, length and the presence of an exclusive or negating
  word were drawn by lot for each provision, nearly independently of the relation, so that none of them gives it away;
  with as many near, unrelated pairs;
- 56 pairs of short invented regulations, of some 40 provisions a side, by 16 writers (`bench/short_regulations.jsonl`):
  the 1,579 pairs of their keys, read three times in a pass, their look-alikes, and 12,500 near pairs of the two sides
  or of one. Either side keeps to words of its own; two thirds of the pairs share hardly one;
- general inference pairs, 6,000 in each pass: negated SNLI and MNLI (Hossain et al. 2020, MIT; the SNLI beneath it CC
  BY-SA 4.0), ConjNLI (Saha et al. 2020, MIT), FEVER Symmetric (Schuster et al. 2019, CC BY-SA 3.0), MED (Yanaka et al.
  2019, CC BY-SA 4.0).

All these texts but the general pairs were written or labelled by language models. Of 364 rewritten pairs, 240 of the
older and 120 of the later families a model that did not see the labels gave all but one the same label, and 203 of 205
of the short regulations. The files in `bench` hold no texts of regulations. The weights are kept in 8 bits as
safetensors, the others as JSON with a hash of their own.

"""
_FITTED = """The cross-encoder is all-mpnet-base-v2 ({base}, Apache-2.0, 110 million parameters), adapted by low-rank
matrices that were fitted on the files below with these settings: {settings}.
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
    names = [n for n in table["predicted"] if n != "error"]
    rows = ["`default`: labelled (rows) against said (columns):\n", f"| | {' | '.join(names)} |"]
    rows.append("|---" * (len(names) + 1) + "|")
    for name, counts in zip(table["actual"], table["matrix"], strict=True):
        rows.append(f"| {name} | " + " | ".join(str(c) for c in counts[: len(names)]) + " |")
    return "\n".join(rows) + "\n"

"""What a fine-tuned cross-encoder would give: MiniLM reads both provisions at once.

    python bench/cross_encoder.py --train A.jsonl B.jsonl --test conflicts_dev.jsonl [--epochs 3] [--rate 5e-5]

Files are as for `antinomy evaluate pairs`; those of --train may hold general inference pairs (contradiction as
conflict, entailment as overlap, neutral as none). Prints, after each epoch, the AUC of conflict against the rest on
each test file: left before right, right before left, and the mean of both. The word embeddings stay as packaged, a
contradiction is shown in both orders, and a training file that has no conflicts gives at most 1,500 pairs an epoch.
"""

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer
from transformers import BertModel

from antinomy.embed.encoder import PACKAGED, model_path
from antinomy.evaluate.pairs import read_labelled

LABELS = {"conflict": 0, "overlap": 1, "none": 2}
BATCH, LONGEST, NO_CONFLICT_MOST = 32, 256, 1500

Pair = tuple[str, str, int]


class CrossEncoder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        path = model_path(PACKAGED)
        self.tokenizer = Tokenizer.from_file(str(Path(path) / "tokenizer.json"))
        self.tokenizer.enable_truncation(LONGEST)
        self.tokenizer.enable_padding()
        self.encoder = BertModel.from_pretrained(path, add_pooling_layer=False)
        self.encoder.embeddings.requires_grad_(False)
        self.head = torch.nn.Sequential(torch.nn.Dropout(0.1), torch.nn.Linear(384, len(LABELS)))

    def forward(self, pairs: Sequence[Pair]) -> torch.Tensor:
        read = self.tokenizer.encode_batch([(left, right) for left, right, _ in pairs])
        mask = torch.tensor([r.attention_mask for r in read])
        states = self.encoder(
            input_ids=torch.tensor([r.ids for r in read]),
            attention_mask=mask,
            token_type_ids=torch.tensor([r.type_ids for r in read]),
        ).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        return self.head((states * weight).sum(1) / weight.sum(1))

    @torch.inference_mode()
    def conflict(self, pairs: Sequence[Pair]) -> np.ndarray:
        self.eval()
        by_length = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
        chance = np.zeros(len(pairs))
        for at in range(0, len(pairs), BATCH):
            rows = by_length[at : at + BATCH]
            chance[rows] = self([pairs[i] for i in rows]).softmax(-1)[:, 0].numpy()
        self.train()
        return chance


def read(path: str) -> list[Pair]:
    rows = [(r["left"], r["right"], r["relation"]) for r in read_labelled(path)]
    return [(left, right, LABELS[relation]) for left, right, relation in rows if relation in LABELS]


def epoch(files: Sequence[list[Pair]], rng: random.Random) -> list[list[Pair]]:
    """Draw the batches of one epoch, like lengths together."""
    drawn: list[Pair] = []
    for pairs in files:
        conflicts = any(label == 0 for *_, label in pairs)
        drawn += pairs if conflicts else rng.sample(pairs, min(len(pairs), NO_CONFLICT_MOST))
    drawn += [(right, left, label) for left, right, label in drawn if label == 0]
    rng.shuffle(drawn)
    batches = []
    for at in range(0, len(drawn), 20 * BATCH):
        near = sorted(drawn[at : at + 20 * BATCH], key=lambda p: len(p[0]) + len(p[1]))
        batches += [near[i : i + BATCH] for i in range(0, len(near), BATCH)]
    rng.shuffle(batches)
    return batches


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", nargs="+", required=True)
    options.add_argument("--test", nargs="+", required=True)
    options.add_argument("--epochs", type=int, default=3)
    options.add_argument("--rate", type=float, default=5e-5)
    chosen = options.parse_args()
    torch.manual_seed(1)
    rng = random.Random(1)
    files = [read(path) for path in chosen.train]
    model = CrossEncoder()
    steps = chosen.epochs * len(epoch(files, random.Random(1)))
    learner = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=chosen.rate, weight_decay=0.01)
    # A tenth of the steps to warm up, then linearly to zero.
    rate = torch.optim.lr_scheduler.LambdaLR(learner, lambda step: min(10 * step / steps, max(0.0, 1 - step / steps)))
    for number in range(chosen.epochs):
        began, lost = time.perf_counter(), []
        for batch in epoch(files, rng):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                answer = model(batch)
            loss = torch.nn.functional.cross_entropy(answer.float(), torch.tensor([label for *_, label in batch]))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            learner.step()
            rate.step()
            learner.zero_grad()
            lost.append(loss.item())
        print(f"epoch {number + 1}: loss {np.mean(lost):.3f}, {time.perf_counter() - began:.0f} s", flush=True)
        for path in chosen.test:
            rows = read_labelled(path)
            actual = [row["relation"] == "conflict" for row in rows]
            ahead = model.conflict([(row["left"], row["right"], 0) for row in rows])
            back = model.conflict([(row["right"], row["left"], 0) for row in rows])
            auc = " ".join(f"{roc_auc_score(actual, chance):.3f}" for chance in (ahead, back, ahead + back))
            print(f"  {Path(path).name}: AUC {auc}", flush=True)


if __name__ == "__main__":
    main()

"""Tune a small encoder to hear danger and patterns, and export it.

    python training/train_ear.py --base FOLDER --out assistant/ear

``FOLDER`` holds all-MiniLM-L6-v2 in full precision (``model.safetensors``,
``config.json``, ``tokenizer.json``); ``training/README.md`` says where it comes from.
From a fixed seed on two cores this takes under an hour. Nothing of the evaluation sets
is read here.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from ear_data import (
    ABOUTS,
    CARDS,
    GUARD,
    LEVELS,
    PATTERNS,
    TIMES,
    Example,
    load,
    load_guard,
    load_topics,
    mixed,
)
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import AutoModel, PreTrainedTokenizerFast

MAX_TOKENS = 96
SCALE = 10.0
BATCH = 32
PEAK_RATE = 2e-4
HEAD_RATE = 2e-3
SEED = 20261130
AVERAGE_OVER = 600
"""The exported network is a running mean of the last steps, about so many: one network
that hears nearly as well as several trained apart."""
EARLIER = 0.3
"""Of an earlier run's weights, where one is given, so much is mixed in."""
FINE, FINE_CALM = 0.25, 0.5
"""This share of the messages that the program also cuts finely is learned in such a
part: out of what stands around it, a calm part can sound like danger."""
BEGIN_WITH = 9000
"""So many texts give the heads their beginning; more move the means little."""


class Ear(nn.Module):
    """An encoder with one linear head for each thing that is heard."""

    def __init__(self, base: Path, topics: int) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base, local_files_only=True)
        size = self.encoder.config.hidden_size
        self.dropout = nn.Dropout(0.1)
        self.level = nn.Linear(size, len(LEVELS))
        self.cards = nn.Linear(size, len(CARDS))
        self.about = nn.Linear(size, len(ABOUTS))
        self.time = nn.Linear(size, len(TIMES))
        self.patterns = nn.Linear(size, len(PATTERNS))
        self.topic = nn.Linear(size, topics)
        self.guard = nn.Linear(size, len(GUARD) + 1)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        hidden = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask
        ).last_hidden_state
        weights = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1.0)
        # A fixed length lets the heads learn at one pace whatever the text.
        text = self.dropout(functional.normalize(mean, dim=1) * SCALE)
        return (
            self.level(text),
            self.cards(text),
            self.about(text),
            self.time(text),
            self.patterns(text),
            self.topic(text),
            self.guard(text),
        )

    @torch.no_grad()
    def begin_at_means(
        self, tokenizer: PreTrainedTokenizerFast, examples: list[Example]
    ) -> None:
        """Begin each head where the base model already puts its examples.

        A class's weights start as the mean direction of its texts, less the mean of
        all: with few texts a class, learning that from nothing takes long.
        """
        self.eval()
        if len(examples) > BEGIN_WITH:
            examples = random.Random(SEED).sample(examples, BEGIN_WITH)
        examples = sorted(examples, key=lambda e: len(e.text))  # little is padded
        rows = []
        for start in range(0, len(examples), 64):
            part = [e.text for e in examples[start : start + 64]]
            made = encode(tokenizer, part)
            hidden = self.encoder(**made).last_hidden_state
            weights = made["attention_mask"].unsqueeze(-1).to(hidden.dtype)
            rows.append(functional.normalize((hidden * weights).sum(1), dim=1))
        texts = torch.cat(rows)
        for head, names, labels in (
            (self.cards, CARDS, [e.cards for e in examples]),
            (self.patterns, PATTERNS, [e.patterns or () for e in examples]),
            (self.guard, GUARD, [e.broken or () for e in examples]),
            (
                self.topic,
                list(range(self.topic.out_features)),
                [() if e.topic is None else (e.topic,) for e in examples],
            ),
        ):
            marked = torch.tensor([bool(label) for label in labels])
            middle = texts[marked].mean(0)
            for place, name in enumerate(names):
                of_class = torch.tensor([name in label for label in labels])
                if of_class.any():
                    mean = texts[of_class].mean(0) - middle
                    head.weight[place] = functional.normalize(mean, dim=0)
            nn.init.zeros_(head.bias)
        nn.init.constant_(self.patterns.bias, -3.0)
        nn.init.constant_(self.guard.bias, -3.0)


def losses(out: tuple[torch.Tensor, ...], batch: list[Example]) -> torch.Tensor:
    """Sum the losses of whatever each example is labelled with."""
    level, cards, about, time_, patterns, topic, guard = out
    total = level.new_zeros(())
    danger = [i for i, e in enumerate(batch) if e.level is not None]
    if danger:
        rows = [batch[i] for i in danger]
        target = torch.tensor([LEVELS.index(e.level) for e in rows])
        total = total + functional.cross_entropy(
            level[danger], target, label_smoothing=0.05
        )
        labelled = [i for i in danger if batch[i].cards]
        if labelled:
            wanted = torch.tensor(
                [[c in batch[i].cards for c in CARDS] for i in labelled]
            ).float()
            # Nearly every text has one card: which one, given that there is danger.
            wanted = wanted / wanted.sum(1, keepdim=True)
            total = total + functional.cross_entropy(cards[labelled], wanted)
            target = torch.tensor([ABOUTS.index(batch[i].about) for i in labelled])
            total = total + 0.2 * functional.cross_entropy(about[labelled], target)
            target = torch.tensor([TIMES.index(batch[i].time) for i in labelled])
            total = total + 0.2 * functional.cross_entropy(time_[labelled], target)
    shown = [i for i, e in enumerate(batch) if e.patterns is not None]
    if shown:
        wanted = torch.tensor(
            [[p in batch[i].patterns for p in PATTERNS] for i in shown]
        ).float()
        total = total + 10.0 * functional.binary_cross_entropy_with_logits(
            patterns[shown], wanted, pos_weight=torch.full((len(PATTERNS),), 4.0)
        )
    topical = [i for i, e in enumerate(batch) if e.topic is not None]
    if topical:
        target = torch.tensor([batch[i].topic for i in topical])
        total = total + functional.cross_entropy(
            topic[topical], target, label_smoothing=0.05
        )
    candidates = [i for i, e in enumerate(batch) if e.broken is not None]
    if candidates:
        rows = [batch[i].broken for i in candidates]
        # The last place stands for "breaks any rule at all".
        wanted = torch.tensor([[*(g in b for g in GUARD), bool(b)] for b in rows])
        each = functional.binary_cross_entropy_with_logits(
            guard[candidates], wanted.float(), reduction="none"
        )
        total = total + 10.0 * each[:, :-1].mean() + 2.0 * each[:, -1].mean()
    return total


def encode(
    tokenizer: PreTrainedTokenizerFast, texts: list[str]
) -> dict[str, torch.Tensor]:
    """Turn texts into padded token ids and masks."""
    made = tokenizer(
        texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt"
    )
    return {name: made[name] for name in ("input_ids", "attention_mask")}


def batches(examples: list[Example], rng: random.Random) -> list[list[Example]]:
    """Shuffle, and put texts of like length together so that little is padded."""
    order = examples[:]
    rng.shuffle(order)
    pools = [order[i : i + BATCH * 16] for i in range(0, len(order), BATCH * 16)]
    made = []
    for pool in pools:
        pool.sort(key=lambda e: len(e.text))
        made += [pool[i : i + BATCH] for i in range(0, len(pool), BATCH)]
    rng.shuffle(made)
    return made


@torch.no_grad()
def windowed(
    ear: Ear,
    tokenizer: PreTrainedTokenizerFast,
    examples: list[Example],
    rng: random.Random,
) -> list[Example]:
    """Put one window in the place of each long message, and of some shorter ones.

    Of a calm one, any: all of it is calm. Where there is danger, the window in which
    the encoder hears it most now; the others may hold none.
    """
    ear.eval()
    chosen = []
    for example in examples:
        is_calm = example.level == "none"
        windows = example.windows
        if example.fine_windows and rng.random() < (FINE_CALM if is_calm else FINE):
            windows = example.fine_windows
        if not windows:
            chosen.append(example)
            continue
        if is_calm:
            text = rng.choice(windows)
        else:
            level = ear(**encode(tokenizer, list(windows)))[0]
            loudest = int(level.softmax(1)[:, LEVELS.index("none")].argmin())
            text = windows[loudest]
        # What patterns a part shows, nobody said.
        chosen.append(replace(example, text=text, patterns=None))
    return chosen


def train(
    ear: Ear,
    tokenizer: PreTrainedTokenizerFast,
    examples: list[Example],
    epochs: int,
    precision: torch.dtype,
) -> Ear:
    """Tune the whole network, and give the mean of its last steps.

    The rate rises for a sixteenth of the steps, then falls.
    """
    rng = random.Random(SEED)
    steps = epochs * -(-len(examples) // BATCH)
    heads = [p for n, p in ear.named_parameters() if not n.startswith("encoder")]
    optimiser = torch.optim.AdamW(
        [
            {"params": ear.encoder.parameters(), "lr": PEAK_RATE},
            {"params": heads, "lr": HEAD_RATE},
        ],
        weight_decay=0.01,
        fused=True,
    )
    mean = AveragedModel(ear, multi_avg_fn=get_ema_multi_avg_fn(1 - 1 / AVERAGE_OVER))
    warm = max(steps // 16, 1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda s: min((s + 1) / warm, max(0.0, (steps - s) / max(steps - warm, 1))),
    )
    start, done = time.monotonic(), 0
    for epoch in range(epochs):
        now = mixed(windowed(ear, tokenizer, examples, rng), rng)
        ear.train()
        total = 0.0
        made = batches(now, rng)
        for batch in made:
            texts = [e.noisy(rng) for e in batch]
            with torch.autocast("cpu", precision, enabled=precision is not torch.float):
                heard = ear(**encode(tokenizer, texts))
            loss = losses(tuple(h.float() for h in heard), batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(ear.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            mean.update_parameters(ear)
            total += float(loss.detach())
            done += len(batch)
        speed = done / (time.monotonic() - start)
        print(
            f"epoch {epoch + 1}: loss {total / len(made):.4f}, {speed:.1f} texts/s",
            flush=True,
        )
    return mean.module


def mix_in(ear: Ear, earlier: dict[str, torch.Tensor]) -> None:
    """Take a part of each weight from an earlier run that began at the same point.

    Such a mean errs less than either: they are wrong about different texts.
    """
    mixed_weights = {
        name: (1 - EARLIER) * weight + EARLIER * earlier[name]
        if weight.is_floating_point()
        else weight
        for name, weight in ear.state_dict().items()
    }
    ear.load_state_dict(mixed_weights)


def export(
    ear: Ear, tokenizer: PreTrainedTokenizerFast, out: Path, topics: list[str]
) -> None:
    """Write the network in 8-bit ONNX form, its labels, and the tokenizer."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    out.mkdir(parents=True, exist_ok=True)
    ear.eval()
    sample = encode(tokenizer, ["he was kind today", "a"])
    whole = out / "ear.fp32.onnx"
    names = ["level", "cards", "about", "time", "patterns", "topic", "guard"]
    axes = {name: {0: "texts"} for name in names}
    axes |= {name: {0: "texts", 1: "tokens"} for name in sample}
    torch.onnx.export(
        ear,
        (sample["input_ids"], sample["attention_mask"]),
        str(whole),
        input_names=list(sample),
        output_names=names,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    # A scale for each channel loses next to nothing. Seven bits, since processors of
    # before 2019 would overflow on eight and hear something else.
    quantize_dynamic(
        whole,
        out / "ear.onnx",
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
    )
    whole.unlink()
    tokenizer.backend_tokenizer.save(str(out / "tokenizer.json"))
    labels = {
        "levels": LEVELS,
        "cards": CARDS,
        "abouts": ABOUTS,
        "times": TIMES,
        "patterns": PATTERNS,
        "topics": topics,
        "guard": [*GUARD, "any"],
        "max_tokens": MAX_TOKENS,
    }
    (out / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", "utf-8")


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument(
        "--exact",
        action="store_true",
        help="compute in 32 bits; the default, bfloat16, is twice as quick where the "
        "processor has it",
    )
    parser.add_argument("--keep", type=Path, help="also keep the weights here")
    parser.add_argument(
        "--with-earlier", type=Path, help="mix in the weights that an earlier run kept"
    )
    args = parser.parse_args()
    torch.manual_seed(SEED)
    np.random.seed(SEED)
    torch.set_num_threads(2)
    topics, topical = load_topics()
    examples = load() + topical + load_guard()
    print(f"{len(examples)} texts")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(args.base / "tokenizer.json"),
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        unk_token="[UNK]",
        mask_token="[MASK]",
    )
    ear = Ear(args.base, len(topics))
    ear.begin_at_means(tokenizer, examples)
    precision = torch.float if args.exact else torch.bfloat16
    ear = train(ear, tokenizer, examples, args.epochs, precision)
    if args.keep:
        torch.save(ear.state_dict(), args.keep)
    if args.with_earlier:
        mix_in(ear, torch.load(args.with_earlier))
    export(ear, tokenizer, args.out, topics)


if __name__ == "__main__":
    main()

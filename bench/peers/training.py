#!/usr/bin/env python3
"""Training tokens per second in PyTorch: four layers, width 128, 8 heads, L = 128, 32 sequences a step; forward, backward, AdamW.

RoPE and ALiBi go through PyTorch's fused attention, DAPE-Kerple keeps its scores and hidden values. Eager and torch.compile (of the model, not of the
optimiser).
"""
import torch
from torch.nn import functional

from common import TRAIN_LENGTH, Report, agree, in_mode, parsed, parser, some_of
from formulas import tiny_inputs
from model import ATTENTIONS, MODEL_HEADS, VOCABULARY, Model, loop_attention


def check():
    q, k, v = tiny_inputs()
    for name, make in ATTENTIONS.items():
        attention = make(2)
        with torch.no_grad():
            agree(f"attention of {name}", attention(q, k, v), loop_attention(attention, q, k, v))


def optimiser_of(model):
    """The fused form where this PyTorch has one for the processor."""
    try:
        return torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    except (RuntimeError, TypeError):
        return torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.1)


def train(report, given, name, mode):
    model = Model(name)
    optimiser = optimiser_of(model)
    run = in_mode(model, mode)
    tokens, targets = (torch.randint(VOCABULARY, (given.batch, given.length)) for _ in range(2))

    def step():
        loss = functional.cross_entropy(run(tokens).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()

    report.measure(f"training step, {name}, {mode}", step, f"{given.batch} x {given.length}", (given.batch * given.length, "tokens"))


def main():
    made = parser(__doc__)
    made.add_argument("--batch", type=int, default=32, help="sequences a step (32)")
    made.add_argument("--length", type=int, default=TRAIN_LENGTH, help="tokens of a sequence (128)")
    made.add_argument("--schemes", default="RoPE,ALiBi,DAPE-Kerple", help=f"some of {', '.join(ATTENTIONS)} (RoPE,ALiBi,DAPE-Kerple)")
    given = parsed(made)
    if given.check:
        return check()
    schemes = some_of(made, "--schemes", given.schemes, ATTENTIONS)
    report = Report(given, f"Training steps, 4 layers, width 128, {MODEL_HEADS} heads, vocabulary {VOCABULARY}")
    for mode in given.modes:
        for name in schemes:
            train(report, given, name, mode)
    return report.finish()


if __name__ == "__main__":
    main()

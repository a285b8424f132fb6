#!/usr/bin/env python3
"""Perplexity of one sequence of 8,192 tokens in PyTorch: the whole sequence through four layers of width 128, its last 64 tokens scored.

RoPE goes through PyTorch's fused attention; the others in blocks of 256 query rows, which is what lets them fit. Weights and tokens are
random, so the perplexity itself is near the vocabulary's size: what is compared is the time.
"""
import math

import torch
from torch.nn import functional

from common import Report, agree, in_mode, parsed, parser, some_of
from model import ATTENTIONS, VOCABULARY, Model


def perplexity(run, tokens, scored, in_blocks):
    """exp of the mean loss of the last `scored` tokens, each predicted by the one before; tokens [1, T + 1]."""
    logits = run(tokens[:, :-1], last=scored, in_blocks=in_blocks)                       # [1, scored, V]
    return torch.exp(functional.cross_entropy(logits.flatten(0, 1), tokens[0, -scored:]))


def loop_perplexity(logits, tokens, scored):
    """From the logits [T, V] of all tokens, number by number."""
    total = 0.0
    for place in range(len(logits) - scored, len(logits)):
        row = [x.item() for x in logits[place]]
        total += math.log(sum(math.exp(x) for x in row)) - row[tokens[place + 1].item()]
    return math.exp(total / scored)


def check():
    length, scored = 300, 20  # longer than a block of rows
    for name in ATTENTIONS:
        model = Model(name, layers=2, width=16, heads=2, vocabulary=11)
        tokens = torch.randint(11, (1, length + 1))
        with torch.no_grad():
            expected = loop_perplexity(model(tokens[:, :-1])[0], tokens[0], scored)
            agree(f"perplexity with {name}, in blocks of rows", perplexity(model, tokens, scored, True), expected, 1e-3)


def main():
    made = parser(__doc__)
    made.add_argument("--length", type=int, default=8192, help="tokens read (8192)")
    made.add_argument("--scored", type=int, default=64, help="tokens scored at the end (64)")
    made.add_argument("--schemes", default="RoPE,ALiBi,Kerple,DAPE-Kerple", help="some of these (all)")
    given = parsed(made)
    if given.check:
        return check()
    schemes = some_of(made, "--schemes", given.schemes, ATTENTIONS)
    report = Report(given, "Perplexity of one sequence, 4 layers, width 128, 8 heads")
    tokens = torch.randint(VOCABULARY, (1, given.length + 1))
    for mode in given.modes:
        for name in schemes:
            model = Model(name).eval()
            for block in model.blocks:  # blocks of rows have many shapes, so it is the attention that is compiled for any of them
                block.attention.forward = in_mode(block.attention.forward, mode, dynamic=True)
            with torch.no_grad():
                report.measure(f"perplexity, {name}, {mode}", lambda: perplexity(model, tokens, given.scored, True), f"1 x {given.length}")
    return report.finish()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Learned static biases (T5, KERPLE, FIRE) in one attention layer, H = 8, d = 32, forward and backward with the bias's own gradient.

The bias of every cell is made and kept. "written out" is matmul, softmax, matmul; "sdpa" hands the bias to scaled_dot_product_attention as its
mask, for which PyTorch has no fused backward where the mask learns.
"""
import torch
from torch import nn
from torch.nn import functional

from common import HEADS, HEAD_WIDTH, Report, agree, in_mode, parsed, parser, sizes
from formulas import T5, BiasedAttention, Fire, Kerple, future, loop_bias, loop_probabilities, tiny_inputs

BIASES = {"T5": T5, "KERPLE": Kerple, "FIRE": Fire}


class MaskedAttention(nn.Module):
    """The bias as the mask of scaled_dot_product_attention."""

    def __init__(self, bias):
        super().__init__()
        self.bias = bias

    def forward(self, q, k, v):
        mask = self.bias(q.size(2), k.size(2)).masked_fill(future(q.size(2), k.size(2)), float("-inf"))  # [H, T, T]
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask.unsqueeze(0))


WAYS = {"written out": BiasedAttention, "sdpa": MaskedAttention}


def check_far_cells(name, make):
    """Distances beyond those of a tiny case: the last row of a longer one."""
    bias, length = make(), 300
    with torch.no_grad():
        row = bias(1, length, length - 1)[:, 0]
    agree(f"{name}, a row of {length}", row, [[loop_bias(bias, h, length - 1, j) for j in range(length)] for h in range(HEADS)])


def check():
    q, k, v = tiny_inputs()
    for name, make in BIASES.items():
        bias = make(heads=2)
        expected = loop_probabilities(BiasedAttention(bias), q, k) @ v.double()
        with torch.no_grad():
            for way, attention in WAYS.items():
                agree(f"{name}, {way}", attention(bias)(q, k, v), expected)
        check_far_cells(name, make)


def training(report, name, way, mode, size):
    batch, length = size
    attention = WAYS[way](BIASES[name]())
    tensors = [torch.randn(batch, length, HEADS, HEAD_WIDTH).transpose(1, 2).requires_grad_(True) for _ in range(3)]
    weights = torch.randn(batch, length, HEADS, HEAD_WIDTH).transpose(1, 2)
    run = in_mode(attention, mode)

    def work():
        run(*tensors).backward(weights)
        for x in (*tensors, *attention.parameters()):
            x.grad = None

    report.measure(f"{name}, forward and backward, {way}, {mode}", work, f"{batch} x {length}")


def main():
    made = parser(__doc__)
    made.add_argument("--sizes", default="2x1024", help="sequences x length (2x1024)")
    given = parsed(made)
    if given.check:
        return check()
    shapes = sizes(made, "--sizes", given.sizes)
    report = Report(given, "One attention layer with a learned static bias, H = 8, d = 32")
    for mode in given.modes:
        for way in WAYS:
            for name in BIASES:
                for size in shapes:
                    training(report, name, way, mode, size)
    return report.finish()


if __name__ == "__main__":
    main()

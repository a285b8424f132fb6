#!/usr/bin/env python3
"""One DAPE-Kerple attention layer as one usually writes it in PyTorch: H = 8, d = 32, D = 32, all scores and hidden values in memory.

Forward alone, and forward and backward, by torch eager and torch.compile; "linear" permutes the heads to the last axis as the
published code does, "conv" writes the same as 1 x 1 convolutions. Sizes are sequences x length; from --rows-from tokens on, blocks of 256
query rows stand in, because the hidden values of all rows would not fit.
"""
import torch

from common import HEADS, HEAD_WIDTH, HIDDEN, Report, agree, fits, in_mode, parsed, parser, sizes, some_of
from formulas import BiasedAttention, Dape, Kerple, by_rows, loop_probabilities, tiny_inputs

ROWS = 256


def layer(form, heads=HEADS, hidden=HIDDEN):
    return BiasedAttention(Kerple(heads), Dape(heads, hidden, form))


def check_golden():
    """f at two cells of a worked example with H = 2, D = 3: W1, W2, S from small integers, ALiBi with slopes 1/16 and 1/256."""
    network = Dape(2, 3)
    with torch.no_grad():
        network.first.weight.copy_(torch.tensor([[0.1 * ((3 * d + 5 * c) % 7 - 3) for c in range(4)] for d in range(3)]))
        network.first.bias.copy_(torch.tensor([0.05 * (d - 1) for d in range(3)]))
        network.second.weight.copy_(torch.tensor([[0.2 * ((2 * h + 3 * d) % 5 - 2) for d in range(3)] for h in range(2)]))
        network.second.bias.copy_(torch.tensor([0.1 * h - 0.05 for h in range(2)]))
    scores = torch.tensor([[[[0.3 * ((7 * h + 3 * i + 5 * j) % 9 - 4) for j in range(4)] for i in range(4)] for h in range(2)]])
    bias = torch.tensor([[[-slope * max(i - j, 0) for j in range(4)] for i in range(4)] for slope in (0.0625, 0.00390625)])
    f = network(scores, bias)[0]
    agree("worked example of DAPE, row 3", f[:, 3], [[-0.24701688, -0.06983125, -0.23464562, -0.09508], [0.05055422, 0.06628125, 0.05085141, 0.096]], 1e-6)


def check():
    check_golden()
    q, k, v = tiny_inputs()
    for form in ("linear", "conv"):
        attention = layer(form, heads=2, hidden=3)
        expected = loop_probabilities(attention, q, k) @ v.double()
        with torch.no_grad():
            agree(f"DAPE-Kerple, {form}", attention(q, k, v), expected)
            agree(f"DAPE-Kerple, {form}, in blocks of 3 rows", by_rows(attention, q, k, v, 3), expected)


def inputs(batch, length, gradient):
    return [torch.randn(batch, length, HEADS, HEAD_WIDTH).transpose(1, 2).requires_grad_(gradient) for _ in range(3)]


def scores_bytes(batch, length, copies):
    """About `copies` times the hidden values of all cells."""
    return copies * 4 * HIDDEN * batch * length * length


def forward(report, given, form, mode, batch, length):
    attention = layer(form)
    q, k, v = inputs(batch, length, False)
    blocks = length >= given.rows_from
    run = in_mode(attention, mode, dynamic=True if blocks else None)
    work = (lambda: by_rows(run, q, k, v, ROWS)) if blocks else (lambda: run(q, k, v))
    if not blocks and not fits(scores_bytes(batch, length, 3), f"forward, {batch} x {length}"):
        return
    with torch.no_grad():
        seconds = report.measure(f"forward, {form}, {mode}" + (", blocks of rows" if blocks else ""), work, f"{batch} x {length}")
        if seconds is not None and mode == "compiled" and not blocks:
            agree("compiled", run(q, k, v), attention(q, k, v), 1e-4, "eager")


def training(report, form, mode, batch, length):
    if not fits(scores_bytes(batch, length, 6), f"forward and backward, {batch} x {length}"):
        return
    attention = layer(form)
    tensors = inputs(batch, length, True)
    weights = torch.randn(batch, length, HEADS, HEAD_WIDTH).transpose(1, 2)
    run = in_mode(attention, mode)

    def work():
        run(*tensors).backward(weights)
        for x in (*tensors, *attention.parameters()):
            x.grad = None

    report.measure(f"forward and backward, {form}, {mode}", work, f"{batch} x {length}")


def main():
    made = parser(__doc__)
    made.add_argument("--forward", default="1x1024,1x2048,1x8192", help="sizes of the forward pass (1x1024,1x2048,1x8192)")
    made.add_argument("--training", default="16x128,4x512", help="sizes of forward and backward (16x128,4x512)")
    made.add_argument("--rows-from", type=int, default=4096, help="length from which blocks of rows stand in (4096)")
    made.add_argument("--forms", default="linear,conv", help="linear, conv or both (both)")
    given = parsed(made)
    if given.check:
        return check()
    forms = some_of(made, "--forms", given.forms, ("linear", "conv"))
    forward_sizes, training_sizes = sizes(made, "--forward", given.forward), sizes(made, "--training", given.training)
    report = Report(given, "One DAPE-Kerple layer, H = 8, d = 32, D = 32")
    for mode in given.modes:
        for form in forms:
            for batch, length in forward_sizes:
                forward(report, given, form, mode, batch, length)
            for batch, length in training_sizes:
                training(report, form, mode, batch, length)
    return report.finish()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Eight head maps of one layer at T = 8,192 as one usually draws them: probabilities by PyTorch, pictures by matplotlib, one PNG.

Every cell of all heads is computed in blocks of rows and kept (2.1 GB at 8,192). "every cell" hands whole maps to imshow, which makes the
pixels; "pooled" lets PyTorch take the largest of each pixel's cells first.
"""
import pathlib
import tempfile

import torch
from torch.nn import functional

from common import HEADS, HEAD_WIDTH, Report, agree, fits, in_mode, parsed, parser
from formulas import BiasedAttention, Dape, Kerple, loop_probabilities, tiny_inputs

ROWS, PIXELS = 256, 512
SCHEMES = {"Kerple": lambda: BiasedAttention(Kerple()), "DAPE-Kerple": lambda: BiasedAttention(Kerple(), Dape())}


def maps_of(probabilities, q, k):
    """[H, T, T], zero above the diagonal, computed in blocks of rows."""
    length = q.size(2)
    maps = torch.zeros(q.size(1), length, length)
    for begin in range(0, length, ROWS):
        end = min(begin + ROWS, length)
        maps[:, begin:end, :end] = probabilities(q[:, :, begin:end], k[:, :, :end], begin)[0]
    return maps


def pooled(maps, pixels=PIXELS):
    """The largest of each pixel's cells, at most `pixels` along each side."""
    cells = max(1, -(-maps.size(1) // pixels))
    return functional.max_pool2d(maps.unsqueeze(0), cells, ceil_mode=True)[0]


def check():
    global ROWS
    ROWS = 3
    q, k, _ = tiny_inputs(batch=1)
    attention = BiasedAttention(Kerple(2), Dape(2, 3))
    expected = loop_probabilities(attention, q, k)[0]
    with torch.no_grad():
        maps = maps_of(attention.probabilities, q, k)
    agree("head maps of DAPE-Kerple in blocks of rows", maps, expected)
    largest = [[[expected[h, 4 * r:4 * r + 4, 4 * c:4 * c + 4].max().item() for c in range(2)] for r in range(2)] for h in range(2)]
    agree("pooled head maps", pooled(maps, 2), largest)


def drawing(file):
    """A function that draws [H, T, T] into a file, or None without matplotlib."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("matplotlib is not installed, so only the computing is measured; \"python3 -m pip install matplotlib\" brings the drawing too.", flush=True)
        return None

    def draw(maps):
        figure, axes = pyplot.subplots(2, 4, figsize=(20.48, 10.24), dpi=100)
        for axis, head in zip(axes.flat, maps):
            axis.imshow(head.numpy(), aspect="auto", cmap="viridis")
            axis.set_axis_off()
        figure.savefig(file)
        pyplot.close(figure)

    return draw


def measure(report, given, name, mode, draw):
    attention = SCHEMES[name]()
    q, k = (torch.randn(1, HEADS, given.length, HEAD_WIDTH) for _ in range(2))
    probabilities = in_mode(attention.probabilities, mode, dynamic=True)
    size = f"{given.length}"
    with torch.no_grad():
        report.measure(f"eight maps, {name}, {mode}: computing alone", lambda: maps_of(probabilities, q, k), size)
        if draw is None:
            return
        report.measure(f"eight maps, {name}, {mode}: and pooled, drawn", lambda: draw(pooled(maps_of(probabilities, q, k))), size)
        report.measure(f"eight maps, {name}, {mode}: and every cell drawn", lambda: draw(maps_of(probabilities, q, k)), size)


def main():
    made = parser(__doc__)
    made.add_argument("--length", type=int, default=8192, help="queries and keys (8192)")
    made.add_argument("--png", metavar="FILE", help="keep the picture there")
    given = parsed(made)
    if given.check:
        return check()
    if not fits(2 * 4 * HEADS * given.length ** 2, f"eight maps at {given.length:,}"):
        return None
    report = Report(given, f"Eight head maps at T = {given.length:,}")
    with tempfile.TemporaryDirectory() as folder:
        draw = drawing(given.png or pathlib.Path(folder) / "maps.png")
        for mode in given.modes:
            for name in SCHEMES:
                measure(report, given, name, mode, draw)
    return report.finish()


if __name__ == "__main__":
    main()

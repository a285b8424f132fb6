#!/usr/bin/env python3
"""Does it pay to train several seeds as one stacked model?

Compares, in one run and interleaved, the rate of S models of one shape (other weights, other batches) that are trained one after the other
with the rate of the same S models whose weights lie in one tensor [S, ...] and go through one batched product each (torch.baddbmm).
The model is a causal transformer of the demo's shape without a positional method: those cost the same either way.

    python3 bench/peers/stacked.py --seeds 1 2 4 --width 128 --length 128 --batch 16 --threads 1
"""

import argparse
import json
import time

import torch
import torch.nn.functional as F


def parameters(shape, seeds):
    """Weights [S, in, out] and biases [S, 1, out] of all layers, initialised per seed."""
    width, ffn, layers, vocabulary = shape.width, shape.ffn, shape.layers, shape.vocabulary
    sizes = {"embedding": (vocabulary, width)}
    for layer in range(layers):
        for name, (rows, columns) in {"qkv": (width, 3 * width), "out": (width, width), "up": (width, ffn), "down": (ffn, width)}.items():
            sizes[f"{layer}.{name}"] = (rows, columns)
            sizes[f"{layer}.{name}.bias"] = (1, columns)
        for name in ("norm1", "norm2"):
            sizes[f"{layer}.{name}"] = (1, width)
    values = {}
    for name, size in sizes.items():
        one = [torch.full(size, 1.0) if "norm" in name else torch.zeros(size) if "bias" in name
               else torch.randn(size, generator=torch.Generator().manual_seed(seed)) * 0.02 for seed in range(seeds)]
        values[name] = torch.nn.Parameter(torch.stack(one).to(shape.device))
    return values


def norm(x, gain):
    return F.layer_norm(x, x.shape[-1:]) * gain


def loss_of(weights, tokens, shape):
    """tokens [S, B, T + 1] -> sum over seeds of the mean loss: the gradients of the seeds do not meet."""
    seeds, batch, length = tokens.shape[0], tokens.shape[1], tokens.shape[2] - 1
    rows = batch * length
    inputs = tokens[:, :, :-1].reshape(seeds, rows)
    x = torch.stack([F.embedding(inputs[s], weights["embedding"][s]) for s in range(seeds)])  # [S, B*T, E]
    heads, head_width = shape.heads, shape.width // shape.heads
    for layer in range(shape.layers):
        qkv = torch.baddbmm(weights[f"{layer}.qkv.bias"], norm(x, weights[f"{layer}.norm1"]), weights[f"{layer}.qkv"])
        q, k, v = qkv.view(seeds * batch, length, 3, heads, head_width).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(seeds, rows, shape.width)
        x = x + torch.baddbmm(weights[f"{layer}.out.bias"], mixed, weights[f"{layer}.out"])
        hidden = F.gelu(torch.baddbmm(weights[f"{layer}.up.bias"], norm(x, weights[f"{layer}.norm2"]), weights[f"{layer}.up"]))
        x = x + torch.baddbmm(weights[f"{layer}.down.bias"], hidden, weights[f"{layer}.down"])
    logits = torch.bmm(x, weights["embedding"].transpose(1, 2))
    targets = tokens[:, :, 1:].reshape(seeds * rows)
    return F.cross_entropy(logits.view(seeds * rows, -1), targets, reduction="sum") / rows


class Trainer:
    """One optimiser step at a time, of one model or of a stack of them."""

    def __init__(self, shape, seeds):
        self.shape, self.seeds = shape, seeds
        self.weights = parameters(shape, seeds)
        self.optimiser = torch.optim.AdamW(self.weights.values(), lr=1e-3, foreach=True)

    def step(self):
        tokens = torch.randint(self.shape.vocabulary, (self.seeds, self.shape.batch, self.shape.length + 1), device=self.shape.device)
        self.optimiser.zero_grad(set_to_none=True)
        loss_of(self.weights, tokens, self.shape).backward()
        self.optimiser.step()
        if self.shape.device != "cpu":
            torch.cuda.synchronize()


def seconds(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measure(shape, seeds):
    alone = [Trainer(shape, 1) for _ in range(seeds)]
    stacked = Trainer(shape, seeds)

    def one_after_the_other():
        for trainer in alone:
            trainer.step()

    for action in (one_after_the_other, stacked.step):  # warm
        action()
    times = {"alone": [], "stacked": []}
    for _ in range(shape.repeats):
        times["alone"].append(seconds(one_after_the_other))
        times["stacked"].append(seconds(stacked.step))
    tokens = seeds * shape.batch * shape.length
    best = {name: min(values) for name, values in times.items()}
    return {"seeds": seeds, "alone_tokens_per_second": tokens / best["alone"], "stacked_tokens_per_second": tokens / best["stacked"],
            "gain": best["alone"] / best["stacked"]}


def check(shape):
    """The stack's gradients are those of its models by themselves."""
    stacked = Trainer(shape, 2)
    tokens = torch.randint(shape.vocabulary, (2, shape.batch, shape.length + 1), device=shape.device)
    loss_of(stacked.weights, tokens, shape).backward()
    for seed in range(2):
        alone = {name: torch.nn.Parameter(value.detach()[seed:seed + 1].clone()) for name, value in stacked.weights.items()}
        loss_of(alone, tokens[seed:seed + 1], shape).backward()
        for name, value in alone.items():
            torch.testing.assert_close(stacked.weights[name].grad[seed:seed + 1], value.grad, rtol=1e-3, atol=1e-6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 4])
    for name, value in {"layers": 4, "width": 128, "heads": 8, "ffn": 96, "vocabulary": 1024, "length": 128, "batch": 16, "threads": 2, "repeats": 8}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--json", action="store_true")
    shape = parser.parse_args()
    torch.set_num_threads(shape.threads)
    check(shape)
    rows = [measure(shape, seeds) for seeds in shape.seeds]
    if shape.json:
        print(json.dumps({"torch": torch.__version__, "threads": shape.threads, "device": shape.device, "rows": rows}, indent=1))
        return
    print(f"torch {torch.__version__}, {shape.device}, {shape.threads} threads, {shape.layers} x {shape.width}, L = {shape.length}, batch {shape.batch}; minimum of {shape.repeats}")
    print("seeds   one after the other       stacked      gain")
    for row in rows:
        print(f"{row['seeds']:5d}   {row['alone_tokens_per_second']:10.0f} tokens/s   {row['stacked_tokens_per_second']:10.0f}   {row['gain']:.2f} x")


if __name__ == "__main__":
    main()

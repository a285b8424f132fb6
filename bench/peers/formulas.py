"""Positional formulas as one usually writes them in PyTorch, and the same once more as explicit loops to check them by.

i = query, j = key, δ = max(i − j, 0), H heads of width d, S = QKᵀ/√d. All additive biases go onto S unscaled.
"""
import math

import torch
from torch import nn
from torch.nn import functional

from common import HEADS, HIDDEN, TRAIN_LENGTH


def distances(queries, keys, first_query=0):
    """δ of queries first_query … and keys 0 …, [Tq, Tk] float32."""
    i = torch.arange(first_query, first_query + queries).unsqueeze(1)
    return (i - torch.arange(keys)).clamp_min(0).float()


def future(queries, keys, first_query=0):
    """True above the diagonal, [Tq, Tk]."""
    return torch.arange(keys) > torch.arange(first_query, first_query + queries).unsqueeze(1)


class Alibi(nn.Module):
    """B = −m_h δ with m_h = 2^(−8(h + 1)/H), H a power of two. Not learned."""

    def __init__(self, heads=HEADS):
        super().__init__()
        self.register_buffer("slopes", torch.tensor([2 ** (-8 * (h + 1) / heads) for h in range(heads)]))

    def forward(self, queries, keys, first_query=0):
        return -self.slopes.view(-1, 1, 1) * distances(queries, keys, first_query)  # [H, Tq, Tk]


class Kerple(nn.Module):
    """B = −p_h ln(1 + a_h δ), p and a kept at or above 0.01 (logarithmic form)."""

    def __init__(self, heads=HEADS):
        super().__init__()
        self.p = nn.Parameter(torch.rand(heads, 1, 1) * 2)
        self.a = nn.Parameter(torch.rand(heads, 1, 1))

    def forward(self, queries, keys, first_query=0):
        return -self.p.clamp_min(0.01) * torch.log1p(self.a.clamp_min(0.01) * distances(queries, keys, first_query))  # [H, Tq, Tk]


class T5(nn.Module):
    """B = √d · table[bucket(δ)][h]: 32 buckets, those below 16 exact, then logarithmic up to distance 128."""

    def __init__(self, heads=HEADS, width=32, buckets=32, farthest=128):
        super().__init__()
        self.table = nn.Parameter(torch.randn(buckets, heads) * math.sqrt(2 / (buckets + heads)))
        self.multiplier, self.exact, self.farthest = math.sqrt(width), buckets // 2, farthest

    def bucket(self, delta):
        ramp = torch.log(delta.clamp_min(self.exact) / self.exact) / math.log(self.farthest / self.exact) * self.exact
        far = (self.exact + torch.floor(ramp + 1e-5)).clamp_max(2 * self.exact - 1)  # float32 must not round a whole number to just below it
        return torch.where(delta < self.exact, delta, far).long()

    def forward(self, queries, keys, first_query=0):
        rows = functional.embedding(self.bucket(distances(queries, keys, first_query)), self.table)  # [Tq, Tk, H]
        return (rows * self.multiplier).permute(2, 0, 1)                                             # [H, Tq, Tk]


class Fire(nn.Module):
    """B = g(ψ(δ) / (ψ(max(i, τ)) + 1e−6)), ψ(x) = ln(|c x| + 1), τ = |m L|, g: 1 → 32 → H with ReLU; c, m and g learned."""

    def __init__(self, heads=HEADS, threshold=TRAIN_LENGTH, hidden=32):
        super().__init__()
        self.g = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, heads))
        self.c = nn.Parameter(torch.tensor(0.1))
        self.m = nn.Parameter(torch.tensor(1.0))
        self.threshold = threshold

    def psi(self, x):
        return torch.log1p((self.c * x).abs())

    def forward(self, queries, keys, first_query=0):
        i = torch.arange(first_query, first_query + queries).float().unsqueeze(1)
        denominator = self.psi(torch.maximum(i, (self.m * self.threshold).abs())) + 1e-6              # [Tq, 1]
        x = self.psi(distances(queries, keys, first_query)) / denominator                             # [Tq, Tk]
        return self.g(x.unsqueeze(-1)).permute(2, 0, 1)                                               # [H, Tq, Tk]


class Dape(nn.Module):
    """f = W2 leaky(W1 [S; B] + b1) + b2 over the heads of every cell, 2H → D → H; "linear" is how it is published, "conv" the same by 1 × 1 convolutions."""

    def __init__(self, heads=HEADS, hidden=HIDDEN, form="linear"):
        super().__init__()
        self.first, self.second, self.form = nn.Linear(2 * heads, hidden), nn.Linear(hidden, heads), form

    def forward(self, scores, bias):
        both = torch.cat((scores, bias.unsqueeze(0).expand_as(scores)), 1)                            # [B, 2H, Tq, Tk]
        if self.form == "conv":
            hidden = functional.conv2d(both, self.first.weight[:, :, None, None], self.first.bias)    # [B, D, Tq, Tk]
            return functional.conv2d(functional.leaky_relu(hidden, 0.01), self.second.weight[:, :, None, None], self.second.bias)
        hidden = functional.leaky_relu(self.first(both.permute(0, 2, 3, 1)), 0.01)                    # [B, Tq, Tk, D]
        return self.second(hidden).permute(0, 3, 1, 2)                                                # [B, H, Tq, Tk]


class BiasedAttention(nn.Module):
    """softmax(S + B, with DAPE + f(S, B)) V, causal, every score in memory. Also for some rows of queries against the keys up to their own."""

    def __init__(self, bias=None, adaptive=None):
        super().__init__()
        self.bias, self.adaptive = bias, adaptive

    def probabilities(self, q, k, first_query=0):
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))                                      # [B, H, Tq, Tk]
        logits = scores
        if self.bias is not None:
            bias = self.bias(q.size(2), k.size(2), first_query)                                       # [H, Tq, Tk]
            logits = scores + bias
            if self.adaptive is not None:
                logits = logits + self.adaptive(scores, bias)
        return torch.softmax(logits.masked_fill(future(q.size(2), k.size(2), first_query), float("-inf")), -1)

    def forward(self, q, k, v, first_query=0):
        return self.probabilities(q, k, first_query) @ v                                              # [B, H, Tq, d]


def by_rows(attention, q, k, v, rows=256):
    """The same in blocks of query rows, each against the keys up to its last: memory in proportion to T."""
    blocks = []
    for begin in range(0, q.size(2), rows):
        end = min(begin + rows, q.size(2))
        blocks.append(attention(q[:, :, begin:end], k[:, :, :end], v[:, :, :end], begin))
    return torch.cat(blocks, 2)


def rotated(x, base=10000.0):
    """RoPE, half-split pairs (n, n + d/2): x [B, H, T, d] at positions 0 …."""
    half = x.size(-1) // 2
    angles = torch.arange(x.size(2)).unsqueeze(1) * base ** (-torch.arange(half) / half)               # [T, d/2]
    cosine, sine = angles.cos(), angles.sin()
    first, second = x[..., :half], x[..., half:]
    return torch.cat((first * cosine - second * sine, second * cosine + first * sine), -1)


# Explicit loops over plain numbers, for --check.

def loop_bias(bias, h, i, j):
    """One cell of a bias, from its formula."""
    delta = max(i - j, 0)
    if isinstance(bias, Alibi):
        return -delta * 2 ** (-8 * (h + 1) / len(bias.slopes))
    if isinstance(bias, Kerple):
        return -max(bias.p[h].item(), 0.01) * math.log(1 + max(bias.a[h].item(), 0.01) * delta)
    if isinstance(bias, T5):
        bucket = delta if delta < 16 else min(31, 16 + math.floor(16 * math.log(delta / 16) / math.log(128 / 16) + 1e-9))
        return bias.multiplier * bias.table[bucket, h].item()
    psi = lambda x: math.log(abs(bias.c.item() * x) + 1)  # noqa: E731
    x = psi(delta) / (psi(max(i, abs(bias.m.item() * bias.threshold))) + 1e-6)
    first, second = bias.g[0], bias.g[2]
    hidden = [max(first.weight[n, 0].item() * x + first.bias[n].item(), 0) for n in range(first.out_features)]
    return sum(second.weight[h, n].item() * hidden[n] for n in range(first.out_features)) + second.bias[h].item()


def loop_logits(attention, q, k, b, i, j):
    """S + B + f of all heads at one cell."""
    heads, width = q.size(1), q.size(3)
    scores = [sum(q[b, h, i, n].item() * k[b, h, j, n].item() for n in range(width)) / math.sqrt(width) for h in range(heads)]
    if attention.bias is None:
        return scores
    biases = [loop_bias(attention.bias, h, i, j) for h in range(heads)]
    total = [s + bias for s, bias in zip(scores, biases)]
    if attention.adaptive is None:
        return total
    first, second = attention.adaptive.first, attention.adaptive.second
    inputs = scores + biases
    hidden = [sum(first.weight[n, c].item() * inputs[c] for c in range(2 * heads)) + first.bias[n].item() for n in range(first.out_features)]
    hidden = [x if x > 0 else 0.01 * x for x in hidden]
    return [total[h] + sum(second.weight[h, n].item() * hidden[n] for n in range(first.out_features)) + second.bias[h].item() for h in range(heads)]


def loop_probabilities(attention, q, k):
    """[B, H, T, T] float64."""
    batch, heads, length, _ = q.shape
    result = torch.zeros(batch, heads, length, length, dtype=torch.float64)
    for b in range(batch):
        for i in range(length):
            logits = [loop_logits(attention, q, k, b, i, j) for j in range(i + 1)]
            for h in range(heads):
                powers = [math.exp(cell[h]) for cell in logits]
                for j, power in enumerate(powers):
                    result[b, h, i, j] = power / sum(powers)
    return result


def tiny_inputs(heads=2, batch=2, length=7, width=4):
    return [torch.randn(batch, heads, length, width) for _ in range(3)]

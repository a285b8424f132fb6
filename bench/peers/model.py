"""A small decoder-only transformer as one usually writes it: LayerNorm, GELU, four times the width inside, untied output."""
import math

import torch
from torch import nn
from torch.nn import functional

from formulas import Alibi, BiasedAttention, Dape, Kerple, by_rows, future, loop_probabilities, rotated

VOCABULARY, LAYERS, WIDTH, MODEL_HEADS = 1024, 4, 128, 8
ROW_BLOCK = 256


class RopeAttention(nn.Module):
    """Turned queries and keys in PyTorch's fused causal attention."""

    def forward(self, q, k, v):
        return functional.scaled_dot_product_attention(rotated(q), rotated(k), v, is_causal=True)


class AlibiAttention(nn.Module):
    """The fixed bias as a mask of PyTorch's fused attention."""

    def __init__(self, heads):
        super().__init__()
        self.bias = Alibi(heads)

    def forward(self, q, k, v, first_query=0):
        mask = self.bias(q.size(2), k.size(2), first_query).masked_fill(future(q.size(2), k.size(2), first_query), float("-inf"))
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask.unsqueeze(0))


ATTENTIONS = {
    "RoPE": lambda heads: RopeAttention(),
    "ALiBi": AlibiAttention,
    "Kerple": lambda heads: BiasedAttention(Kerple(heads)),
    "DAPE-Kerple": lambda heads: BiasedAttention(Kerple(heads), Dape(heads)),
}


class Block(nn.Module):
    def __init__(self, scheme, width, heads):
        super().__init__()
        self.heads = heads
        self.attention_norm, self.ffn_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.ffn = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.attention = ATTENTIONS[scheme](heads)

    def forward(self, x, in_blocks=False):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.qkv(self.attention_norm(x)).chunk(3, -1))
        in_blocks = in_blocks and not isinstance(self.attention, RopeAttention)  # that one keeps no scores
        mixed = by_rows(self.attention, q, k, v, ROW_BLOCK) if in_blocks else self.attention(q, k, v)
        x = x + self.output(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.ffn(self.ffn_norm(x))


class Model(nn.Module):
    def __init__(self, scheme, layers=LAYERS, width=WIDTH, heads=MODEL_HEADS, vocabulary=VOCABULARY):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(scheme, width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens, last=0, in_blocks=False):
        """Logits of the last tokens, of all with 0: [B, T, V]."""
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, in_blocks)
        return self.head(self.norm(x[:, -last:] if last else x))


def loop_rotated(x):
    """RoPE pair by pair."""
    batch, heads, length, width = x.shape
    result = torch.zeros(x.shape, dtype=torch.float64)
    for i in range(length):
        for n in range(width // 2):
            angle = i * 10000.0 ** (-2 * n / width)
            first, second = x[:, :, i, n].double(), x[:, :, i, n + width // 2].double()
            result[:, :, i, n] = first * math.cos(angle) - second * math.sin(angle)
            result[:, :, i, n + width // 2] = second * math.cos(angle) + first * math.sin(angle)
    return result


def loop_attention(attention, q, k, v):
    """What any of the attentions should give, cell by cell."""
    if isinstance(attention, RopeAttention):
        return loop_probabilities(BiasedAttention(), loop_rotated(q), loop_rotated(k)) @ v.double()
    if isinstance(attention, AlibiAttention):
        return loop_probabilities(BiasedAttention(attention.bias), q, k) @ v.double()
    return loop_probabilities(attention, q, k) @ v.double()

#pragma once
/// What the random position maps do with their draws, apart from drawing: given draws can so be compared with published numbers.

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

/// One number per sequence, uniform in [low, high), from the default generator: [B, 1] float64. Drawn on the CPU, so that a seed
/// gives the same numbers on every device.
inline at::Tensor drawn_reals(std::int64_t sequences, double low, double high, at::Device device) {
    return at::empty({sequences, 1}, at::kDouble).uniform_(low, high).to(device);
}
/// The same for the whole numbers low .. high, both included.
inline at::Tensor drawn_integers(std::int64_t sequences, std::int64_t low, std::int64_t high, at::Device device) {
    return at::randint(low, high + 1, {sequences, 1}, at::kLong).to(at::kDouble).to(device);
}

/// CAPE: p' = (p + Δ + ε_p)·λ. indices [T]; shift, scale [B, 1]; local [B, T] -> [B, T].
inline at::Tensor augmented_positions(const at::Tensor& indices, const at::Tensor& shift, const at::Tensor& local, const at::Tensor& scale) {
    return (indices + shift + local) * scale;
}

/// PoSE: tokens before `first` keep their places, the others are moved by `skip`. indices [T]; first, skip [B, 1] -> [B, T].
inline at::Tensor skipping_positions(const at::Tensor& indices, const at::Tensor& first, const at::Tensor& skip) {
    return at::where(indices.lt(first), indices, indices + skip);
}

/// CREAM's places, each [B, 1]: how many tokens stand at each end, where the middle ends, and how long the whole text is.
struct ThreePieces {
    at::Tensor ends, middle_end, length;
};
/// The first `ends` of n tokens keep their places, the last ones stand at the end of `length`, the others end at `middle_end`.
/// indices [T] -> [B, T].
inline at::Tensor three_pieces(const at::Tensor& indices, double tokens, const ThreePieces& places) {
    const auto last_middle = tokens - places.ends - 1;  // index of the middle's last token
    const auto moved = at::where(indices.le(last_middle), indices + (places.middle_end - last_middle), indices + (places.length - tokens));
    return at::where(indices.lt(places.ends), indices, moved);
}

}  // namespace lw

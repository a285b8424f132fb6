#pragma once
/// Closed forms that some entries have beside their tile functions, for attention kernels that evaluate them cell by cell. An entry with such a form
/// derives from the class below as well; whoever knows no form keeps to tiles.

#include "core/position/slots.h"

namespace lw {

/// B_h(i, j) = second[h] · act(first · x + first_bias) + second_bias[h],  x = distance[δ] / row[i].
struct LogDistanceForm {
    at::Tensor distance;            ///< [n], one value per distance asked for, rising with the distance
    at::Tensor row;                 ///< [Tq]
    at::Tensor first, first_bias;   ///< [w]
    at::Tensor second;              ///< [H, w]
    at::Tensor second_bias;         ///< [H]
    double slope = 0;               ///< of act below 0
};

/// A bias of that form (FIRE). Gradients flow through the tensors.
class LogDistanceBias {
public:
    virtual ~LogDistanceBias() = default;
    /// distances [n] float64 >= 0, query_positions [Tq] float64.
    virtual LogDistanceForm log_distance_form(const at::Tensor& distances, const at::Tensor& query_positions) const = 0;
};

/// An adaptive term that is DAPE's network with convolutions over keys (DAPE v2).
class ConvolvedTerm {
public:
    virtual ~ConvolvedTerm() = default;
    /// As PointwiseNetwork, with w1 [D, C, k] and w2 [H, D, k].
    virtual PointwiseNetwork convolved_network() const = 0;
};

}  // namespace lw

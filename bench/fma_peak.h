#pragma once
/// The multiply-add rate that the instruction set in use reaches here and now: what kernels are measured against.

namespace lw::bench {

/// GFLOP/s of the calling thread over about a millisecond, two operations a multiply-add.
double fma_rate();

}  // namespace lw::bench

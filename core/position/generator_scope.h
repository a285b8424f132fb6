#pragma once
/// Random numbers of one piece of work that leave everybody else's generator as it was.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace lw {

/// Seeds the default CPU generator, and puts its old state back at the end.
class GeneratorScope {
public:
    explicit GeneratorScope(std::uint64_t seed);
    ~GeneratorScope();
    GeneratorScope(const GeneratorScope&) = delete;
    GeneratorScope& operator=(const GeneratorScope&) = delete;

private:
    at::Tensor state_;
};

}  // namespace lw

#pragma once
/// Draws from the process's default generator inside a scope only: its state is put back afterwards, so that building a
/// model never shifts anybody else's random numbers.

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>



namespace lw {

class SeedScope {
public:
    explicit SeedScope(std::uint64_t seed) : generator_(at::globalContext().defaultGenerator(at::kCPU)), saved_(generator_.get_state()) {
        generator_.set_current_seed(seed);
    }
    ~SeedScope() { generator_.set_state(saved_); }
    SeedScope(const SeedScope&) = delete;
    SeedScope& operator=(const SeedScope&) = delete;

private:
    at::Generator generator_;
    at::Tensor saved_;
};

}  // namespace lw

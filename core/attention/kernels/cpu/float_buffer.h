#pragma once
/// Floats at addresses that suit any vector and cache line. Not initialised.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace lw::kernels {

class FloatBuffer {
public:
    FloatBuffer() = default;
    explicit FloatBuffer(std::int64_t count) : data_(count > 0 ? allocated(count) : nullptr) {}
    [[nodiscard]] float* data() { return data_.get(); }
    [[nodiscard]] const float* data() const { return data_.get(); }
    [[nodiscard]] explicit operator bool() const { return data_ != nullptr; }

private:
    struct Free {
        void operator()(float* data) const { std::free(data); }
    };
    static float* allocated(std::int64_t count) {
        constexpr std::size_t kLine = 64;
        const auto bytes = (static_cast<std::size_t>(count) * sizeof(float) + kLine - 1) / kLine * kLine;
        void* data = std::aligned_alloc(kLine, bytes);
        if (data == nullptr) throw std::bad_alloc();
        return static_cast<float*>(data);
    }

    std::unique_ptr<float, Free> data_;
};

}  // namespace lw::kernels

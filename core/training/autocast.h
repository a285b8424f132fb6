#pragma once
/// bf16 autocast on a GPU inside a scope; the earlier setting comes back.

#include <ATen/autocast_mode.h>

namespace lw {

class AutocastScope {
public:
    explicit AutocastScope(bool on) : on_(on) {
        if (!on_) return;
        enabled_before_ = at::autocast::is_autocast_enabled(at::kCUDA);
        type_before_ = at::autocast::get_autocast_dtype(at::kCUDA);
        at::autocast::set_autocast_enabled(at::kCUDA, true);
        at::autocast::set_autocast_dtype(at::kCUDA, at::kBFloat16);
        at::autocast::increment_nesting();
    }
    ~AutocastScope() {
        if (!on_) return;
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(at::kCUDA, enabled_before_);
        at::autocast::set_autocast_dtype(at::kCUDA, type_before_);
    }
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    bool on_;
    bool enabled_before_ = false;
    at::ScalarType type_before_ = at::kBFloat16;
};

}  // namespace lw

/// The verbs on schemes: core/position throws, the API returns.

#include "core/api/encoder.h"
#include "core/lab/guard.h"
#include "core/position/catalogue.h"
#include "core/position/encoder.h"

namespace lw {

Result<MethodInfo> describe_method(const std::string& slot, const std::string& id) {
    return guarded<MethodInfo>([&] { return method_or_throw(slot, id); });
}

Result<SchemeSpec> check_scheme(const SchemeSpec& scheme) {
    return guarded<SchemeSpec>([&] { return checked_scheme(scheme); });
}

Result<SchemeSpec> encoder_scheme(const SchemeSpec& scheme) {
    return guarded<SchemeSpec>([&] { return for_encoder(scheme); });
}

Result<SchemeSpec> extend_scheme(const SchemeSpec& base, const SchemeSpec& extension) {
    return guarded<SchemeSpec>([&] { return extended_scheme(base, extension); });
}

Result<SchemeSpec> extension_between(const SchemeSpec& base, const SchemeSpec& wanted) {
    return guarded<SchemeSpec>([&] { return difference_of(base, wanted); });
}

Result<std::optional<SchemeSpec>> preset_extension(const SchemeSpec& base, const SchemeSpec& preset) {
    return guarded<std::optional<SchemeSpec>>([&] { return extension_of_preset(base, preset); });
}

Result<SchemeSpec> plain_scheme(const SchemeSpec& scheme) {
    return guarded<SchemeSpec>([&] { return without_extension(scheme); });
}

Result<MethodNumbers> method_numbers(const std::string& slot, const SlotChoice& choice, const ModelShape& shape) {
    return guarded<MethodNumbers>([&] { return numbers_or_throw(slot, choice, shape); });
}

Result<std::vector<MethodNumbers>> scheme_numbers(const SchemeSpec& scheme, const ModelShape& shape) {
    return guarded<std::vector<MethodNumbers>>([&] { return scheme_numbers_or_throw(scheme, shape); });
}

Result<EncodingPreview> preview_scheme(const PreviewRequest& request) {
    return guarded<EncodingPreview>([&] { return preview_or_throw(request); });
}

}  // namespace lw

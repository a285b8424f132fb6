/// See checks.h.
#include "app/cli/checks.h"

#include <charconv>
#include <cstdint>
#include <string>

namespace lw::cli {

CLI::Validator seed_check() {
    return CLI::Validator(
        [](std::string& text) {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool whole = error == std::errc() && end == text.data() + text.size();
            return whole ? std::string() : "A seed is a whole number from 0 to 18446744073709551615, not \"" + text + "\".";
        },
        "UINT", "seed");
}

}  // namespace lw::cli

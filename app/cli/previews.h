#pragma once
/// What encoding and figure encoding share: which scheme, in which sizes.

#include "app/cli/shell.h"
#include "core/api/scheme.h"

namespace lw::cli {

/// --length, --train-length, --heads, --head-width, --points.
void add_preview_options(CLI::App* command, PreviewRequest& request);
/// A preset by name with parameters or methods set. Throws Failure(invalid_argument) without a name.
[[nodiscard]] SchemeSpec preview_scheme_of(const Shell& shell, const std::string& name, const std::vector<std::string>& sets);

}  // namespace lw::cli

#pragma once
/// Schemes of models that read a text in both directions.

#include "core/api/scheme.h"

namespace lw {

/// The scheme as an encoder reads with it: visibility "full", and biases that know both sides of a query where they can. Whatever the scheme
/// sets itself stays, a visibility of its own too. Errors: not_found for a method that does not exist.
Result<SchemeSpec> encoder_scheme(const SchemeSpec& scheme);

}  // namespace lw

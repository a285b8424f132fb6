#pragma once
/// Schemes of models that read a text in both directions.

#include "core/api/scheme.h"

namespace lw {

/// Whether queries read keys after their own. Throws Failure(not_found) for a visibility that does not exist.
bool sees_future(const SchemeSpec& scheme);
/// The throwing form of encoder_scheme().
SchemeSpec for_encoder(SchemeSpec scheme);

}  // namespace lw

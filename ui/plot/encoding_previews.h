#pragma once
/// A preview of a scheme and, where plug-in methods change it, the preview of the scheme without them.

#include "core/api/context.h"
#include "core/api/scheme.h"

#include <QString>

#include <optional>

namespace lw::ui {

struct SchemePreviews {
    lw::EncodingPreview own;
    std::optional<lw::EncodingPreview> plain;  ///< of lw::plain_scheme(); empty where it is the scheme itself
    QString without;                           ///< what plain leaves out: "YaRN, log-n"; empty with plain
    QString caption = {};                      ///< whose trained values they are; empty for a scheme's own
};

/// Both in one call, so that one job brings what is drawn together. Errors: those of preview_scheme() for the scheme itself; where only the
/// plain one cannot be previewed, it is left out.
[[nodiscard]] lw::Result<SchemePreviews> previewWithPlain(const lw::PreviewRequest& request);

}  // namespace lw::ui

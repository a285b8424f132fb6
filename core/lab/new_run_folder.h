#pragma once
/// The folder of a run that is about to train.

#include "core/storage/run_folder.h"

namespace lw {

/// Filled under a name with a dot and then renamed, so that a run appears whole or not at all, whenever the program is killed. Removed
/// again unless kept, so that a refused start leaves nothing behind.
class NewRunFolder {
public:
    /// Throws Failure(io) where the workspace cannot be written to.
    explicit NewRunFolder(const std::filesystem::path& workspace);
    ~NewRunFolder();
    NewRunFolder(const NewRunFolder&) = delete;
    NewRunFolder& operator=(const NewRunFolder&) = delete;

    [[nodiscard]] const RunFolder& folder() const { return folder_; }
    /// Takes the name, with a number where it is taken.
    void appear(const std::string& name);
    void keep() { kept_ = true; }

private:
    std::filesystem::path workspace_;
    RunFolder folder_;
    bool kept_ = false;
};

}  // namespace lw

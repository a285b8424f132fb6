#pragma once
/// The folder of a study: study.json, and state.json for the little that its runs do not say.

#include "core/api/study.h"
#include "core/storage/file_lock.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace lw {

/// What was decided or seen about a cell.
struct CellNotes {
    std::int64_t priority = 0;
    bool retry = false;   ///< a failed run is to be gone on with
    std::string failure;  ///< of a cell that failed without a run that says so; "" = none
    [[nodiscard]] bool empty() const { return priority == 0 && !retry && failure.empty(); }
};

struct StudyState {
    bool paused = false;
    std::map<std::string, CellNotes> cells;  ///< by id of the cell
};

class StudyFolder {
public:
    StudyFolder(const std::filesystem::path& workspace, const std::string& id) : path_(workspace / "studies" / id) {}

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path spec_file() const { return path_ / "study.json"; }

    /// No file: nothing noted. Throws Failure(corrupt_file) naming it.
    [[nodiscard]] StudyState read_state() const;
    /// Reads, changes and writes the state while no other program does. Throws Failure: io, unavailable, corrupt_file.
    void change_state(const std::function<void(StudyState&)>& change) const;
    /// Held while a program works on the study. Throws Failure(unavailable) where one does.
    [[nodiscard]] std::unique_ptr<FileLock> lock() const;
    [[nodiscard]] bool locked() const;

private:
    std::filesystem::path path_;
};

/// Of a workspace that has it; not_found with the nearest otherwise.
[[nodiscard]] StudyFolder find_study(const std::filesystem::path& workspace, const std::string& id);
/// Ids of the folders with a study.json, sorted.
[[nodiscard]] std::vector<std::string> study_ids(const std::filesystem::path& workspace);

}  // namespace lw

/// pack_run: a small copy of a run for sharing, its best checkpoint as float16.
#include "core/api/runs.h"
#include "core/data/tokenizer.h"
#include "core/evaluation/evaluation_json.h"
#include "core/evaluation/task_json.h"
#include "core/lab/guard.h"
#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"
#include "core/storage/tensor_file.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

namespace fs = std::filesystem;

const CheckpointInfo& packed_checkpoint(const RunInfo& run) {
    if (run.checkpoints.empty()) throw Failure(ErrorKind::not_found, fmt::format("The run \"{}\" has no checkpoint to pack.", run.id));
    const auto best = std::find_if(run.checkpoints.begin(), run.checkpoints.end(), [](const auto& c) { return c.best; });
    return best != run.checkpoints.end() ? *best : run.checkpoints.back();
}

/// The copy in the making: removed again unless it is kept.
class Parts {
public:
    explicit Parts(const fs::path& target) : folder_(target.parent_path() / (".packing-" + target.filename().string())) { fs::remove_all(folder_); }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    [[nodiscard]] const fs::path& folder() const { return folder_; }

private:
    fs::path folder_;
};

/// Absolute, and without a slash at its end, which would make its last part nameless.
fs::path normalised(const fs::path& target) {
    fs::path path = fs::absolute(target).lexically_normal();
    return path.has_filename() ? path : path.parent_path();
}

/// Whether a path lies in a folder, or is it; links are followed as far as the path exists.
bool lies_in(const fs::path& path, const fs::path& folder) {
    std::error_code ignored;
    const fs::path inner = fs::weakly_canonical(path, ignored), outer = fs::weakly_canonical(folder, ignored);
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// A new folder outside the run whose parent is a folder or can become one.
fs::path checked_target(const fs::path& folder, const fs::path& run) {
    const auto refuse = [](const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); };
    if (folder.empty()) refuse("The copy needs a name: give a new folder.");
    fs::path target = normalised(folder);
    std::error_code ignored;
    // A link counts even where it leads nowhere.
    if (fs::exists(fs::symlink_status(target, ignored))) refuse(fmt::format("\"{}\" exists already: name a new folder.", target.string()));
    if (lies_in(target, normalised(run))) refuse(fmt::format("\"{}\" lies in the run that is to be packed: name a folder outside it.", target.string()));
    fs::path parent = target.parent_path();
    while (parent.has_relative_path() && !fs::exists(parent, ignored)) parent = parent.parent_path();
    if (!fs::is_directory(parent, ignored)) refuse(fmt::format("\"{}\" cannot be made: {} is not a folder.", target.string(), parent.string()));
    return target;
}

/// As float16, which ends at 65,504: a larger weight would become infinite, and the copy another model.
at::Tensor as_half(const std::string& name, const at::Tensor& weights) {
    at::Tensor half = weights.to(at::kHalf);
    if (half.isfinite().all().item<bool>()) return half;
    if (!weights.isfinite().all().item<bool>()) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("The weights \"{}\" hold infinite or undefined numbers; there is no use in a copy of them.", name));
    }
    throw Failure(ErrorKind::invalid_argument, fmt::format("The weights \"{}\" reach {:.3g}, and a packed copy keeps them as float16, which ends at 65,504. Copy the run's folder instead.", name,
                                                           weights.abs().max().item<double>()));
}

/// Read before they are copied, so that a copy is never damaged where its run is. Throws Failure(corrupt_file) naming the file.
void check_copied_files(const fs::path& run) {
    (void)load_tokenizer(run);
    const fs::path evaluations = RunFolder(run).evaluation_folder();
    (void)read_evaluation_folder(evaluations);
    (void)read_task_evaluation_file(evaluations);
}

void copy_if_there(const fs::path& from, const fs::path& to) {
    if (fs::exists(from)) fs::copy_file(from, to, fs::copy_options::overwrite_existing);
}

}  // namespace

Result<RunInfo> pack_run(const fs::path& run, const fs::path& folder) {
    return guarded<RunInfo>([&] {
        const auto info = read_run(run).value();
        const fs::path target = checked_target(folder, run);
        check_copied_files(run);
        const auto& checkpoint = packed_checkpoint(info);
        auto file = read_tensor_file(checkpoint.file);
        for (auto& [name, tensor] : file.tensors) {
            if (tensor.is_floating_point()) tensor = as_half(name, tensor);
        }
        const Parts parts(target);
        const RunFolder from(run), to(parts.folder());
        make_folder(to.checkpoint_folder());
        make_folder(to.evaluation_folder());
        write_tensor_file(to.weights_file(checkpoint.step), file);
        for (const auto* name : {"recipe.json", "run.json", "log.jsonl", "tokenizer.json", "tokenizer.model"}) copy_if_there(run / name, parts.folder() / name);
        for (const auto& name : from.evaluation_names()) copy_if_there(from.evaluation_folder() / name, to.evaluation_folder() / name);
        auto record = from.read_record();
        record.best_step = checkpoint.step;
        record.packed = true;
        record.base.clear();
        if (record.status == "running") record.status = info.status;  // a copy is not at work
        to.write_record(record);
        fs::rename(parts.folder(), target);  // whole or not at all
        return read_run(target).value();
    });
}

}  // namespace lw

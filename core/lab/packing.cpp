/// pack_run: a small copy of a run for sharing, its best checkpoint as float16.
#include "core/api/runs.h"
#include "core/lab/guard.h"
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

void copy_if_there(const fs::path& from, const fs::path& to) {
    if (fs::exists(from)) fs::copy_file(from, to, fs::copy_options::overwrite_existing);
}

}  // namespace

Result<RunInfo> pack_run(const fs::path& run, const fs::path& folder) {
    return guarded<RunInfo>([&] {
        const fs::path target = normalised(folder);
        const auto info = read_run(run).value();
        if (fs::exists(target)) throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" exists already: name a new folder.", target.string()));
        const auto& checkpoint = packed_checkpoint(info);
        auto file = read_tensor_file(checkpoint.file);
        for (auto& [name, tensor] : file.tensors) {
            if (tensor.is_floating_point()) tensor = tensor.to(at::kHalf);
        }
        const Parts parts(target);
        const RunFolder from(run), to(parts.folder());
        fs::create_directories(to.checkpoint_folder());
        fs::create_directories(to.evaluation_folder());
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

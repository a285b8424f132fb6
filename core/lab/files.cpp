/// The two verbs that put numbers and text on the disk.

#include "core/api/export.h"
#include "core/lab/guard.h"
#include "core/storage/atomic_file.h"
#include "core/storage/npz.h"

namespace lw {

Status write_npz(const std::filesystem::path& file, const std::vector<NamedArray>& arrays) {
    return guarded<Nothing>([&] {
        std::vector<NpzArray> views;
        for (const NamedArray& array : arrays) views.push_back({array.name, array.shape, array.values.data(), array.values.size()});
        write_npz_file(file, views);
        return Nothing{};
    });
}

Status write_text_file(const std::filesystem::path& file, const std::string& text) {
    return guarded<Nothing>([&] {
        write_file(file, text);
        return Nothing{};
    });
}

}  // namespace lw

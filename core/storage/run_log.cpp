#include "core/storage/atomic_file.h"
#include "core/storage/json_text.h"
#include "core/storage/run_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lw {

namespace {

using nlohmann::json;

std::filesystem::path lock_file(const RunFolder& folder) { return folder.path() / ".lock"; }

std::string line_of(const LogPoint& p) {
    nlohmann::ordered_json line{{"step", p.step}, {"loss", p.loss}, {"rate", p.rate}, {"gradient_norm", p.gradient_norm}, {"tokens_per_second", p.tokens_per_second}};
    if (p.validation_loss) line["validation_loss"] = *p.validation_loss;
    return line.dump() + "\n";
}

std::optional<LogPoint> point_of(const std::string& line) {
    const json object = parse_json(line);
    if (!object.is_object() || !object.contains("step") || !object["step"].is_number_integer()) return std::nullopt;
    const auto number = [&](const char* name) { return object.contains(name) && object[name].is_number() ? object[name].get<double>() : 0.0; };
    LogPoint point{object["step"].get<std::int64_t>(), number("loss"), number("rate"), number("gradient_norm"), number("tokens_per_second"), std::nullopt};
    if (object.contains("validation_loss") && object["validation_loss"].is_number()) point.validation_loss = number("validation_loss");
    return point;
}

}  // namespace

RunLock::RunLock(const RunFolder& folder)
    : lock_(lock_file(folder), fmt::format("The run {} is being trained already; wait until it ends or stop it first.", folder.path().string())) {}

bool RunLock::held(const RunFolder& folder) { return FileLock::held(lock_file(folder)); }

LogWriter::LogWriter(const RunFolder& folder, std::int64_t last_step) : file_(folder.log_file()) {
    std::string kept;
    for (const LogPoint& point : read_log_file(file_)) {
        if (point.step <= last_step) kept += line_of(point);
    }
    write_file(file_, kept);
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) fail_writing(file_, errno);
}

LogWriter::~LogWriter() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void LogWriter::append(const LogPoint& point) {
    const std::string line = line_of(point);
    const ssize_t written = ::write(descriptor_, line.data(), line.size());
    if (written < 0) fail_writing(file_, errno);
    if (written != static_cast<ssize_t>(line.size())) fail_writing(file_, ENOSPC);
}

std::vector<LogPoint> read_log_file(const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) return {};
    const std::string text = read_file(file, std::size_t{1} << 30U);
    std::vector<LogPoint> points;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const auto point = point_of(text.substr(begin, end - begin));
        ++number;
        begin = end + 1;
        if (point) {
            points.push_back(*point);
        } else if (begin < text.size()) {
            throw Failure(ErrorKind::corrupt_file, fmt::format("Line {} of {} is not a log entry.", number, file.string()));
        }
    }
    return points;
}

}  // namespace lw

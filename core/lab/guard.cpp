/// Exceptions become errors with a kind and a sentence here, and nowhere else.

#include "core/lab/guard.h"

#include <c10/util/Exception.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>

namespace lw {
namespace {

const char* const kMemoryAdvice = " Try a shorter length, a smaller batch, or fewer heads at once; closing other programs helps as well.";

/// On the CPU, running out of memory is a plain c10::Error that only its text tells apart.
bool speaks_of_memory(const std::string& text) {
    return text.find("DefaultCPUAllocator") != std::string::npos || text.find("not enough memory") != std::string::npos ||
           text.find("out of memory") != std::string::npos;
}

/// What was asked for: "... you tried to allocate 123 bytes. ..." on the CPU, "Tried to allocate 20.00 MiB ..." on a GPU.
std::string asked_for(const std::string& text) {
    const std::string key = "ried to allocate ";
    const auto at = text.find(key);
    if (at == std::string::npos) return "";
    const char* begin = text.c_str() + at + key.size();
    char* end = nullptr;
    const double amount = std::strtod(begin, &end);
    if (end == begin) return "";
    char size[64];
    if (std::string(end).rfind(" bytes", 0) == 0) {
        std::snprintf(size, sizeof size, "%.2f GB", amount / 1e9);
    } else {
        std::snprintf(size, sizeof size, "%.2f %.3s", amount, *end == ' ' ? end + 1 : "");
    }
    return size;
}

std::string memory_message(const std::string& text) {
    const std::string size = asked_for(text);
    if (size.empty()) return std::string("There is not enough memory for this.") + kMemoryAdvice;
    return "There is not enough memory: one block of " + size + " was asked for and refused." + kMemoryAdvice;
}

Error from_torch(const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr || speaks_of_memory(text)) {
        return {ErrorKind::out_of_memory, memory_message(text)};
    }
    return {ErrorKind::internal, "The tensor library refused: " + text};
}

}  // namespace

Error classify(std::exception_ptr exception) {
    try {
        std::rethrow_exception(std::move(exception));
    } catch (const Failure& failure) {
        return {failure.kind(), failure.what()};
    } catch (const c10::Error& error) {
        return from_torch(error);
    } catch (const std::bad_alloc&) {
        return {ErrorKind::out_of_memory, std::string("There is not enough memory for this.") + kMemoryAdvice};
    } catch (const std::filesystem::filesystem_error& error) {
        const bool absent = error.code() == std::errc::no_such_file_or_directory;
        return {absent ? ErrorKind::not_found : ErrorKind::io, error.path1().string() + ": " + error.code().message() + "."};
    } catch (const std::exception& error) {
        const std::string text = error.what();
        if (speaks_of_memory(text)) return {ErrorKind::out_of_memory, memory_message(text)};
        return {ErrorKind::internal, text};
    } catch (...) {
        return {ErrorKind::internal, "Something failed without saying what."};
    }
}

const char* error_kind_name(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_argument: return "invalid argument";
        case ErrorKind::not_found: return "not found";
        case ErrorKind::corrupt_file: return "corrupt file";
        case ErrorKind::out_of_memory: return "out of memory";
        case ErrorKind::cancelled: return "cancelled";
        case ErrorKind::unavailable: return "unavailable";
        case ErrorKind::io: return "input/output";
        case ErrorKind::internal: return "internal";
    }
    return "internal";
}

}  // namespace lw

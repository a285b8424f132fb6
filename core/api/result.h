#pragma once
/// Errors as values: every verb of core/api returns a Result, and nothing in core/ prints or exits.

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace lw {

/// What went wrong, coarse enough to act on.
enum class ErrorKind { invalid_argument, not_found, corrupt_file, out_of_memory, cancelled, unavailable, io, internal };

/// A kind and a sentence: what happened, with the numbers, and what to try.
struct Error {
    ErrorKind kind = ErrorKind::internal;
    std::string message;
};

/// Short lower-case name of a kind ("invalid argument"), for --json output and logs.
[[nodiscard]] const char* error_kind_name(ErrorKind kind);

/// The exception used inside core/. It never crosses core/api: verbs turn it into an Error.
class Failure : public std::runtime_error {
public:
    Failure(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    [[nodiscard]] ErrorKind kind() const { return kind_; }

private:
    ErrorKind kind_;
};

struct Nothing {};

/// Either a value or an Error. Test with ok(); value() on an error throws Failure (a programming mistake).
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
    Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const { return std::holds_alternative<T>(state_); }
    [[nodiscard]] const T& value() const& {
        require();
        return std::get<T>(state_);
    }
    [[nodiscard]] T& value() & {
        require();
        return std::get<T>(state_);
    }
    [[nodiscard]] T value() && {
        require();
        return std::get<T>(std::move(state_));
    }
    [[nodiscard]] const Error& error() const { return std::get<Error>(state_); }

private:
    void require() const {
        if (!ok()) throw Failure(error().kind, error().message);
    }
    std::variant<T, Error> state_;
};

using Status = Result<Nothing>;

}  // namespace lw

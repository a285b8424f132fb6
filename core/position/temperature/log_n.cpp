/// Log-n scaling. Content scores of the query at place i (0-based) are multiplied by 1 + strength (max(1, ln(i + 1) / ln L) - 1).
/// L = the training length where it is 0. By the query's place, never by the number of keys at hand: cached decoding equals the full pass.
/// Chiang, Cholak 2022, arXiv 2202.12172; Su 2021, kexue.fm/archives/8823.
#include "core/position/catalogue.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

#include <cmath>

namespace lw {

namespace {

/// ln L; ln 1 = 0 divides nothing, so the shortest reference is 2.
double log_of_reference(std::int64_t reference, std::int64_t train_length) {
    return std::log(static_cast<double>(std::max<std::int64_t>(2, reference > 0 ? reference : train_length)));
}

class LogN final : public Temperature {
public:
    explicit LogN(const Params& params) : reference_(integer_param(params, "reference")), strength_(real_param(params, "strength")) {}

    at::Tensor content_factor(const TileGeometry& geometry) override {
        const auto tau = at::log(geometry.query_places() + 1).div(log_of_reference(reference_, geometry.train_length)).clamp_min(1);  // [Tq]
        return 1 + strength_ * (tau - 1);
    }

private:
    std::int64_t reference_;
    double strength_;
};

std::shared_ptr<Temperature> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<LogN>(params); }

void check(const Params& params) {
    if (integer_param(params, "reference") != 1) return;
    throw Failure(ErrorKind::invalid_argument, "reference of log-n scaling is 1, and ln 1 = 0 divides nothing; it must be 0 (the training length) or at least 2.");
}

/// The last row's factor.
std::string values(const Params& params, const ModelShape& shape) {
    const double tau = std::max(1.0, std::log(static_cast<double>(shape.length)) / log_of_reference(integer_param(params, "reference"), shape.train_length));
    return "q·k × " + number_text(1 + real_param(params, "strength") * (tau - 1)) + " in row " + number_text(static_cast<double>(shape.length - 1));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "temperature";
    info.id = "log-n";
    info.name = "Log-n scaling";
    info.summary = "Scores grow with the logarithm of the query's place once it lies past the training length.";
    info.formula = "q·k × (1 + strength·(max(1, ln(i + 1)/ln L) − 1))";
    info.paper = "Chiang, Cholak (2022): Overcoming a Theoretical Limitation of Self-Attention";
    info.url = "https://arxiv.org/abs/2202.12172";
    info.beyond_training = "Keeps attention from spreading out over more and more keys. Changes nothing up to the training length.";
    info.claims = claims({"row-factor", "pointwise", "fixed"});
    info.params = {
        integer_spec({"reference", "Reference length L", "From here on scores are sharpened. 0 = the training length.", "tokens"}, 0, {0, 1048576, 1}),
        real_spec({"strength", "Strength", "1 = the whole factor, 0 = none.", "", "strength"}, 1, {0, 1, 0.05}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::temperature {
const Entry& log_n() {
    static const Entry entry{describe(), Make<Temperature>{make}, check, {}, values};
    return entry;
}
}  // namespace entries_of::temperature

}  // namespace lw

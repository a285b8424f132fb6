/// Probe group "evaluation": windows and totals of the perplexity protocols on a mock model, statistics, locality measures.

#include "core/evaluation/key_tokens.h"
#include "core/evaluation/locality.h"
#include "core/evaluation/position_loss.h"
#include "core/evaluation/protocol.h"
#include "core/evaluation/statistics.h"
#include "core/evaluation/totals.h"
#include "core/lab/probe_handlers.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

using nlohmann::json;

std::int64_t whole(const ProbeInput& test, const char* name) { return test.whole_input(name); }

/// The loss of token t with c tokens before it: a + b / (1 + c) + e · ((7 t) mod 5), or that of a uniform model.
double mock_loss(const json& mock, std::int64_t token, std::int64_t context) {
    if (mock.contains("vocabulary")) return std::log(mock.at("vocabulary").get<double>());
    const double a = mock.at("a").get<double>(), b = mock.at("b").get<double>(), e = mock.at("e").get<double>();
    return a + b / static_cast<double>(1 + context) + e * static_cast<double>((7 * token) % 5);
}

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

/// A stride that the protocol would take as "choose one" or shorten, and so another one than the case means.
void check_stride(const ProbeInput& test, const ProtocolRequest& request) {
    if (!test.gives("stride") && !test.has("stride")) return;
    const auto length = request.lengths.front();
    if (request.stride < 1) refuse(fmt::format("The stride is {}; windows move by at least one token.", request.stride));
    if (request.stride > length) refuse(fmt::format("The stride {} must not exceed the window of {}: tokens would be left out.", request.stride, length));
}

LengthPlan plan_of(const ProbeInput& test, const std::string& protocol, bool bos) {
    ProtocolRequest request;
    for (const char* const size : {"N", "T"}) refuse_size(size, whole(test, size), static_cast<double>(whole(test, size)));  // as many windows at most
    request.documents = {{"text", whole(test, "N")}};
    request.lengths = {whole(test, "T")};
    request.train_length = request.lengths.front();
    request.scored = test.gives("k") ? whole(test, "k") : test.integer("k", 0);
    request.stride = test.gives("stride") ? whole(test, "stride") : test.integer("stride", 0);
    request.places = protocol == "last-k" ? 1 : request.documents.front().tokens;  // all of the text
    request.bos = bos;
    check_stride(test, request);
    const LengthPlan plan = find_protocol(protocol).plan(request).lengths.front();
    if (plan.windows.empty()) {
        refuse(fmt::format("A text of {} has no window of {} with scored tokens.", counted(whole(test, "N"), "token"), counted(plan.length, "token")));
    }
    return plan;
}

struct Measured {
    LossSum sum;
    double contexts = 0;
};

/// The mock model on a plan's windows; a begin-of-sequence token counts as one token of context.
Measured measured(const ProbeInput& test, const LengthPlan& plan, bool bos) {
    Measured out;
    for (const Window& window : plan.windows) {
        for (std::int64_t token = window.scored_begin; token < window.end; ++token) {
            const std::int64_t context = token - window.begin + (bos ? 1 : 0);
            out.sum.add(mock_loss(test.input("mock"), token, context));
            out.contexts += static_cast<double>(context);
        }
    }
    return out;
}

json protocol(const ProbeInput& test) {
    const bool bos = test.flag("bos", false);
    const LengthPlan plan = plan_of(test, test.word("protocol"), bos);
    const Measured got = measured(test, plan, bos);
    json windows = json::array();
    std::int64_t least = plan.windows.size() > 1 ? plan.length : 0;
    for (const Window& window : plan.windows) {
        windows.push_back({window.begin, window.end, window.scored()});
        if (window.begin > 0) least = std::min(least, window.scored_begin - window.begin);
    }
    return {{"sum_nll", got.sum.nll},
            {"count", got.sum.tokens},
            {"ppl", got.sum.perplexity()},
            {"mean_context", got.contexts / static_cast<double>(got.sum.tokens)},
            {"windows_begin_end_scored", windows},
            {"min_context_after_first_window", least}};
}

/// One model under every protocol.
json all_protocols(const ProbeInput& test) {
    const auto perplexity = [&](const std::string& id, bool bos) { return measured(test, plan_of(test, id, bos), bos).sum.perplexity(); };
    LossSum one;
    one.add(mock_loss(test.input("mock"), 0, 0));
    json computed{{"non_overlapping", perplexity("non-overlapping", false)},
                  {"non_overlapping_bos", perplexity("non-overlapping", true)},
                  {"sliding", perplexity("sliding", false)},
                  {"expected", one.perplexity()}};
    if (whole(test, "N") >= whole(test, "T")) computed["last_k"] = perplexity("last-k", false);
    return computed;
}

/// The paper's windows over batches of given losses: sequence n of T inputs begins at token n T, its losses are of the targets.
json dape_paper(const ProbeInput& test) {
    const auto losses = test.array("batch_nll");  // [n, T]
    const auto sequences = losses.size(0), length = losses.size(1);
    ProtocolRequest request;
    request.documents = {{"text", sequences * length + 1}};
    request.lengths = {length};
    request.scored = test.integer("k");
    const LengthPlan plan = find_protocol("dape-paper").plan(request).lengths.front();
    LossSum all;
    json batch_loss = json::array();
    for (const Window& window : plan.windows) {
        LossSum sum;
        for (auto token = window.scored_begin; token < window.end; ++token) {
            sum.add(losses[window.begin / length][token - window.begin - 1].item<double>());
        }
        batch_loss.push_back(sum.mean());
        all += sum;
    }
    return {{"batch_loss", batch_loss}, {"loss", all.mean()}, {"ppl", all.perplexity()}, {"tokens_per_batch", plan.windows.front().scored()}};
}

json documents(const ProbeInput& test) {
    std::vector<LossSum> sums;
    for (const auto& losses : test.input("document_nll")) {
        sums.emplace_back();
        for (const double loss : losses.get<std::vector<double>>()) sums.back().add(loss);
    }
    const LossSum all = total(sums);
    json computed{{"ppl", all.perplexity()}, {"count", all.tokens}};
    if (test.gives("bytes")) computed["bits_per_byte"] = all.bits_per_byte(whole(test, "bytes"));
    return computed;
}

json position_wise(const ProbeInput& test) {
    const auto losses = test.array("nll");  // [documents, T]
    const auto length = losses.size(1);
    std::vector<std::int64_t> edges;
    for (std::int64_t position = 0; position <= length; ++position) edges.push_back(position);
    PositionLoss single(edges);
    std::vector<PositionLoss> up_to;
    for (std::int64_t position = 1; position <= length; ++position) up_to.emplace_back(std::vector<std::int64_t>{0, position});
    for (std::int64_t n = 0; n < losses.numel(); ++n) {
        const double loss = losses.view({-1})[n].item<double>();
        single.add(n % length, loss);
        for (auto& bin : up_to) bin.add(n % length, loss);
    }
    json cumulative = json::array();
    for (const auto& bin : up_to) cumulative.push_back(bin.means().front());
    return {{"position_mean", single.means()}, {"cumulative", cumulative}};
}

json summary(const ProbeInput& test) {
    const MeanSummary got = summarise(test.numbers("values"), test.real("level", 0.95));
    const auto optional = [](const std::optional<double>& value) { return value ? json(*value) : json(); };
    json computed{{"n", got.n}, {"mean", got.mean}, {"sd", optional(got.deviation)}, {"sem", optional(got.error)}, {"ci_low", nullptr}, {"ci_high", nullptr}};
    if (!got.interval) return computed;
    computed["ci_low"] = got.interval->low;
    computed["ci_high"] = got.interval->high;
    return computed;
}

/// Seeds of two settings, compared on the logarithm of their perplexities.
json comparison(const ProbeInput& test) {
    const auto logs = [&](const char* name) {
        auto values = test.numbers(name);
        for (double& value : values) value = std::log(value);
        return values;
    };
    const auto a = logs("ppl_a"), b = logs("ppl_b");
    json computed;
    if (const auto welch = welch_test(a, b)) {
        computed = {{"welch_t", welch->t}, {"welch_df", welch->degrees}, {"welch_p", welch->p}};
    }
    if (const auto raw = welch_test(test.numbers("ppl_a"), test.numbers("ppl_b"))) computed["welch_p_raw_ppl"] = raw->p;
    if (a.size() == b.size()) {  // one pair has a difference, but no test
        std::vector<double> differences;
        for (std::size_t n = 0; n < a.size(); ++n) differences.push_back(a[n] - b[n]);
        computed["mean_log_difference"] = summarise(differences).mean;
    }
    if (const auto paired = paired_test(a, b)) {
        computed["paired_t"] = paired->t;
        computed["paired_df"] = paired->degrees;
        computed["paired_p"] = paired->p;
        computed["log_difference_ci95"] = {paired->interval.low, paired->interval.high};
        computed["ratio_ci95"] = {std::exp(paired->interval.low), std::exp(paired->interval.high)};
    }
    return computed;
}

std::string label_of(const Locality& got) { return got.head_class == "U-shape" ? "u-shaped" : got.head_class; }

std::vector<double> row_of(const at::Tensor& row) {
    const auto flat = row.contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

/// Rows given by name; the names stand in the expected rows.
json named_localities(const ProbeInput& test) {
    test.mark_input("formulas");  // the names say which
    json rows = json::array();
    for (const auto& row : test.expected().at("rows")) {
        const auto name = row.at(0).get<std::string>();
        const Locality got = measure_locality(std::span<const double>(row_of(named_row(name, whole(test, "n")))));
        rows.push_back({name, got.locality, got.contrast, got.rank, label_of(got), got.expected_distance});
    }
    return {{"rows", rows}};
}

json locality(const ProbeInput& test) {
    if (test.gives("formulas")) return named_localities(test);
    const auto b = test.array("b");  // [δ] or [sequences, δ]
    std::vector<std::vector<double>> rows;
    for (const auto& row : b.view({-1, b.size(-1)}).unbind(0)) rows.push_back(row_of(row));
    const Locality got = b.dim() == 1 ? measure_locality(std::span<const double>(rows.front())) : measure_locality(rows);
    const auto finite = [](double value) { return std::isfinite(value) ? json(value) : json(); };
    json computed{{"C", got.contrast},           {"rho", got.rank},          {"lambda", got.locality},
                  {"quarter", got.quarter},      {"label", label_of(got)},   {"near_minus_middle", finite(got.near_minus_middle)},
                  {"expected_delta", got.expected_distance},                 {"far_minus_middle", finite(got.far_minus_middle)}};
    if (b.dim() == 1) return computed;
    computed["A"] = got.adaptivity;
    computed["mean_curve"] = mean_curve(rows);
    return computed;
}

json long_perplexity(const ProbeInput& test) {
    const auto with_long = row_of(test.array("logp_long")), with_short = row_of(test.array("logp_short"));
    const KeyTokens got = key_tokens(with_long, with_short, {test.real("alpha", 2), test.real("beta", -2)});
    return {{"key", got.key}, {"key_share", got.share}, {"longppl", std::isfinite(got.perplexity) ? json(got.perplexity) : json()}};
}

/// Cases without a name are told apart by what they give.
json unnamed(const ProbeInput& test) {
    if (test.gives("values")) return summary(test);
    if (test.gives("ppl_a")) return comparison(test);
    return locality(test);
}

}  // namespace

const ProbeHandlers& evaluation_probes() {
    static const ProbeHandlers all = {
        {"non-overlapping", protocol}, {"sliding", protocol},     {"last-k", protocol},
        {"all", all_protocols},        {"dape-paper", dape_paper}, {"documents", documents},
        {"position-wise", position_wise}, {"longppl", long_perplexity},
        {"", unnamed},
    };
    return all;
}

}  // namespace lw

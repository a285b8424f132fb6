/// heads --text-dependence: how far the positional term depends on the text.
#include "app/cli/checks.h"
#include "app/cli/curve_runs.h"
#include "app/cli/heads_views.h"
#include "app/cli/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace lw::cli {
namespace {

Json place_json(const DependencePlace& p) {
    return {{"layer", p.layer}, {"head", p.head}, {"query", p.query}, {"key", p.key}, {"term_a", p.term_a}, {"term_b", p.term_b}, {"weight", p.weight},
            {"moved", p.moved}, {"query_a", p.query_a}, {"key_a", p.key_a}, {"query_b", p.query_b}, {"key_b", p.key_b}};
}

Json dependence_json(const TextDependence& dependence) {
    Json heads = Json::array(), places = Json::array();
    for (const auto& h : dependence.heads) {
        heads.push_back({{"layer", h.layer}, {"head", h.head}, {"rms_difference", h.rms_difference}, {"rms_term", h.rms_term}, {"largest", h.largest}, {"moved", h.moved}});
    }
    for (const auto& p : dependence.places) places.push_back(place_json(p));
    return {{"run", dependence.run_title}, {"step", dependence.step}, {"length", dependence.length}, {"train_length", dependence.train_length},
            {"reads_text", dependence.reads_text}, {"text_a", dependence.text_a}, {"text_b", dependence.text_b}, {"heads", heads}, {"places", places},
            {"warning", dependence.warning}};
}

/// The example of the task after this one; none named = the first, 0. A name that has no number is refused where it is read.
std::string next_example(const std::string& source, const std::string& document) {
    std::int64_t number = 0;
    const auto* const end = document.data() + document.size();
    std::from_chars(document.data() + document.rfind('/') + 1, end, number);  // rfind() + 1 is 0 without a slash
    return fmt::format("{}/{}", source, number + 1);
}

DependenceRequest request_of(Shell& shell, const AtlasSelection& selection, const DependenceSelection& other) {
    const auto run = shell.find(selection.text.run);
    DependenceRequest request;
    request.run = run.folder;
    request.step = selection.text.step;
    request.a = text_request(run, selection.text);
    request.b = other.other;
    request.b.length = request.a.length;
    if (request.b.text.empty() && request.b.document.empty()) {
        if (!request.a.text.empty()) throw Failure(ErrorKind::invalid_argument, "A typed text needs another one to be compared with: give --other-text or --other-document.");
        request.b.document = trained_on_task(run) ? next_example(run.recipe.data.source, request.a.document) : request.a.document;
        if (request.b.offset == 0) request.b.offset = request.a.offset + request.a.length;  // the tokens that follow
    }
    request.layer = other.layer;
    request.head = other.head;
    request.places = other.places;
    request.order = other.order == "term" ? DependenceOrder::term : DependenceOrder::attention;
    return request;
}

std::string heads_text(const TextDependence& dependence) {
    Table table({"layer", "head", "RMS of b - a", "RMS of the term", "ratio", "largest", "moved"});
    for (const auto& h : dependence.heads) {
        table.add({std::to_string(h.layer), std::to_string(h.head), three_digits(h.rms_difference), three_digits(h.rms_term), h.rms_term > 0 ? fmt::format("{:.2f}", h.rms_difference / h.rms_term) : "–",
                   three_digits(h.largest), std::isnan(h.moved) ? std::string("–") : fmt::format("{:.1f} %", 100 * h.moved)});
    }
    return table.text();
}

std::string places_text(const TextDependence& dependence) {
    Table table({"layer", "head", "query", "key", "distance", "term a", "term b", "weight", "moved", "text a", "text b"});
    for (const auto& p : dependence.places) {
        table.add({std::to_string(p.layer), std::to_string(p.head), std::to_string(p.query), std::to_string(p.key), std::to_string(p.query - p.key), fmt::format("{:.2f}", p.term_a),
                   fmt::format("{:.2f}", p.term_b), fmt::format("{:.3f}", p.weight), fmt::format("{:+.3f}", p.moved), p.query_a + " → " + p.key_a, p.query_b + " → " + p.key_b});
    }
    return table.text();
}

}  // namespace

void add_dependence_options(CLI::App* command, DependenceSelection& selection) {
    command->add_option("--other-text", selection.other.text, "With --text-dependence: the second text, typed")->check(filled_check());
    command->add_option("--other-document", selection.other.document, "With --text-dependence: document of the second text (default: the tokens that follow the first, or the next example of a task)")->check(filled_check());
    command->add_option("--other-offset", selection.other.offset, "With --text-dependence: its first token")->capture_default_str();
    command->add_option("--layer", selection.layer, "With --text-dependence: layer, from 0; -1 = all")->capture_default_str();
    command->add_option("--head", selection.head, "With --text-dependence: head, from 0; -1 = all")->capture_default_str();
    command->add_option("--places", selection.places, "With --text-dependence: places that are listed")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))->capture_default_str();
    command->add_option("--order", selection.order, "With --text-dependence: by the change of attention, or of the term")
        ->check(CLI::IsMember({"attention", "term"}))->capture_default_str();
    command->add_option("--heads-out", selection.heads_out, "With --text-dependence: CSV file of the table of heads; --out is that of the places")->check(output_check());
}

void show_dependence(Shell& shell, const AtlasSelection& selection, const DependenceSelection& other, const std::string& out) {
    const auto dependence = need(text_dependence(request_of(shell, selection, other), shell.context()));
    shell.print(fmt::format("{}, step {}, {} tokens\na: {}\nb: {}\n\n", dependence.run_title, grouped(dependence.step), grouped(dependence.length), dependence.text_a, dependence.text_b));
    if (!dependence.reads_text) shell.print("Nothing in this scheme's positional term looks at the text: it is the same for both.\n\n");
    if (!dependence.warning.empty()) shell.note(dependence.warning);
    shell.print(heads_text(dependence));
    if (!dependence.places.empty()) shell.print("\nWhere it matters most (query → key)\n" + places_text(dependence));
    shell.print("\nTerm: bias + adaptive without its row's mean, which softmax ignores, nats. moved: change of text a's attention with text b's term in the place of its own;\n"
                "of a head, the mean share of a row's weight that goes elsewhere.\n");
    save_table(shell, out, places_csv(dependence));
    save_table(shell, other.heads_out, dependence_csv(dependence));
    shell.emit(dependence_json(dependence));
}

}  // namespace lw::cli

/// heads: locality measures and the class of every head.

#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>

#include <cmath>

namespace lw::cli {
namespace {

struct Options {
    TextSelection text;
    MeasureRequest measure;
    std::string of = "bias+adaptive";
    std::string out;
};

std::string table_text(const std::vector<HeadMeasures>& measures) {
    Table table({"layer", "head", "class", "C", "rho", "lambda", "A", "entropy", "beyond L", "first key"});
    const auto fixed = [](double value) { return std::isnan(value) ? std::string("–") : fmt::format("{:.2f}", value); };
    for (const auto& m : measures) {
        table.add({std::to_string(m.layer), std::to_string(m.head), m.head_class, fixed(m.contrast), fixed(m.rank), fixed(m.locality),
                   fixed(m.adaptivity), fixed(m.entropy), fixed(m.beyond_training), fixed(m.first_key)});
    }
    return table.text();
}

void run(Shell& shell, Options& options) {
    options.measure.of = need(parse_score_part(options.of));
    const auto measures = need(measure_heads(maps_request(shell, options.text), options.measure, shell.context()));
    // A scheme without bias and adaptive term is measured on its content: the class then says something else.
    const std::string of = score_part_name(measures.front().of);
    const auto texts = measures.front().texts;
    const std::string other = of == options.of ? "" : fmt::format(" (this scheme has no {})", options.of);
    shell.print(fmt::format("Measured: {}{}, mean over {} text{}\n\n", of, other, texts, texts == 1 ? "; A needs several" : "s"));
    shell.print(table_text(measures));
    shell.print("C: far minus near, nats. rho: rank correlation with distance. lambda: locality in [-1, 1]. A: change from text to text.\n");
    if (!options.out.empty()) {
        make_parent_folder(options.out);
        need(write_text_file(options.out, measures_csv(measures)));
        shell.print(options.out + "\n");
    }
    shell.emit({{"of", of}, {"texts", texts}, {"heads", list_json(measures)}});
}

}  // namespace

void add_heads(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "heads", "Measure each head: local, anti-local, U-shape, hump or flat",
                                  "lengthwise-cli heads dape-kerple --length 512 --out heads.csv");
    add_text_options(command, options->text, 512);
    command->add_option("--of", options->of, "What is measured: content, bias, adaptive, bias+adaptive, logit")->capture_default_str();
    command->add_option("--query", options->measure.query, "Query; -1 = the last one")->capture_default_str();
    command->add_option("--sequences", options->measure.sequences, "Texts averaged over")->capture_default_str();
    command->add_option("--rank-threshold", options->measure.rank_threshold, "|rho| from which a head counts as local or anti-local")->capture_default_str();
    command->add_option("--contrast-threshold", options->measure.contrast_threshold, "|C| in nats from which a head is not flat")->capture_default_str();
    command->add_option("-o,--out", options->out, "CSV file");
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli

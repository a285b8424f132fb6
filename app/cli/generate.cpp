/// generate: text from a model.

#include "app/cli/checks.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "core/api/runs.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace lw::cli {
namespace {

void run(Shell& shell, const std::string& name, GenerateRequest request) {
    request.run = shell.find(name).folder;
    auto context = shell.context();
    context.progress = nullptr;  // the text itself is the progress
    // With the first of the new text, so that a refusal does not follow half a line.
    request.on_text = [&shell, prompt = request.prompt](const std::string& text) mutable {
        shell.print(std::exchange(prompt, std::string()) + text);
        std::fflush(stdout);
    };
    const auto generated = need(generate(request, context));
    shell.print("\n");
    if (!shell.quiet && !shell.json) {
        fmt::print(stderr, "{} tokens after {} of the prompt, {} tokens/s\n", generated.tokens, generated.prompt_tokens,
                   compact(generated.tokens_per_second));
    }
    shell.emit({{"prompt", request.prompt}, {"text", generated.text}, {"prompt_tokens", generated.prompt_tokens},
                {"tokens", generated.tokens}, {"tokens_per_second", generated.tokens_per_second}});
    if (shell.stopped()) shell.end_with(ErrorKind::cancelled);
}

}  // namespace

void add_generate(CLI::App& app, Shell& shell) {
    auto name = std::make_shared<std::string>();
    auto request = std::make_shared<GenerateRequest>();
    auto* command = shell.command(app, "generate", "Let a model go on with a text",
                                  "lengthwise-cli generate dape-kerple --prompt \"It was a\" --tokens 200");
    command->add_option("run", *name, "Run: id, title or folder")->required();
    command->add_option("--prompt", request->prompt, "Text to go on with");
    command->add_option("--tokens", request->tokens, "Tokens to write")->capture_default_str();
    command->add_option("--temperature", request->temperature, "0 = always the likeliest token")->capture_default_str();
    command->add_option("--top-k", request->top_k, "Only the k likeliest tokens; 0 = all")->capture_default_str();
    command->add_option("--top-p", request->top_p, "Only the likeliest tokens with this much probability")->capture_default_str();
    command->add_option("--seed", request->seed, "Seed")->check(seed_check())->capture_default_str();
    command->add_option("--step", request->step, "Checkpoint; -1 = the best one")->capture_default_str();
    add_off_flag(command, "--no-cache", request->cache, "Compute every token from scratch; the text stays the same");
    shell.on_run(command, [&shell, name, request] { run(shell, *name, *request); });
}

}  // namespace lw::cli

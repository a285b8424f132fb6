/// A pass over a long text can be stopped and lets short jobs run between its blocks.
#include "tests/support/catch_torch.h"

#include "core/attention/attention.h"
#include "core/attention/poll.h"
#include "tests/support/schemes.h"

using namespace lw;
using namespace lw::test;

TEST_CASE("a stop is obeyed inside every path that goes block by block", "[attention]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .queries = 600, .keys = 600};
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    const auto inputs = random_inputs(sizes);
    for (const auto& [preset, path] : {std::pair{"alibi", &kStockBiasPath}, {"alibi", &kRowBlockPath}, {"dape-kerple", &kFusedDapePath}}) {
        const auto built = build(scheme(preset), shape_for(sizes));
        built->to(at::kDouble);
        CAPTURE(path->id);
        CHECK_NOTHROW(path->run(built->layer(0), inputs, false));  // nobody asks without a scope
        const PollScope scope(context);
        try {
            (void)path->run(built->layer(0), inputs, false);
            FAIL("it went on to its end");
        } catch (const Failure& failure) {
            CHECK(failure.kind() == ErrorKind::cancelled);
        }
    }
}

TEST_CASE("a job served inside a pass runs undisturbed, and the innermost scope is the one asked", "[attention]") {
    int served = 0;
    RunContext outer;
    outer.serve = [&] {
        ++served;
        poll();  // what the job computes does not serve jobs itself
    };
    const PollScope scope(outer);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(400);
    while (std::chrono::steady_clock::now() < end) poll();
    CHECK(served >= 2);
    CHECK(served <= 8);
    std::stop_source stop;
    stop.request_stop();
    RunContext inner;
    inner.stop = stop.get_token();
    {
        const PollScope stopped(inner);
        CHECK_THROWS_AS(poll(), Failure);
    }
    CHECK_NOTHROW(poll());
}

TEST_CASE("parameters of the scheme learn also where the rest of the model is frozen", "[attention]") {
    const InputSizes sizes;
    for (const char* preset : {"dape-kerple", "kerple-log", "fire"}) {
        CAPTURE(preset);
        const auto built = build(scheme(preset), shape_for(sizes));
        built->to(at::kDouble);
        const auto inputs = random_inputs(sizes);  // q, k, v ask for no gradient
        for (const bool wants_normaliser : {false, true}) {
            built->zero_grad();
            attend(built->layer(0), inputs, wants_normaliser).output.square().sum().backward();
            for (const auto& parameter : built->named_parameters()) {
                CAPTURE(parameter.key(), wants_normaliser);
                CHECK(parameter.value().grad().defined());
            }
        }
    }
}

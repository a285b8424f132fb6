/// Key tokens and the perplexity over them alone.
#include "core/api/result.h"
#include "core/evaluation/key_tokens.h"
#include "tests/support/catch_torch.h"

#include <cmath>

using namespace lw;

TEST_CASE("tokens that a long context helps and makes likely are keys", "[evaluation]") {
    const std::vector<double> with_long{-0.5, -3.0, -0.1, -1.0}, with_short{-0.6, -9.0, -3.0, -3.0};
    const auto found = key_tokens(with_long, with_short);
    CHECK(found.key == std::vector<bool>{false, false, true, false});  // the last one's gain is exactly the threshold
    CHECK(found.share == 0.25);
    CHECK(found.perplexity == Approx(std::exp(0.1)));
    const auto all = key_tokens(with_long, with_short, {1.5, -10});
    CHECK(all.share == 0.75);
    CHECK(all.perplexity == Approx(std::exp((3.0 + 0.1 + 1.0) / 3)));
    CHECK(std::isnan(key_tokens({}, {}).perplexity));
    CHECK_THROWS_AS(key_tokens(with_long, {}), Failure);
}

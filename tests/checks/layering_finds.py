#!/usr/bin/env python3
"""A check that never complains proves nothing: each kind of breach must be found, and allowed includes must pass."""
import layering

MUST_FIND = [
    ("core/position/scheme.cpp", "core/model/transformer.h"),
    ("core/model/block.cpp", "core/training/trainer.h"),
    ("core/api/maps.h", "torch/torch.h"),
    ("core/api/maps.h", "core/model/transformer.h"),
    ("core/data/tokenizer.cpp", "QString"),
    ("core/lab/train.cpp", "ui/session.h"),
    ("ui/session.cpp", "core/lab/guard.h"),
    ("ui/session.cpp", "ATen/core/Tensor.h"),
    ("ui/session.cpp", "qcustomplot.h"),
    ("ui/pages/maps_page.cpp", "ui/pages/curves_page.h"),
    ("app/cli/train.cpp", "core/training/trainer.h"),
    ("app/cli/train.cpp", "ui/session.h"),
    ("app/gui/main.cpp", "torch/torch.h"),
    ("tests/core/model/block_test.cpp", "torch/torch.h"),
    ("tests/core/model/block_test.cpp", "catch2/catch.hpp"),
    ("tests/ui/session_test.cpp", "torch/torch.h"),
]
MUST_PASS = [
    ("core/model/block.cpp", "core/position/scheme.h"),
    ("core/model/block.cpp", "torch/nn/module.h"),
    ("core/lab/train.cpp", "core/training/trainer.h"),
    ("core/data/corpora.cpp", "core/position/nearest.h"),
    ("ui/session.cpp", "core/api/runs.h"),
    ("ui/plot/heat_map.cpp", "qcustomplot.h"),
    ("ui/pages/maps_page.cpp", "ui/pages/maps_strip.h"),
    ("app/cli/figure.cpp", "ui/plot/figures.h"),
    ("app/gui/main.cpp", "ui/main_window.h"),
    ("ui/pages/encodings_page.h", "ui/plot/encoding_plots.h"),
    ("tests/support/catch_torch.h", "catch2/catch.hpp"),
    ("tests/ui/session_test.cpp", "catch2/catch.hpp"),
]
missed = [pair for pair in MUST_FIND if not layering.breach(*pair)]
wrong = [pair for pair in MUST_PASS if layering.breach(*pair)]
assert not missed, f"not found: {missed}"
assert not wrong, f"wrongly found: {wrong}"
assert layering.breaches_in("core/lab/x.cpp", '#include <QString>\n#include <torch/torch.h>\n')
print(f"{len(MUST_FIND)} breaches found, {len(MUST_PASS)} allowed includes passed")

#!/usr/bin/env python3
"""Checks which folder may include which: the layers of ARCHITECTURE.md. Prints each breach; exits 1 when there is one."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
TORCH = ("torch/", "ATen/", "c10/", "caffe2/")
QT = re.compile(r"^Q[A-Z]\w*(/|$)|^Qt\w+/")
CORE_LAYERS = {
    "api": set(),
    "position": {"api"},
    "attention": {"api", "position"},
    "model": {"api", "position", "attention"},
    "device": {"api"},
    "data": {"api", "storage"},
    "storage": {"api"},
    "training": {"api", "position", "attention", "model", "data", "storage", "device"},
    "evaluation": {"api", "position", "attention", "model", "data", "storage", "device"},
    "lab": {"api", "position", "attention", "model", "data", "storage", "device", "training", "evaluation"},
    "study": {"api", "data", "storage", "evaluation", "device", "lab"},
}
# Small headers without tensors that lower layers share.
SHARED = {"core/position/nearest.h"}
FOLDERS = ("core", "ui", "app", "tests", "bench")


def core_breach(layer, target):
    parts = target.split("/")
    if parts[0] in ("ui", "app", "tests"):
        return "core/ knows neither ui/ nor app/"
    if parts[0] != "core" or target in SHARED:
        return None
    if layer not in CORE_LAYERS:
        return f"core/{layer} is not a layer"
    if parts[1] != layer and parts[1] not in CORE_LAYERS[layer]:
        return f"core/{layer} may not include core/{parts[1]}"
    return None


def page_family(path):
    """Pages are told apart by the first word of their file name, or by their folder: a page's own helpers belong to it."""
    rest = path[len("ui/pages/"):]
    return re.split(r"[/_.]", rest)[0].rstrip("s")  # encodings_page, encoding_plots


def ui_breach(path, target):
    if target.startswith("app/"):
        return "ui/ does not know the programs"
    if target.startswith("core/") and not target.startswith("core/api/"):
        return "ui/ sees core/api only"
    if path.startswith("ui/pages/") and target.startswith("ui/pages/"):
        if target != "ui/pages/page.h" and page_family(path) != page_family(target):
            return "pages do not include each other; they share the session"
    if target == "qcustomplot.h" and not path.startswith("ui/plot/"):
        return "only ui/plot sees QCustomPlot"
    return None


def app_breach(path, target):
    if target.startswith("core/") and not target.startswith("core/api/"):
        return "app/ sees core/api only"
    if path.startswith("app/cli/") and target.startswith("ui/") and target != "ui/plot/figures.h":
        return "the command line sees ui/plot/figures.h only"
    return None


def breach(path, target):
    """Why `path` may not include `target`; None when it may."""
    folder = path.split("/")[0]
    is_torch = target.startswith(TORCH)
    is_qt = bool(QT.match(target)) or target == "qcustomplot.h"
    if folder == "core":
        layer = path.split("/")[1] if path.count("/") > 1 else None
        if is_qt:
            return "core/ knows no Qt"
        if is_torch and layer == "api":
            return "core/api is free of LibTorch"
        return core_breach(layer, target) if layer else None
    if folder in ("ui", "app") and is_torch:
        return "only core/ knows LibTorch"
    if folder == "ui":
        return ui_breach(path, target)
    if folder == "app":
        return app_breach(path, target)
    if folder == "tests" and not path.startswith("tests/support/"):
        if is_torch:
            return "tests include LibTorch through tests/support, where its macros are told from Catch2's"
        if target.startswith("catch2/") and not path.startswith("tests/ui/"):
            return "tests of core include Catch2 through tests/support, since LibTorch has macros of the same names"
    return None


def breaches_in(path, text):
    found = []
    targets = [name for _, name in INCLUDE.findall(text)]
    for target in targets:
        reason = breach(path, target)
        if reason:
            found.append(f"{path}: includes {target}: {reason}")
    if any(t.startswith(TORCH) for t in targets) and any(QT.match(t) for t in targets):
        found.append(f"{path}: sees both Qt and LibTorch, whose macros clash")
    return found


def main(root):
    root = pathlib.Path(root)
    files = sorted(f for folder in FOLDERS for f in (root / folder).rglob("*") if f.suffix in (".h", ".cpp", ".cu", ".cuh"))
    if not files:
        sys.exit(f"no sources found under {root}")
    found = []
    for file in files:
        found += breaches_in(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
    print("\n".join(found) if found else f"{len(files)} files follow the layers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

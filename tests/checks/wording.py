#!/usr/bin/env python3
"""Committed text must work anywhere: no absolute paths of one machine, no conflict markers, no left-over marks."""
import pathlib
import re
import subprocess
import sys

SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".py", ".sh", ".md", ".txt", ".json", ".cmake", ".def", ".yml", ""}
# The words are put together here so that this file does not contain them.
PATTERNS = {
    "an absolute path of one machine": re.compile("/(?:" + "wo" + "rk|ro" + "ot|ho" + r"me/\w+)/"),
    "a mark of unfinished work": re.compile(r"\b(?:TO" + "DO|FIX" + "ME|XX" + r"X)\b"),
    "a conflict marker": re.compile("^(?:<{7}|>{7}) ", re.MULTILINE),
}


def committed_files(root):
    try:
        names = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
        return [root / name for name in names.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        skipped = {"build", "local", ".git"}
        return [f for f in root.rglob("*") if f.is_file() and f.relative_to(root).parts[0] not in skipped]


def main(root):
    root = pathlib.Path(root)
    found = []
    for file in committed_files(root):
        if file.suffix not in SUFFIXES or not file.is_file():
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for what, pattern in PATTERNS.items():
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{file.relative_to(root)}:{line}: {what}: {match.group(0)}")
    print("\n".join(found) if found else "no such words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

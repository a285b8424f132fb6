#!/usr/bin/env python3
"""docs/methods.md is generated: it must be what the program says now."""
import difflib
import pathlib
import subprocess
import sys

program, committed = sys.argv[1:]
said = subprocess.run([program, "methods", "--markdown"], capture_output=True, text=True, check=True).stdout
there = pathlib.Path(committed).read_text(encoding="utf-8") if pathlib.Path(committed).exists() else ""
if said != there:
    sys.stdout.writelines(list(difflib.unified_diff(there.splitlines(True), said.splitlines(True), "docs/methods.md", "the program"))[:60])
    sys.exit("docs/methods.md is out of date: lengthwise-cli methods --markdown > docs/methods.md")
print(f"{len(said.splitlines())} lines, current")

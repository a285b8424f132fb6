#!/usr/bin/env python3
"""The exponents of scripts/lib/scaling.py, from a program whose curves are known: 3 T² seconds, 5 T bytes, and a case that stops fitting."""
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """#!{python}
import json, sys
if sys.argv[1] == "list":
    print("square\\tA square")
    print("stops\\tNo longer fits")
    sys.exit(0)
case, what, length = sys.argv[1], sys.argv[2], int(sys.argv[3])
if case == "stops" and length > 2048:
    sys.exit("no room for it")
print(json.dumps({{"case": case, "length": length, "seconds": 3e-9 * length ** 2, "extra_bytes": 5 * length}}))
"""


def measured(folder, script):
    program, file = folder / "program", folder / "curves.json"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    done = subprocess.run([sys.executable, script, program, "--max", "8192", "--max-memory", "16384", "--json", file], capture_output=True, text=True, check=True)
    return done, {(c["case"], c["what"]): c for c in json.loads(file.read_text())["curves"]}


def main(root):
    with tempfile.TemporaryDirectory() as name:
        done, curves = measured(pathlib.Path(name), pathlib.Path(root) / "scripts/lib/scaling.py")
    square, memory, stops = curves["square", "time"], curves["square", "memory"], curves["stops", "time"]
    assert abs(square["slope"] - 2) < 1e-9 and square["meets_goal"], square
    assert abs(memory["slope"] - 1) < 1e-9 and len(memory["points"]) == 5, memory
    assert [p["length"] for p in stops["points"]] == [1024, 2048], stops
    assert "stops at 4,096, time: not measured, no room for it" in done.stderr, done.stderr
    row = next(line for line in done.stdout.splitlines() if "A square" in line)
    assert [cell.strip() for cell in row.split("|")[2:9]] == ["3.1", "12.6", "50.3", "201.3", "2.00", "2.00", "2.0 ± 0.1"], row
    print("the exponents are those of the curves")


if __name__ == "__main__":
    main(sys.argv[1])

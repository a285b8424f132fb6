#!/usr/bin/env python3
"""How time and memory grow with the length T: measures at doubling lengths and fits the exponent of each curve.

Each point is measured by lw_bench_scaling in a process of its own. The exponent is the slope of log(value) over log(T) by least squares;
beside it stands that of the last doubling alone, in which constant costs weigh least.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys

SHORTEST = 1024
GOALS = {"time": "2.0 ± 0.1", "memory": "at most 1.1"}
HEADINGS = {"time": "Time, ms (least of several rounds)", "memory": "Most memory beside what the work is given, MB"}
VALUES = {"time": "seconds", "memory": "extra_bytes"}
UNITS = {"time": 1e3, "memory": 1e-6}


def doubling_lengths(longest):
    lengths = []
    length = SHORTEST
    while length <= longest:
        lengths.append(length)
        length *= 2
    return lengths


def slope(points):
    """Of log(value) over log(length); None with fewer than two points above zero."""
    logs = [(math.log(length), math.log(value)) for length, value in points if value > 0]
    if len(logs) < 2:
        return None
    x_mean = sum(x for x, _ in logs) / len(logs)
    y_mean = sum(y for _, y in logs) / len(logs)
    return sum((x - x_mean) * (y - y_mean) for x, y in logs) / sum((x - x_mean) ** 2 for x, _ in logs)


def meets_goal(what, exponent):
    if exponent is None:
        return None
    return abs(exponent - 2.0) <= 0.1 if what == "time" else exponent <= 1.1


def cases_of(program):
    lines = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return dict(line.split("\t", 1) for line in lines)


def measure_point(program, case, what, length):
    """The program's object, or None with its sentence on standard error: a length that does not fit leaves the others standing."""
    done = subprocess.run([program, case, what, str(length)], capture_output=True, text=True)
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit status {done.returncode}"
        print(f"{case} at {length:,}, {what}: not measured, {reason}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def measure_curve(program, case, what, lengths):
    points = []
    for length in lengths:
        point = measure_point(program, case, what, length)
        if point is None:
            break  # what failed here fails at longer ones too, only later
        points.append(point)
    pairs = [(point["length"], point[VALUES[what]]) for point in points]
    exponent = slope(pairs)
    return {"case": case, "what": what, "slope": exponent, "last_doubling": slope(pairs[-2:]), "goal": GOALS[what], "meets_goal": meets_goal(what, exponent),
            "points": points}


def exponent_text(exponent):
    return "—" if exponent is None else f"{exponent:.2f}"


def curve_row(title, curve, lengths):
    by_length = {point["length"]: point[VALUES[curve["what"]]] * UNITS[curve["what"]] for point in curve["points"]}
    cells = [f"{by_length[length]:,.1f}" if length in by_length else "—" for length in lengths]
    return [title, *cells, exponent_text(curve["slope"]), exponent_text(curve["last_doubling"]), curve["goal"]]


def print_table(what, rows, lengths):
    """As Markdown, so that it can go into docs/performance.md as it is."""
    heading = [HEADINGS[what], *(f"{length:,}" for length in lengths), "slope", "last doubling", "goal"]
    widths = [max(len(row[column]) for row in [heading, *rows]) for column in range(len(heading))]
    for number, row in enumerate([heading, *rows]):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if number == 0:
            print("| " + " | ".join("-" * width for width in widths) + " |")
    print(flush=True)


def wanted_cases(all_cases, asked):
    if not asked:
        return all_cases
    unknown = [case for case in asked.split(",") if case not in all_cases]
    if unknown:
        sys.exit(f"There is no case {', '.join(unknown)}; there are {', '.join(all_cases)}.")
    return {case: all_cases[case] for case in asked.split(",")}


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench scaling", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help=argparse.SUPPRESS)
    parser.add_argument("--max", type=int, default=16384, help="longest T for time (16384); every doubling takes four times as long")
    parser.add_argument("--max-memory", type=int, default=65536, help="longest T for memory (65536)")
    parser.add_argument("--only", choices=("time", "memory"), help="measure one of the two")
    parser.add_argument("--cases", help="some cases, separated by commas (all)")
    parser.add_argument("--json", metavar="FILE", help="write all numbers there too")
    given = parser.parse_args()
    for name, longest in (("--max", given.max), ("--max-memory", given.max_memory)):
        if longest < 2 * SHORTEST:
            parser.error(f"{name} is {longest}; a slope needs two lengths, so at least {2 * SHORTEST}.")
    return given


def main():
    given = arguments()
    cases = wanted_cases(cases_of(given.program), given.cases)
    curves = []
    for what, longest in (("time", given.max), ("memory", given.max_memory)):
        if given.only not in (None, what):
            continue
        lengths = doubling_lengths(longest)
        rows = []
        for case, title in cases.items():
            curves.append(measure_curve(given.program, case, what, lengths))
            rows.append(curve_row(title, curves[-1], lengths))
        print_table(what, rows, lengths)
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps({"curves": curves}, indent=1) + "\n", encoding="utf-8")
    return 0 if all(curve["points"] for curve in curves) else 1


if __name__ == "__main__":
    sys.exit(main())

"""What the peer scripts share: arguments, the least time of several rounds, compiling, checks, and a report as table and JSON."""
import argparse
import json
import os
import pathlib
import platform
import resource
import sys
import time

import torch

HEADS, HEAD_WIDTH, HIDDEN = 8, 32, 32  # H, d, D
TRAIN_LENGTH = 128                     # L


def parser(text):
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--check", action="store_true", help="compare the formulas with explicit loops on tiny cases, and measure nothing")
    made.add_argument("--json", metavar="FILE", help="write all numbers there too")
    made.add_argument("--threads", type=int, default=0, help="threads of PyTorch (all cores)")
    made.add_argument("--rounds", type=int, default=20, help="at most so many rounds, of which the least counts (20)")
    made.add_argument("--seconds", type=float, default=10.0, help="no new round after so many seconds, once there were three (10)")
    made.add_argument("--bits", type=int, default=256,
                      help="vector registers that torch.compile may use; 0 = its own choice, which with AVX-512 and 8 heads can crash or go wrong (256)")
    made.add_argument("--modes", default="eager,compiled", help="eager, compiled (torch.compile) or both (both)")
    return made


def some_of(made, option, text, known):
    """The words of a list with commas; ends the program with a sentence where one is not known, or where there is none."""
    words = [word for word in text.split(",") if word]
    unknown = [word for word in words if word not in known]
    if unknown or not words:
        made.error(f"{option} has {', '.join(unknown) or 'nothing'}; it can be some of {', '.join(known)}.")
    return words


def parsed(made, arguments=None):
    given = made.parse_args(arguments)
    given.modes = some_of(made, "--modes", given.modes, ("eager", "compiled"))
    global _compiled_bits
    _compiled_bits = given.bits
    if given.threads > 0:
        torch.set_num_threads(given.threads)
    torch.manual_seed(1)
    return given


def sizes(made, option, text):
    """"16x128,4x512" -> [(16, 128), (4, 512)]: sequences and length. Ends the program with a sentence where one is something else."""
    found = []
    for size in (size for size in text.split(",") if size):
        numbers = size.split("x")
        if len(numbers) != 2 or not all(number.isascii() and number.isdigit() and int(number) > 0 for number in numbers):
            made.error(f"{option} has {size}; sizes are sequences x length, such as 16x128,4x512.")
        found.append((int(numbers[0]), int(numbers[1])))
    return found


def least_seconds(work, given):
    """Least time of several rounds, after one that warms up and compiles; and how many rounds there were."""
    work()
    times = []
    begin = time.perf_counter()
    while len(times) < given.rounds and (len(times) < 3 or time.perf_counter() - begin < given.seconds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times), len(times)


# PyTorch 2.11 writes past a buffer where it reduces over keys and vectorises over heads that do not fill a register, as 8 heads with AVX-512
# (github.com/pytorch/pytorch/issues/196681): the program aborts, or its numbers are wrong. 256 bits hold exactly 8 heads.
_compiled_bits = 256


def in_mode(function, mode, dynamic=None):
    """The function itself, or compiled afresh, so that no earlier shape makes this one dynamic."""
    if mode == "eager":
        return function
    torch.compiler.reset()
    return torch.compile(function, dynamic=dynamic, options={"cpp.simdlen": _compiled_bits} if _compiled_bits else None)


def available_bytes():
    try:
        lines = pathlib.Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return None


def fits(bytes_needed, what):
    """False, with a sentence, where the machine has too little memory left."""
    available = available_bytes()
    if available is None or bytes_needed < 0.8 * available:
        return True
    print(f"{what}: left out, it needs about {bytes_needed / 1e9:.1f} GB and {available / 1e9:.1f} GB are free.", flush=True)
    return False


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


class Report:
    """Rows printed as they come, and written as JSON at the end."""

    def __init__(self, given, title):
        self.given, self.title, self.rows = given, title, []
        print(f"{title}\nPyTorch {torch.__version__}, {torch.get_num_threads()} threads, {processor()}, float32; least of several rounds", flush=True)

    def measure(self, name, work, size="", per_second=None):
        """One row; a way that fails, such as compiling without a C++ compiler, gets a sentence and leaves the others standing."""
        try:
            seconds, rounds = least_seconds(work, self.given)
        except Exception as error:  # noqa: BLE001: whatever went wrong in one way is said, and the next one is measured
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            print(f"{name:<52} {size:>10}  failed: {reason[:160]}", flush=True)
            self.rows.append({"name": name, "size": size, "error": reason})
            return None
        row = {"name": name, "size": size, "seconds": seconds, "rounds": rounds}
        text = f"{name:<52} {size:>10} {seconds * 1e3:>12.2f} ms"
        if per_second:
            amount, unit = per_second
            row[f"{unit}_per_second"] = amount / seconds
            text += f" {amount / seconds:>14,.0f} {unit}/s"
        self.rows.append(row)
        print(text, flush=True)
        return seconds

    def finish(self):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(f"peak memory of the process: {peak / 1e6:,.0f} MB", flush=True)
        if not self.given.json:
            return
        about = {"title": self.title, "torch": torch.__version__, "threads": torch.get_num_threads(), "processor": processor(), "compiled_bits": _compiled_bits, "cores": os.cpu_count(),
                 "peak_bytes": peak, "rows": self.rows}
        pathlib.Path(self.given.json).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def agree(name, found, expected, tolerance=2e-5, other="the explicit loop"):
    """Ends the program where two tensors differ by more than the tolerance."""
    difference = (found.double() - torch.as_tensor(expected, dtype=torch.float64)).abs().max().item()
    if not difference <= tolerance:  # also catches nan
        sys.exit(f"{name}: differs from {other} by {difference:.3g}, more than {tolerance:g}.")
    print(f"{name}: agrees with {other} within {tolerance:g}")

#!/usr/bin/env python3
"""Unpacks what the C++ side needs from wheels: torch/lib, torch/include and nvidia/*/lib. Usage: unpack_wheels.py WHEELS INTO

Everything goes to a folder beside the target first, which then takes its place, so that an interrupted unpacking leaves
nothing half done.
"""
import os
import pathlib
import re
import shutil
import sys
import time
import zipfile

WANTED = re.compile(r"^(torch/(lib|include)|nvidia/[^/]+/lib)/")
# Python's own part of LibTorch is of no use to a C++ program, and the copies of other libraries' headers that the wheel
# brings along would hide the system's: the program would compile against one version and link another.
UNWANTED = re.compile(r"^torch/lib/libtorch_python|^torch/include/(fmt|google|pybind11)/|/__pycache__/|\.(py|pyc|lib|a)$")


def unpack(wheel, folder):
    count = 0
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if WANTED.match(name) and not UNWANTED.search(name):
                # The archive's own date, so that unpacking the same wheel again does not rebuild everything.
                date = time.mktime(archive.getinfo(name).date_time + (0, 0, -1))
                os.utime(archive.extract(name, folder), (date, date))
                count += 1
    return count


def main(wheels, target):
    wheels, target = pathlib.Path(wheels), pathlib.Path(target)
    fresh = target.with_name(target.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    files = sum(unpack(wheel, fresh) for wheel in sorted(wheels.glob("*.whl")))
    if not (fresh / "torch/lib/libtorch_cpu.so").exists():
        sys.exit(f"The wheels in {wheels} hold no LibTorch.")
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)
    print(f"LibTorch   {files} files unpacked")


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
"""Seconds from starting the program until something is drawn on a virtual screen. Usage: first_window.py PROGRAM [STARTS]

The screen's memory is a file that Xvfb keeps; it is compared with the empty screen every few milliseconds.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


def free_display():
    return next(n for n in range(80, 200) if not pathlib.Path(f"/tmp/.X{n}-lock").exists())


def measure(program, display, screen, settings):
    empty = screen.read_bytes()
    environment = dict(os.environ, DISPLAY=f":{display}", QT_QPA_PLATFORM="xcb", XDG_CONFIG_HOME=settings, LENGTHWISE_WORKSPACE=settings)
    environment.pop("WAYLAND_DISPLAY", None)
    start = time.monotonic()
    window = subprocess.Popen([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    drawn = wait_for(lambda: screen.read_bytes() != empty or window.poll() is not None, 60)
    seconds = time.monotonic() - start
    ended = window.poll() is not None
    window.terminate()
    window.wait()
    time.sleep(0.3)  # the screen is cleared before the next start
    return None if ended or not drawn else seconds


def main(program, starts="3"):
    if shutil.which("Xvfb") is None:
        sys.exit("First-window time needs Xvfb (package xvfb).")
    display = free_display()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(["Xvfb", f":{display}", "-screen", "0", "1280x800x24", "-fbdir", folder],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            screen = pathlib.Path(folder) / "Xvfb_screen0"
            if not wait_for(screen.exists, 10):
                sys.exit("Xvfb did not start.")
            time.sleep(0.5)
            settings = os.path.join(folder, "settings")
            os.makedirs(settings)
            for number in range(int(starts)):
                seconds = measure(program, display, screen, settings)
                print(f"first window, start {number + 1}: " + ("the program ended" if seconds is None else f"{seconds:.2f} s"))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])

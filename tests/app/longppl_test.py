"""LongPPL on the command line: its table, who marks the key tokens, and what is refused."""
import json
import unittest

from harness import HAS_UI, CliTest


class LongPpl(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.first, cls.second = cls.train("alibi"), cls.train("rope")

    def measure(self, run, *words):
        # Runs of three steps have no token that a long context helps by 2 nats.
        return self.cli("evaluate", run, "--protocol", "longppl", "--lengths", "24,64", "--split", "train", "--places", "8",
                        "--short", "8", "--gain", "0", "--probability=-20", *words)

    def test_the_table_shows_key_tokens_and_their_share(self):
        answer = self.measure(self.first)
        self.assertEqual(answer.code, 0, answer.err)
        self.assertIn("LongPPL", answer.out)
        self.assertIn("key tokens", answer.out)
        self.assertIn("against 8 tokens of context", answer.out)
        document = self.measure(self.first, "--json").json
        self.assertEqual(document["keys"]["evaluator"], self.first)
        for point in document["points"]:
            self.assertLess(point["tokens"], point["candidates"])
            self.assertAlmostEqual(point["key_share"], point["tokens"] / point["candidates"])
        self.assertTrue((self.workspace / self.first / "evaluations" / "longppl.json").exists())

    def test_runs_compare_where_one_marked_for_both(self):
        self.measure(self.first)
        self.measure(self.second)
        refused = self.cli("compare", self.first, self.second, "--protocol", "longppl")
        self.assertIn("same evaluator", refused.out + refused.err)
        self.assertEqual(self.measure(self.second, "--evaluator", self.first).code, 0)
        compared = self.good("compare", self.first, self.second, "--protocol", "longppl")
        self.assertNotIn("same evaluator", compared.out + compared.err)

    def test_extensions_are_measured_on_the_key_tokens_of_the_run_itself(self):
        self.assertEqual(self.measure(self.second, "--evaluator", self.first).code, 0)
        answer = self.good("extensions", self.second, "--protocol", "longppl", "--with", "rope-linear,rope-yarn", "--factor", "2", "--json")
        self.assertNotIn("differ between runs", " ".join(answer.json["curves"]["warnings"]))
        extended = [run["id"] for run in self.good("runs", "list", "--json").json["runs"] if not run["demo"] and run["id"] not in (self.first, self.second)]
        self.assertEqual(len(extended), 2)
        for run in extended:
            measured = json.loads((self.workspace / run / "evaluations" / "longppl.json").read_text(encoding="utf-8"))
            self.assertEqual(measured["keys"]["evaluator"], self.first)
        self.good("compare", self.second, *extended, "--protocol", "longppl")

    def test_a_figure_says_that_key_tokens_differ(self):
        self.measure(self.first)
        self.measure(self.second)
        if HAS_UI:
            drawn = self.good("figure", "curves", self.first, self.second, "--protocol", "longppl", "-o", "keys.pdf")
            self.assertIn("key tokens differ between runs", drawn.err)
        refused = self.cli("figure", "position-loss", self.first, "--protocol", "longppl", "-o", "positions.pdf")
        self.assertEqual(refused.code, 2)
        self.assertIn("no losses by position", refused.err)

    def test_what_cannot_be_measured_is_refused_in_a_sentence(self):
        short = self.cli("evaluate", self.first, "--protocol", "longppl", "--lengths", "32", "--split", "train", "--short", "40")
        self.assertEqual(short.code, 2)
        self.assertIn("at least two tokens longer than the short context of 40 tokens", short.err)
        none = self.cli("evaluate", self.first, "--protocol", "longppl", "--lengths", "24", "--split", "train", "--short", "8", "--gain", "50")
        self.assertEqual(none.code, 2)
        self.assertIn("is a key token", none.err)
        other = self.cli("evaluate", self.first, "--short", "8", "--evaluator", self.second)
        self.assertEqual(other.code, 2)
        self.assertIn("--short, --evaluator are options of --protocol longppl", other.err)
        published = self.cli("compare", self.first, self.second, "--protocol", "longppl", "--published", "dape-arxiv-125m-l128")
        self.assertEqual(published.code, 2)
        self.assertIn("do not stand beside LongPPL", published.err)
        step = self.measure(self.first, "--evaluator-step", "3")
        self.assertEqual(step.code, 2)
        self.assertEqual(self.measure(self.first, "--evaluator", "nobody").code, 3)


if __name__ == "__main__":
    unittest.main()

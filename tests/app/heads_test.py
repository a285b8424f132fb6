"""heads over lengths, checkpoints and texts, as tables, JSON and CSV."""
import csv
import math
import pathlib
import unittest

from harness import HAS_UI, SMALL, CliTest


class Heads(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.dape = cls.train("dape-kerple", "--set", "training.checkpoint_every=1", "--set", "training.keep_checkpoints=0")
        cls.rope = cls.train("rope")

    def test_heads_are_measured_over_lengths(self):
        out = self.root / "tables" / "atlas.csv"
        atlas = self.good("heads", self.dape, "--lengths", "64,16", "--sequences", "2", "--queries", "8", "--out", out, "--json").json
        self.assertEqual(atlas["lengths"], [16, 64])
        self.assertEqual(len(atlas["points"]), 2 * 4)
        for point in atlas["points"]:
            self.assertAlmostEqual(point["effective_keys"], math.exp(point["entropy"]), places=6)
            self.assertLessEqual(point["effective_keys"], point["length"] + 1e-6)
            self.assertEqual(point["beyond_training"] > 0, point["length"] > 32)
            self.assertEqual(point["untrained_logits"]["low"] is None, point["length"] <= 32)
        self.assertEqual(len(atlas["terms"]), 2 * 2)
        self.assertEqual(len(atlas["drift_over_length"]), 4)
        self.assertNotIn("drift_over_steps", atlas)
        rows = list(csv.DictReader(out.read_text().splitlines()))
        self.assertEqual(len(rows), 8)
        self.assertEqual({row["of"] for row in rows}, {"bias+adaptive"})
        text = self.good("heads", self.dape, "--lengths", "16,64", "--sequences", "1").out
        self.assertIn("ending with the same tokens at every length", text)
        self.assertIn("Heads that change most with length", text)

    def test_heads_are_measured_over_checkpoints(self):
        steps = [checkpoint["step"] for checkpoint in self.good("runs", "show", self.dape, "--json").json["checkpoints"]]
        atlas = self.good("heads", self.dape, "--steps", "all", "--length", "48", "--sequences", "1", "--json").json
        self.assertEqual(atlas["steps"], sorted(steps))
        self.assertEqual(len(atlas["drift_over_steps"]), 4)
        one = self.good("heads", self.dape, "--steps", str(steps[0]), "--length", "48", "--sequences", "1", "--json").json
        self.assertEqual(one["points"], [point for point in atlas["points"] if point["step"] == steps[0]])
        self.assertEqual(self.cli("heads", self.dape, "--steps", "977").code, 3)
        refused = self.cli("heads", self.dape, "--steps", "last")
        self.assertEqual(refused.code, 2)
        self.assertIn("--steps all", refused.err)

    def test_a_length_of_one_token_is_refused(self):
        refused = self.cli("heads", self.dape, "--lengths", "1,64")
        self.assertEqual(refused.code, 2)
        self.assertIn("2 tokens or more, not at 1", refused.err)
        self.assertEqual(self.cli("heads", self.dape, "--lengths", "10000000").code, 2)

    def test_what_was_read_is_named_and_a_document_stands_alone(self):
        self.assertIn("Read: tale_", self.good("heads", self.dape, "--length", "48", "--sequences", "2").out)
        one = self.good("heads", self.dape, "--length", "48", "--document", "corpus/tale_03.txt", "--json").json
        self.assertEqual((one["texts"], len(one["documents"])), (1, 1))
        self.assertIn("tale_03", one["documents"][0])
        some = self.good("heads", self.dape, "--length", "48", "--document", "corpus/tale_03.txt", "--sequences", "2", "--json").json
        self.assertEqual(some["texts"], 2)
        self.assertNotIn("tea-road", self.good("heads", self.dape, "--length", "48", "--sequences", "500").out)

    def test_what_would_be_ignored_or_means_nothing_is_refused(self):
        for view in ("--similar", "--text-dependence"):
            for words in (["--lengths", "16,64"], ["--steps", "all"]):
                refused = self.cli("heads", self.dape, view, *words)
                self.assertEqual(refused.code, 2)
                self.assertIn("one length and one checkpoint", refused.err)
        for words, part in ((["--length", "1"], "2 tokens or more, not at 1"), (["--length", "-1"], "a whole number from 1"),
                            (["--rank-threshold", "nan"], "threshold of the rank"), (["--contrast-threshold", "-1"], "threshold of the contrast"),
                            (["--lengths", "16,32", "--peak-threshold", "inf"], "threshold of the peak")):
            refused = self.cli("heads", self.dape, *words)
            self.assertEqual(refused.code, 2, refused.err)
            self.assertIn(part, refused.err)
        for option, part in (("--width", "20 to 2,000 mm"), ("--dpi", "36 to 1,200 dots per inch")):
            refused = self.cli("figure", "atlas", self.dape, option, "nan", "-o", self.root / "wide.png")
            self.assertEqual(refused.code, 2)
            self.assertIn(part, refused.err)

    def test_options_of_one_view_are_refused_in_another(self):
        for words, said in ((("--layer", "1"), "--layer requires --text-dependence"), (("--other-text", "A boat."), "--other-text requires --text-dependence"),
                            (("--lengths", "16,32", "--length", "48"), "excludes"), (("--steps", "all", "--step", "1"), "excludes"),
                            (("--lengths", "16,32", "--query", "3"), "excludes"), (("--similar", "--of", "bias"), "excludes"),
                            (("--similar", "--rank-threshold", "0.5"), "excludes"), (("--text-dependence", "--sequences", "3"), "excludes"),
                            (("--text", "A boat comes home.", "--sequences", "3"), "excludes"), (("--queries", "8"), "--queries means nothing without"),
                            (("--text-dependence", "--other-text", "A boat.", "--other-document", "tale_03"), "excludes"),
                            (("--document", ""), "it is empty"), (("--query", "-2"), "a whole number from -1")):
            refused = self.cli("heads", self.dape, *words)
            self.assertEqual(refused.code, 2, words)
            self.assertIn(said, refused.err)

    def test_a_run_with_one_checkpoint_says_that_nothing_is_followed(self):
        steps = [checkpoint["step"] for checkpoint in self.good("runs", "show", self.rope, "--json").json["checkpoints"]]
        said = self.good("heads", self.rope, "--steps", "all", "--length", "48", "--sequences", "1").err
        self.assertEqual("one checkpoint only" in said, len(steps) == 1)

    def test_heads_that_attend_alike_are_listed(self):
        result = self.good("heads", self.dape, "--similar", "--length", "48", "--sequences", "2", "--json").json
        self.assertEqual(len(result["heads"]), 4)
        for head in result["heads"]:
            found = [other["divergence"] for other in head["nearest"]]
            self.assertEqual(found, sorted(found))
            self.assertTrue(all(0 <= value <= math.log(2) for value in found))
        self.assertIn("Jensen", self.good("heads", self.dape, "--similar", "--length", "48", "--sequences", "1").out)

    def test_the_dependence_on_the_text_is_shown_with_its_places(self):
        out = self.root / "places.csv"
        words = ["heads", self.dape, "--text-dependence", "--length", "40", "--places", "5"]
        heads = self.root / "dependence.csv"
        result = self.good(*words, "--out", out, "--heads-out", heads, "--json").json
        rows = list(csv.DictReader(heads.read_text().splitlines()))
        self.assertEqual([float(row["moved"]) for row in rows], [head["moved"] for head in result["heads"]])
        self.assertTrue(result["reads_text"])
        self.assertEqual(len(result["places"]), 5)
        self.assertEqual(len(result["heads"]), 4)
        self.assertEqual(len(out.read_text().splitlines()), 6)
        self.assertIn("Where it matters most", self.good(*words, "--layer", "1", "--head", "0").out)
        typed = self.good(*words, "--text", "The lamp is lit at dusk.", "--other-text", "A boat comes home.", "--json").json
        self.assertEqual(typed["length"], 18)
        self.assertIn("needs another one", self.cli(*words, "--text", "The lamp.").err)
        self.assertIn("no bias and no adaptive term", self.cli("heads", self.rope, "--text-dependence", "--length", "40").err)
        self.assertEqual(self.cli(*words, "--similar").code, 2)
        absent = self.cli(*words, "--head", "99")
        self.assertEqual(absent.code, 2)
        self.assertIn("There is no head 99: the model has heads 0 to 1.", absent.err)
        self.assertIn("There is no layer -7: ", self.cli(*words, "--layer=-7").err)

    def test_the_second_text_of_a_task_is_the_next_example(self):
        task = self.good("train", "alibi", "--corpus", "task:copy", *SMALL[2:], "--json").json["id"]
        for named, first, second in (([], 0, 1), (["--document", "task:copy/1"], 1, 2), (["--document", "task:copy/5"], 5, 6)):
            result = self.good("heads", task, "--text-dependence", *named, "--json").json
            self.assertTrue(result["text_a"].startswith(f"task:copy example {first},"), result["text_a"])
            self.assertTrue(result["text_b"].startswith(f"task:copy example {second},"), result["text_b"])
        self.assertIn("is not an example", self.cli("heads", task, "--text-dependence", "--document", "task:copy/last").err)

    def test_a_typed_text_has_its_own_length(self):
        atlas = self.good("heads", self.dape, "--text", "A boat comes home.", "--steps", "all", "--json").json
        self.assertEqual(atlas["lengths"], [18])
        self.assertIn("are to be measured at 64", self.cli("heads", self.dape, "--text", "A boat comes home.", "--lengths", "16,64").err)

    def test_the_atlas_is_drawn(self):
        drawn = self.cli("figure", "atlas", self.dape, "--lengths", "16,48", "--sequences", "2", "-o", self.root / "atlas.svg")
        self.assertEqual(drawn.code, 0 if HAS_UI else 7, drawn.err)
        if HAS_UI:
            self.assertEqual(len((self.root / "atlas.csv").read_text().splitlines()), 1 + 2 * 4)
            picture = pathlib.Path(self.root / "atlas.svg").read_text()
            for said in ("<svg", "bias + adaptive", "trained at L = 32", "seed 1", "atanh scale", "asinh scale"):
                self.assertIn(said, picture)
            self.good("figure", "atlas", self.rope, "--length", "48", "--sequences", "2", "--axis", "A", "-o", self.root / "one.pdf")
            self.assertEqual(self.cli("figure", "atlas", self.rope, "--axis", "B", "-o", self.root / "one.pdf").code, 2)


if __name__ == "__main__":
    unittest.main()

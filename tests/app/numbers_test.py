#!/usr/bin/env python3
"""The command line from outside: evaluations, comparisons, maps and figures.

Run through CTest, or: LENGTHWISE_CLI=... numbers_test.py [-v] [Group]"""
import csv
import json
import os
import pathlib
import re
import unittest
import zipfile

from harness import HAS_UI, SMALL, CliTest


class Measuring(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.alibi = cls.train("alibi")
        cls.dape = cls.train("dape-kerple")

    def evaluate(self, run):
        return self.good("evaluate", run, "--lengths", "32,64,128", "--documents", "2", "--split", "train", "--json").json

    def test_perplexity_is_reported_at_every_length_and_kept(self):
        result = self.evaluate(self.alibi)
        self.assertEqual([point["length"] for point in result["points"]], [32, 64, 128])
        self.assertTrue(result["saved"])
        for point in result["points"]:
            self.assertTrue(1 < point["low"] <= point["perplexity"] <= point["high"] < 10000)
        self.assertTrue(self.good("runs", "show", self.alibi, "--json").json["evaluations"])

    def test_published_values_stand_below_and_are_marked(self):
        self.evaluate(self.alibi)
        self.evaluate(self.dape)
        out = self.good("compare", self.alibi, self.dape, "--published", "dape-arxiv-125m-l128").out
        self.assertRegex(out, r"ALiBi, published .*8\.31")
        self.assertIn("Published: DAPE paper", out)
        wrong = self.cli("compare", self.alibi, self.dape, "--published", "dape-arxiv")
        self.assertEqual(wrong.code, 3)
        self.assertIn("dape-arxiv-125m-l1", wrong.err)

    def test_runs_are_compared_with_the_first(self):
        for run in (self.alibi, self.dape):
            self.evaluate(run)
        out = self.root / "curves.csv"
        result = self.good("compare", self.alibi, self.dape, "--out", out, "--json").json
        self.assertEqual(len(result["curves"]["lines"]), 2)
        self.assertTrue(result["comparisons"])
        self.assertTrue(out.read_text().strip())

    def test_a_run_named_twice_is_one_seed(self):
        self.evaluate(self.alibi)
        result = self.good("compare", self.alibi, self.alibi, "--json").json
        self.assertEqual([line["seeds"] for line in result["curves"]["lines"]], [1])
        self.assertIn("bootstrap", result["curves"]["lines"][0]["band"])
        self.assertIn("two evaluated runs", result["note"])

    def test_a_missing_interval_is_null_and_not_the_value_twice(self):
        words = ("--lengths", "32,64", "--documents", "2", "--split", "train", "--bootstrap", "0", "--json")
        for run in (self.alibi, self.dape):
            for point in self.good("evaluate", run, *words).json["points"]:
                self.assertIsNone(point["low"])
                self.assertIsNone(point["high"])
        result = self.good("compare", self.alibi, self.dape, "--json").json
        for line in result["curves"]["lines"]:
            self.assertEqual((line["low"], line["high"], line["band"]), ([None, None], [None, None], "no interval"))
        for comparison in result["comparisons"]:
            self.assertEqual((comparison["low"], comparison["high"]), (None, None))
            self.assertIn("an interval needs a bootstrap", comparison["no_interval"])
            self.assertIn("were made with 0 resamples", comparison["no_interval"])
        self.assertIn("no interval", self.good("compare", self.alibi, self.dape).out)
        for run in (self.alibi, self.dape):
            self.evaluate(run)
        result = self.good("compare", self.alibi, self.dape, "--json").json
        self.assertTrue(all("no_interval" not in comparison and comparison["low"] < comparison["high"] for comparison in result["comparisons"]))

    def test_equal_losses_are_equal_and_have_their_interval(self):
        for run in (self.alibi, self.dape):
            self.evaluate(run)
        files = [self.workspace / run / "evaluations" / "last-k.json" for run in (self.alibi, self.dape)]
        first, second = (json.loads(file.read_text(encoding="utf-8")) for file in files)
        second["points"] = first["points"]  # as of an extension that changes nothing up to the training length
        files[1].write_text(json.dumps(second), encoding="utf-8")
        for comparison in self.good("compare", self.alibi, self.dape, "--json").json["comparisons"]:
            self.assertEqual((comparison["ratio"], comparison["low"], comparison["high"]), (1, 1, 1))
            self.assertNotIn("no_interval", comparison)
        out = self.good("compare", self.alibi, self.dape).out
        self.assertNotIn("no interval", out)
        self.assertRegex(out, r"1\.0000 +1\.0000 +1\.0000 +equal")
        self.evaluate(self.dape)

    def test_options_that_a_protocol_does_not_use_are_refused(self):
        for words, said in ((("--examples", "5"), "--examples means nothing with a run that was trained on a text"),
                            (("--stride", "5"), "--stride means nothing with the protocol last-k"),
                            (("--protocol", "non-overlapping", "--stride", "5", "--scored", "5"), "--scored, --stride mean nothing with the protocol non-overlapping"),
                            (("--protocol", "sliding", "--scored", "5"), "--scored means nothing with the protocol sliding")):
            refused = self.cli("evaluate", self.alibi, *words)
            self.assertEqual(refused.code, 2, words)
            self.assertIn(said, refused.err)
        self.good("evaluate", self.alibi, "--protocol", "sliding", "--stride", "16", "--lengths", "32", "--split", "train", "--places", "2")

    def test_a_refused_comparison_prints_the_command_that_helps(self):
        self.evaluate(self.alibi)
        self.good("evaluate", self.dape, "--lengths", "32,64,128", "--documents", "2", "--split", "train", "--scored", "4")
        answer = self.cli("compare", self.alibi, self.dape)
        self.assertEqual(answer.code, 2)
        document = self.cli("compare", self.alibi, self.dape, "--json").json
        self.assertEqual(document["error"]["message"], document["note"])
        command = next(line for line in answer.out.splitlines() if line.startswith("  lengthwise-cli evaluate " + self.dape))
        self.good(*command.split()[1:])
        self.good("compare", self.alibi, self.dape)

    def test_decimals_are_the_same_in_one_table(self):
        self.evaluate(self.alibi)
        row = next(line for line in self.good("compare", self.alibi).out.splitlines() if line.startswith("ALiBi"))
        self.assertEqual(len(row.split()), 4)
        self.assertTrue(all(re.fullmatch(r"[\d,]+\.\d\d", word) for word in row.split()[1:]), row)

    def test_a_run_without_evaluation_does_not_hide_the_others(self):
        for run in (self.alibi, self.dape):
            self.evaluate(run)
        fresh = self.train("rope")
        answer = self.good("compare", self.alibi, self.dape, fresh)
        self.assertIn("perplexity at", answer.out)
        self.assertIn("RoPE has no evaluation", answer.out)
        self.assertRegex(answer.out, "(lower|higher|differ)")

    def test_seeds_of_one_recipe_are_shown_and_not_compared(self):
        for seed in ("1", "2"):
            self.evaluate(self.train("kerple-log", "--seed", seed))
        runs = [run["id"] for run in self.good("runs", "--json").json["runs"] if not run["demo"] and run["id"].startswith("kerple")]
        answer = self.good("compare", *runs)
        self.assertIn("2 seeds", answer.out)
        self.assertIn("seeds of one recipe", answer.out)

    def test_the_protocol_of_the_dape_paper_scores_its_own_tokens(self):
        result = self.good("evaluate", self.alibi, "--protocol", "dape-paper", "--lengths", "32,512", "--split", "train", "--json").json
        self.assertIn("min(256, T)", result["protocol_line"])
        asked = self.good("evaluate", self.alibi, "--protocol", "dape-paper", "--scored", "20", "--lengths", "32", "--split", "train", "--json").json
        self.assertIn("min(20, T)", asked["protocol_line"])

    def test_a_shorter_length_than_the_training_length_is_measured(self):
        result = self.good("evaluate", self.alibi, "--lengths", "16,32", "--split", "train", "--json").json
        self.assertEqual([point["length"] for point in result["points"]], [16, 32])

    def test_an_interval_is_named_where_there_is_one(self):
        words = ["evaluate", self.alibi, "--lengths", "32", "--split", "train", "--documents", "9"]
        self.assertIn("90 % interval, bootstrap over documents", self.good(*words, "--level", "0.9").out)
        few = self.good("evaluate", self.alibi, "--lengths", "32", "--split", "train", "--documents", "3").out
        self.assertIn("bootstrap over places", few)
        none = self.good(*words, "--bootstrap", "0").out
        self.assertNotIn("bootstrap", none)
        self.assertIn("no interval", none)

    def test_a_task_is_measured_and_its_heads_as_well(self):
        run = self.good("train", "alibi", "--corpus", "task:copy", *SMALL[2:], "--json").json["id"]
        result = self.good("evaluate", run, "--lengths", "32", "--examples", "20", "--step", "3", "--json").json
        self.assertEqual(result["step"], 3)
        point = result["points"][0]
        self.assertTrue(point["exact_low"] <= point["exact_match"] <= point["exact_high"])
        self.assertTrue((self.workspace / run / "evaluations" / "task.json").exists())
        self.assertEqual(result["train"]["examples"], 20)
        self.assertEqual(result["validation"]["examples"], 20)
        self.assertEqual(self.cli("evaluate", run, "--step", "2").code, 3)
        refused = self.cli("compare", run)
        self.assertEqual(refused.code, 3)
        self.assertIn("measured by accuracy", refused.err)
        ranged = self.good("evaluate", run, "--lengths", "30..32,64", "--examples", "4", "--json").json
        self.assertEqual([point["length"] for point in ranged["points"]], [30, 31, 32, 64])
        self.assertEqual(ranged["longer"]["lengths"], 1)
        self.good("evaluate", run, "--lengths", "32,64", "--examples", "20")
        drawn = self.cli("figure", "accuracy", run, "-o", self.root / "accuracy.svg")
        self.assertEqual(drawn.code, 0 if HAS_UI else 7, drawn.err)
        if HAS_UI:
            rows = list(csv.DictReader((self.root / "accuracy.csv").read_text().splitlines()))
            self.assertTrue(all(float(row["low"]) <= float(row["accuracy"]) <= float(row["high"]) for row in rows))
        heads = self.good("heads", run, "--length", "32", "--json").json
        self.assertEqual(heads["texts"], 16)

    def test_without_a_length_a_task_shows_an_example_of_the_training_length(self):
        run = self.good("train", "alibi", "--corpus", "task:copy", *SMALL[2:], "--json").json["id"]
        self.assertEqual(self.good("maps", run, "--json").json["info"]["length"], 32)
        self.assertEqual(self.good("heads", run, "--similar", "--json").json["length"], 32)
        self.assertEqual(self.good("heads", run, "--steps", "all", "--json").json["lengths"], [32])
        self.assertEqual(self.good("maps", run, "--length", "48", "--json").json["info"]["length"], 48)
        other = self.good("heads", run, "--text-dependence", "--json").json
        self.assertEqual(other["length"], 32)
        self.assertNotEqual(other["text_a"], other["text_b"])
        encoder = self.good("train", "alibi", "--corpus", "task:reverse-string", *SMALL[2:10], "--length", "10", "--batch", "2", "--json").json["id"]
        self.assertEqual(self.good("maps", encoder, "--json").json["info"]["length"], 20)  # the input and as many answers

    @unittest.skipUnless(HAS_UI, "needs drawing")
    def test_a_passkey_is_measured_by_place_and_drawn(self):
        run = self.good("train", "alibi", "--corpus", "task:passkey", *SMALL[2:10], "--length", "72", "--batch", "2", "--json").json["id"]
        measured = self.good("evaluate", run, "--examples", "12", "--json").json
        self.assertEqual([point["length"] for point in measured["points"]], [72, 144, 288, 576])
        self.assertTrue(all(point["depths"] for point in measured["points"]))
        self.good("figure", "depths", run, "-o", self.root / "depths.png")
        rows = list(csv.DictReader((self.root / "depths.csv").read_text().splitlines()))
        self.assertEqual({row["length"] for row in rows}, {"72", "144", "288", "576"})
        self.assertEqual(self.cli("figure", "depths", self.alibi, "-o", self.root / "none.png").code, 3)

    def test_measures_say_what_they_are_of(self):
        measured = self.good("heads", self.dape, "--length", "64", "--sequences", "2").out
        self.assertIn("Measured: bias+adaptive, mean over 2 texts", measured)
        self.assertIn(f"({self.dape}), L = ", measured)
        rope = self.train("rope")
        heads = self.good("heads", rope, "--length", "64", "--sequences", "1", "--json").json
        self.assertEqual(heads["of"], "content")
        self.assertIsNone(heads["heads"][0]["adaptivity"])
        self.assertIn("this scheme has no bias+adaptive", self.good("heads", rope, "--length", "64").out)

    def test_a_map_that_is_not_there_is_refused(self):
        refused = self.cli("maps", self.alibi, "--length", "32", "--part", "adaptive")
        self.assertEqual(refused.code, 2)
        self.assertRegex(refused.err, r'have no part "adaptive": they have content, bias, logit, probability\.')
        self.good("maps", self.alibi, "--length", "32", "--part", "bias+adaptive")
        self.assertIn("There is no layer 7: the model has layers 0 to 1.", self.cli("maps", self.alibi, "--length", "32", "--layer", "7").err)

    def test_an_unknown_protocol_is_refused(self):
        self.assertEqual(self.cli("evaluate", self.alibi, "--protocol", "guess").code, 2)

    def test_every_head_is_measured(self):
        heads = self.good("heads", self.dape, "--length", "64", "--sequences", "2", "--json").json["heads"]
        self.assertEqual([(h["layer"], h["head"]) for h in heads], [(0, 0), (0, 1), (1, 0), (1, 1)])
        self.assertTrue(all(-1 <= h["locality"] <= 1 for h in heads))

    def test_a_greedy_text_does_not_depend_on_the_cache(self):
        words = ["generate", self.dape, "--prompt", "The lamp", "--tokens", "12", "--temperature", "0", "--json"]
        self.assertEqual(self.good(*words).json["text"], self.good(*words, "--no-cache").json["text"])


class Numbers(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_id = cls.train("dape-kerple")

    def maps(self, *words):
        return self.good("maps", self.run_id, "--length", "48", *words, "--json").json

    def test_the_parts_of_a_cell_sum_to_its_logit(self):
        cell = self.maps("--layer", "1", "--head", "1", "--cell", "40,7")
        total = cell["content"] + cell["adaptive"] + (cell["bias"] if cell["bias_is_added"] else 0)
        self.assertAlmostEqual(total, cell["logit"], places=3)
        self.assertRegex(cell["sentence"], r"^content .* \+ adaptive .* = logit .* → exp\(.* − log normaliser .*\) = probability ")
        self.assertNotIn("-", cell["sentence"].split("= probability")[0])

    def test_probabilities_of_a_row_sum_to_one(self):
        for row in self.maps("--row", "47")["rows"]:
            self.assertEqual(len(row["probability"]), 48)
            self.assertAlmostEqual(sum(row["probability"]), 1, places=4)

    def test_a_tile_masks_what_a_query_cannot_see(self):
        tile = self.maps("--head", "0", "--queries", "4:8", "--keys", "0:8")["tiles"][0]
        values = [tile["values"][r * 8:(r + 1) * 8] for r in range(4)]
        for r, row in enumerate(values):
            self.assertTrue(all(v is not None for v in row[:4 + r + 1]))
            self.assertTrue(all(v is None for v in row[4 + r + 1:]))

    def test_tiles_are_written_as_npz_and_csv(self):
        out = self.root / "made" / "tile.npz"
        self.maps("--part", "adaptive", "--out", out)
        names = zipfile.ZipFile(out).namelist()
        self.assertEqual(sorted(names), ["layer0_head0_adaptive.npy", "layer0_head1_adaptive.npy"])
        table = self.root / "tile.csv"
        self.maps("--head", "1", "--out", table)
        self.assertTrue(table.read_text().strip())

    def test_a_range_outside_the_text_says_how_long_it_is(self):
        answer = self.cli("maps", self.run_id, "--length", "48", "--queries", "10:400")
        self.assertEqual(answer.code, 2)
        self.assertIn("48", answer.err)

    def test_a_file_that_cannot_be_written_is_refused_before_anything_is_computed(self):
        taken = self.root / "taken"
        taken.write_text("a file", encoding="utf-8")
        # There is no such run: what is said of the file is said before it is looked for.
        for words, said in ((("maps", "nobody", "--out", self.root / "tile.xyz"), "must end in .npz or .csv"),
                            (("maps", "nobody", "--pan", "--log", self.root), "is a folder"),
                            (("maps", "nobody", "--out", self.root / "tile.csv"), "A CSV holds one head"),
                            (("heads", "nobody", "--out", self.root), "is a folder"),
                            (("heads", "nobody", "--out", taken / "heads.csv"), "is a file and no folder"),
                            (("extensions", "nobody", "-o", self.root / "x.txt"), "must end in .pdf, .svg or .png"),
                            (("extensions", "nobody", "-o", self.root / "x.pdf", "--width", "1"), "20 to 2,000 mm"),
                            (("figure", "curves", "nobody", "-o", self.root), "is a folder"),
                            (("evaluate", "nobody", "--bootstrap", "300000000"), "from 0 to 1,000,000")):
            answer = self.cli(*words)
            self.assertEqual(answer.code, 2, words)
            self.assertIn(said, answer.err)

    def test_options_that_mean_nothing_beside_others_are_refused(self):
        for words, said in ((("--pan", "-o", "z.npz"), "excludes"), (("--pan", "--row", "3"), "excludes"), (("--pan", "--cell", "1,1"), "excludes"),
                            (("--pan", "--queries", "3:5"), "excludes"), (("--log", "q.csv"), "--log requires --pan"),
                            (("--views", "3"), "--views requires --pan"), (("--dwell", "1"), "--dwell requires --pan"),
                            (("--row", "3", "--part", "bias"), "excludes"), (("--cell", "1,1", "--head", "0", "-o", "z.npz"), "excludes"),
                            (("--row", "-5"), "a whole number from 0"), (("--pan", "--views", "0"), "a whole number from 1"),
                            (("--pan", "--dwell", "nan"), "a number from 0"), (("--tile-memory", "nan"), "a number from 0"),
                            (("--tile-memory", "1e300"), "a number from 0"), (("--pan", "--log", "p.txt"), "must end in .csv or .json"),
                            (("--text", ""), "it is empty"), (("--text", "A boat.", "--document", "tale_03"), "excludes"),
                            (("--row", "3", "--head", "7"), "There is no head 7: the model has heads 0 to 1.")):
            refused = self.cli("maps", self.run_id, "--length", "48", *words)
            self.assertEqual(refused.code, 2, words)
            self.assertIn(said, refused.err)

    def test_a_pan_logs_first_and_exact_times_and_pans_back_for_nothing(self):
        log = self.root / "pan.json"
        self.good("maps", self.run_id, "--length", "120", "--head", "1", "--size", "16", "--pan", "--views", "12", "--log", log)
        document = json.loads(log.read_text())
        views = document["views"]
        self.assertEqual(views[0]["move"], "whole map")
        self.assertEqual(views[-1]["move"], "whole map again")
        for view in views:
            self.assertGreaterEqual(view["exact_ms"], view["first_picture_ms"])
        back = [view for view in views if view["move"] in ("pan back", "zoom out", "whole map again")]
        self.assertTrue(back)
        self.assertEqual({view["tiles_computed"] for view in back}, {0})
        self.assertTrue(all(view["first_exact_share"] == 1 for view in back))
        self.assertLessEqual(document["tile_bytes"], document["tile_budget"])
        table = self.root / "pan.csv"
        self.good("maps", self.run_id, "--length", "120", "--size", "16", "--pan", "--tile-memory", "0", "--log", table)
        self.assertTrue(table.read_text().startswith("move,query_begin"))

    def test_a_truncated_checkpoint_is_corrupt(self):
        name = self.train("alibi")
        for checkpoint in (self.workspace / name / "checkpoints").glob("step-*.safetensors"):
            checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
        answer = self.cli("maps", name, "--length", "48")
        self.assertEqual(answer.code, 4, answer.err)
        self.assertIn("safetensors", answer.err)


class Figures(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_id = cls.train("dape-kerple")
        cls.good("evaluate", cls.run_id, "--lengths", "32,64", "--documents", "2", "--split", "train")

    def figure(self, kind, ending, *words):
        out = self.root / f"{kind}{ending}"
        answer = self.cli("figure", kind, self.run_id, "-o", out, *words, "--json")
        if not HAS_UI:
            self.assertEqual(answer.code, 7)
            return None
        self.assertEqual(answer.code, 0, answer.err)
        for file in answer.json["files"]:
            self.assertTrue(os.path.getsize(file) > 0)
        return out.read_bytes()

    def test_curves_become_a_pdf_without_a_display(self):
        data = self.figure("curves", ".pdf")
        self.assertTrue(data is None or data.startswith(b"%PDF"))
        if HAS_UI:
            row = next(csv.DictReader((self.root / "curves.csv").read_text().splitlines()))
            self.assertEqual(row["protocol"], "last-k")
            self.assertIn("last tokens", row["measured"])

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_a_table_that_belongs_to_no_figure_is_not_replaced_by_numbers(self):
        table = self.root / "mine.csv"
        table.write_text("a table of somebody\n")
        for words in (("curves", self.run_id), ("loss", self.run_id), ("encoding", "alibi")):
            refused = self.cli("figure", *words, "-o", table.with_suffix(".svg"))
            self.assertEqual(refused.code, 2, refused.err)
            self.assertIn("mine.csv is there already", refused.err)
            self.assertFalse(table.with_suffix(".svg").exists())
        self.assertEqual(table.read_text(), "a table of somebody\n")
        self.good("figure", "loss", self.run_id, "-o", table.with_suffix(".svg"), "--no-csv")
        self.assertEqual(self.cli("figure", "loss", self.run_id, "-o", table.with_suffix(".svg")).code, 2)  # drawn, but without numbers
        self.assertEqual(table.read_text(), "a table of somebody\n")
        table.rename(self.root / "theirs.csv")
        self.good("figure", "loss", self.run_id, "-o", table.with_suffix(".svg"))
        self.good("figure", "loss", self.run_id, "-o", table.with_suffix(".pdf"))  # beside an older figure's numbers
        self.assertIn("step", table.read_text())

    def test_losses_are_drawn_by_step_and_by_position_with_their_numbers(self):
        for kind, column in (("loss", "step"), ("position-loss", "position")):
            data = self.figure(kind, ".svg")
            self.assertTrue(data is None or b"<svg" in data)
            if HAS_UI:
                rows = list(csv.DictReader((self.root / f"{kind}.csv").read_text().splitlines()))
                self.assertTrue(all(float(row[column]) >= 1 and float(row["loss"]) > 0 for row in rows))

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_seeds_are_one_line_by_position_unless_each_is_asked_for(self):
        runs = [self.train("alibi", "--seed", str(seed), "--name", f"twin-{seed}") for seed in (1, 2)]
        for run in runs:
            self.good("evaluate", run, "--lengths", "32,128", "--split", "train")
        for words, lines in (((), 1), (("--each-seed",), 2)):
            self.good("figure", "position-loss", *runs, *words, "-o", self.root / "twins.svg")
            rows = list(csv.DictReader((self.root / "twins.csv").read_text().splitlines()))
            self.assertEqual(len({row["run"] for row in rows}), lines)
            self.assertEqual({row["seeds"] for row in rows}, {str(3 - lines)})
            if lines == 1:
                self.assertTrue(all(float(row["low"]) < float(row["loss"]) < float(row["high"]) for row in rows))
            else:  # no interval of one seed
                self.assertEqual({row["low"] + row["high"] for row in rows}, {""})

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_losses_by_position_on_other_texts_or_up_to_other_lengths_are_drawn_with_a_warning(self):
        runs = [self.train("alibi", "--seed", str(seed), "--name", f"unequal-{seed}") for seed in (11, 12)]
        for run, lengths in zip(runs, ("32,64", "32,128")):
            self.good("evaluate", run, "--lengths", lengths, "--split", "train", "--places", "4")
        answer = self.good("figure", "position-loss", *runs, "--each-seed", "-o", self.root / "unequal.svg")
        self.assertIn("settings differ between runs (longest lengths 64, 128)", answer.err)

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_the_loss_beyond_the_training_length_is_drawn(self):
        self.good("evaluate", self.run_id, "--lengths", "32,128", "--split", "train")
        out = self.root / "beyond.svg"
        self.good("figure", "position-loss", self.run_id, "--beyond", "-o", out)
        rows = list(csv.DictReader((self.root / "beyond.csv").read_text().splitlines()))
        self.assertEqual(float(rows[0]["tokens_beyond_L"]), 1)
        self.assertLess(float(rows[-1]["tokens_beyond_L"]), 96)

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_an_evaluation_without_losses_beyond_the_training_length_says_why(self):
        old = self.train("kerple", "--name", "old-one")
        file = self.workspace / old / "evaluations" / "last-k.json"
        words = ("figure", "position-loss", old, "--beyond", "-o", self.root / "old.svg")
        file.unlink(missing_ok=True)
        none = self.cli(*words)
        self.assertEqual(none.code, 3)
        self.assertIn("has no evaluation by last-k", none.err)
        self.good("evaluate", old, "--lengths", "32", "--split", "train")
        within = self.cli(*words)
        self.assertEqual(within.code, 3)
        self.assertIn("up to 32 tokens", within.err)
        self.assertIn("--lengths 64,128", within.err)
        self.good("evaluate", old, "--lengths", "32,128", "--split", "train")
        kept = json.loads(file.read_text())
        for key in ("boundary_edges", "boundary_loss"):
            del kept[key]  # as it was written before these were kept
        file.write_text(json.dumps(kept))
        early = self.cli(*words)
        self.assertEqual(early.code, 3)
        self.assertIn("measured before losses by distance from the training length were kept", early.err)
        self.assertIn(f"lengthwise-cli evaluate {old} --protocol last-k", early.err)
        self.good("evaluate", self.run_id, "--lengths", "32,128", "--split", "train")
        both = self.good("figure", "position-loss", self.run_id, old, "--beyond", "-o", self.root / "both.svg")
        self.assertIn("measured before", both.err)
        self.good("evaluate", old, "--lengths", "32,128", "--split", "train")
        self.good(*words)

    def test_options_of_figures_that_mean_nothing_are_refused(self):
        for words, said in ((("encoding", "--run", self.run_id, "--heads", "5"), "excludes"), (("encoding", "alibi", "--layer", "2"), "--layer requires --run"),
                            (("encoding", "alibi", "--step", "3"), "--step requires --run"), (("atlas", self.run_id, "--over", "step"), "add --steps"),
                            (("row-profile", self.run_id, "--query", "-2"), "a whole number from -1")):
            refused = self.cli("figure", *words, "-o", "idle.pdf")
            self.assertEqual(refused.code, 2, words)
            self.assertIn(said, refused.err)

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_a_row_of_a_head_that_is_not_there_names_those_that_are(self):
        refused = self.cli("figure", "row-profile", self.run_id, "--length", "48", "--head", "3", "-o", self.root / "row.pdf")
        self.assertEqual(refused.code, 2)
        self.assertIn("There is no head 3: the model has heads 0 to 1.", refused.err)

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_an_encoding_is_drawn_as_the_page_draws_it(self):
        folder = self.root / "encodings"
        self.good("figure", "encoding", "alibi", "kerple-log", "-o", folder / "bias.svg")
        self.assertIn("Kerple", (folder / "bias.svg").read_text(encoding="utf-8"))
        self.assertIn("ALiBi", (folder / "bias.csv").read_text(encoding="utf-8").splitlines()[0])
        self.good("figure", "encoding", "rope-yarn", "--kind", "wavelength", "-o", folder / "wave.pdf")
        self.good("figure", "encoding", "rope-yarn", "-o", folder / "yarn.svg")
        self.assertIn("without YaRN", (folder / "yarn.svg").read_text(encoding="utf-8"))
        self.good("figure", "encoding", "rope-self-extend", "--kind", "distance-map", "--length", "512", "-o", folder / "map.png", "--npz")
        self.assertTrue((folder / "map.npz").exists())
        self.good("figure", "encoding", "--run", self.run_id, "-o", folder / "run.png")
        self.assertIn("wavelength", self.cli("figure", "encoding", "alibi", "--kind", "waves", "-o", folder / "x.png").err)
        self.assertIn("the heads are 0 to 7", self.cli("figure", "encoding", "alibi", "--head", "8", "-o", folder / "x.png").err)
        self.assertEqual(self.cli("figure", "encoding", "alibi", "--kind", "wavelength", "-o", folder / "x.png").code, 3)
        self.assertEqual(self.cli("figure", "encoding", "-o", folder / "x.png").code, 2)
        self.assertFalse((folder / "x.png").exists())

    @unittest.skipUnless(HAS_UI, "built without drawing")
    def test_an_encoding_is_drawn_with_the_notes_of_the_page(self):
        folder = self.root / "notes"
        waves = ["figure", "encoding", "rope", "--kind", "wave-map", "--length", "8192", "-o", folder / "waves.png"]
        self.assertRegex(self.good(*waves).err, r"note: \d+ fast pairs? (is|are) undersampled")
        self.assertEqual(self.good(*waves, "--quiet").err, "")
        both = self.good("figure", "encoding", "alibi", "fire", "--kind", "bias", "-o", folder / "bias.png")
        self.assertRegex(both.err, r"note: FIRE: .*before training")
        self.assertNotIn("note: ALiBi", both.err)

    def test_maps_become_a_png(self):
        data = self.figure("maps", ".png", "--length", "64", "--part", "bias+adaptive")
        self.assertTrue(data is None or data.startswith(b"\x89PNG"))
        if HAS_UI:
            self.assertTrue(zipfile.ZipFile(self.root / "maps.npz").namelist())
            self.assertFalse(list(self.root.glob("maps*.csv")))
            self.figure("maps", ".png", "--length", "64", "--csv", "--log-colour")
            self.assertTrue(list(self.root.glob("maps*.csv")))
            logarithmic = self.figure("maps", ".png", "--length", "64")
            self.assertNotEqual(logarithmic, self.figure("maps", ".png", "--length", "64", "--linear-colour"))

    def test_a_row_profile_becomes_an_svg_with_its_numbers(self):
        data = self.figure("row-profile", ".svg", "--length", "64", "--npz")
        self.assertTrue(data is None or b"<svg" in data)
        if HAS_UI:
            names = zipfile.ZipFile(self.root / "row-profile.npz").namelist()
            self.assertTrue(any("logit" in name for name in names) and any("probability" in name for name in names), names)
            rows = list(csv.DictReader((self.root / "row-profile.csv").read_text(encoding="utf-8").splitlines()))
            self.assertAlmostEqual(sum(float(row["probability"]) for row in rows if row["head"] == "0"), 1, places=3)
            self.assertTrue(all(row["logit"] for row in rows))

    def test_the_tour_draws_the_demo_models_when_there_are_any(self):
        answer = self.cli("demo", "--into", self.root / "tour", "--length", "256", "--json")
        if not HAS_UI:
            return self.assertEqual(answer.code, 7)
        demos = [run for run in self.good("runs", "--json").json["runs"] if run["demo"]]
        self.assertEqual(answer.code, 0 if demos else 3, answer.err)
        if demos:
            endings = {pathlib.Path(file).suffix for file in answer.json["files"]}
            self.assertLessEqual({".png", ".csv", ".npz"}, endings)

    def test_drawing_is_quiet(self):
        answer = self.cli("figure", "maps", self.run_id, "--length", "64", "-o", self.root / "quiet.png", "--quiet")
        self.assertEqual(answer.err if HAS_UI else "", "")

    def test_another_ending_is_refused(self):
        answer = self.cli("figure", "curves", self.run_id, "-o", self.root / "curves.docx")
        self.assertIn(answer.code, (2, 7) if not HAS_UI else (2,))


if __name__ == "__main__":
    unittest.main()

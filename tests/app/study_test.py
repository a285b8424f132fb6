#!/usr/bin/env python3
"""The command line from outside: a study that is planned, run, killed, reported.

Run through CTest, or: LENGTHWISE_CLI=... study_test.py [-v] [Group]"""
import csv
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, CliTest


def write_study(test, name, **changes):
    """study.json of 2 schemes x 2 seeds x 2 lengths on bytes, with what a test changes."""
    study = {"name": name, "schemes": ["alibi", "kerple-log"], "seeds": [1, 2], "lengths": [16, 32], "corpora": [str(test.corpus)],
             "recipe": {"model": {"layers": 2, "heads": 2, "width": 16}, "data": {"tokenizer": "byte"}, "training": {"steps": 4, "batch": 2}},
             "evaluation": {"lengths": [32, 64], "documents": 8, "bootstrap": 200}}
    study.update(changes)
    file = test.root / (name.replace(" ", "-").lower() + ".json")
    file.write_text(json.dumps(study), encoding="utf-8")
    return file


class Studies(CliTest):
    def test_two_schemes_two_seeds_two_lengths_from_file_to_report(self):
        own = lambda: {run["id"] for run in self.good("runs", "list", "--json").json["runs"] if not run["demo"]}  # noqa: E731
        before = own()
        file = write_study(self, "Small study")
        planned = self.good("study", "run", file, "--dry-run", "--json").json
        self.assertEqual(len(planned["cells"]), 8)
        self.assertGreater(planned["estimate"]["bytes"], 0)
        self.assertEqual({cell["state"] for cell in planned["cells"]}, {"waiting"})
        self.assertFalse((self.workspace / "studies" / "small-study").exists())  # only looked at
        out = self.good("study", "run", file, "--quiet").out
        self.assertEqual(out, "")
        status = self.good("study", "status", "small-study", "--json").json
        self.assertEqual({cell["state"] for cell in status["cells"]}, {"finished"})
        self.assertEqual(len(own() - before), 8)
        report = self.good("study", "report", "small-study", "--json").json
        self.assertEqual(len(report["tables"]), 2)
        self.assertEqual(len(report["tables"][0]["comparisons"]), 2)
        text = self.good("study", "report", "small-study").out
        self.assertIn("Read with care:", text)
        self.assertRegex(text, r"(is lower than|do not differ significantly)")
        self.good("study", "report", "small-study", "--format", "latex", "-o", "out/table.tex")
        self.assertIn("\\toprule", (self.root / "out" / "table.tex").read_text(encoding="utf-8"))
        rows = list(csv.DictReader(io.StringIO(self.good("study", "report", "small-study", "--format", "csv").out)))
        self.assertEqual(len(rows), 2 * 2 * 2)
        self.assertEqual(self.cli("study", "report", "small-study", "--format", "pdf").code, 2)
        again = self.good("study", "run", "small-study").out
        self.assertNotIn("trained", again)

    def test_the_file_of_a_person_is_kept_word_for_word(self):
        file = write_study(self, "Kept")
        self.good("study", "add", file)
        self.assertEqual((self.workspace / "studies" / "kept" / "study.json").read_text(encoding="utf-8"), file.read_text(encoding="utf-8"))
        self.assertIn("kept", self.good("study", "status").out)

    def test_a_study_that_is_replaced_is_said_and_one_of_another_name_is_refused(self):
        self.assertNotIn("replaced", self.good("study", "add", write_study(self, "Study 1")).out)
        self.assertNotIn("replaced", self.good("study", "add", write_study(self, "Study 1")).out)
        self.assertIn("The study study-1 was another one before and is replaced", self.good("study", "add", write_study(self, "Study 1", seeds=[3])).out)
        refused = self.cli("study", "add", write_study(self, "Study-1"))
        self.assertEqual(refused.code, 2)
        self.assertIn('"Study 1"', refused.err)

    def test_one_cell_is_counted_as_one(self):
        out = self.good("study", "add", write_study(self, "Single", schemes=["alibi"], seeds=[1], lengths=[16])).out
        self.assertIn("1 cell: 1 waiting", out)

    def test_a_misspelt_key_is_refused_with_the_right_one(self):
        refused = self.cli("study", "add", write_study(self, "Misspelt", seds=[1]))
        self.assertEqual(refused.code, 2)
        self.assertIn("seeds", refused.err)

    def test_a_missing_corpus_is_named_before_anything_starts(self):
        refused = self.cli("study", "run", write_study(self, "Far away", corpora=["en-prose"]))
        self.assertEqual(refused.code, 2)
        self.assertIn("corpus fetch en-prose", refused.err)
        self.assertIn("Cannot start", self.good("study", "status", "far-away").out)

    def test_one_seed_is_said(self):
        self.assertIn("One seed only", self.good("study", "add", write_study(self, "Lonely", seeds=[7])).out)

    def test_an_unknown_study_is_not_found_with_the_nearest(self):
        self.good("study", "add", write_study(self, "Well known"))
        missing = self.cli("study", "status", "well-knwon")
        self.assertEqual(missing.code, 3)
        self.assertIn("well-known", missing.err)

    def test_a_plan_that_cannot_start_ends_with_an_error(self):
        planned = self.cli("study", "run", write_study(self, "Nowhere", corpora=["en-prose"]), "--dry-run")
        self.assertEqual(planned.code, 2)
        self.assertIn("Cannot start", planned.out)

    def test_an_evaluation_that_is_impossible_is_said_before_anything_is_trained(self):
        for name, evaluation in (("Too long", {"lengths": [8192]}), ("Too many", {"lengths": [32], "scored": 1000000})):
            file = write_study(self, name, corpora=["sample:lighthouse"], evaluation=evaluation)
            planned = self.cli("study", "run", file, "--dry-run")
            self.assertEqual(planned.code, 2, name)
            self.assertIn("Cannot start", planned.out)
            self.assertEqual(self.cli("study", "run", file).code, 2)

    def test_a_retry_of_nothing_says_so(self):
        self.good("study", "add", write_study(self, "Nothing failed"))
        self.assertIn("No cell of nothing-failed has failed", self.good("study", "retry", "nothing-failed").out)

    def test_a_study_of_too_many_cells_is_refused(self):
        refused = self.cli("study", "run", write_study(self, "Far too many", seeds=list(range(200000))), "--dry-run")
        self.assertEqual(refused.code, 2)
        self.assertIn("The study has 800,000 cells", refused.err)

    def test_the_report_of_a_file_adds_nothing(self):
        file = write_study(self, "Only looked at", seeds=[41])
        self.assertIn("0 of 4 cells finished", self.good("study", "report", file).out)
        self.assertFalse((self.workspace / "studies" / "only-looked-at").exists())

    def test_a_priority_beyond_all_measure_is_refused_in_a_sentence(self):
        self.good("study", "add", write_study(self, "Measured"))
        for number in ("99999999999999999999", "1e9", "2000000"):
            refused = self.cli("study", "prioritise", "measured", "--priority", number, "0")
            self.assertEqual(refused.code, 2)
            self.assertIn("a whole number from -1,000,000 to 1,000,000", refused.err)

    def test_a_missing_interval_is_null_and_says_why(self):
        evaluation = {"lengths": [32, 64], "documents": 8, "bootstrap": 0}
        file = write_study(self, "Without intervals", seeds=[61], lengths=[32], evaluation=evaluation)
        self.good("study", "run", file, "--quiet")
        table = self.good("study", "report", "without-intervals", "--json").json["tables"][0]
        for value in (value for row in table["rows"] for value in row["values"]):
            self.assertEqual([value[end] for end in ("low", "high", "document_low", "document_high")], [None] * 4)
        self.assertTrue(table["comparisons"])
        for comparison in table["comparisons"]:
            self.assertIn("were made with 0 resamples", comparison["no_interval"])

    def test_a_damaged_run_of_a_cell_is_said_to_be_trained_anew(self):
        file = write_study(self, "Damaged", schemes=["alibi"], seeds=[51], lengths=[32])
        self.good("study", "run", file, "--quiet")
        run = self.good("study", "status", "damaged", "--json").json["cells"][0]["run"]
        (self.workspace / run / "evaluations" / "last-k.json").write_text("{", encoding="utf-8")
        self.assertIn("seed 51 is measured again.", self.good("study", "run", "damaged").err)
        (self.workspace / run / "run.json").write_text("{", encoding="utf-8")
        self.assertIn("seed 51 is trained anew.", self.good("study", "run", "damaged").err)
        self.assertNotIn("anew", self.good("study", "run", "damaged").err)
        shutil.rmtree(self.workspace / run)

    def test_a_damaged_evaluation_is_named_before_it_is_written_anew(self):
        run = self.train("alibi")
        measure = ["evaluate", run, "--lengths", "32,64", "--split", "train", "--places", "4"]
        self.assertNotIn("not a readable evaluation", self.good(*measure).err)
        (self.workspace / run / "evaluations" / "last-k.json").write_text("{", encoding="utf-8")
        compared = self.cli("compare", run, "demo:alibi-l128-s1", "--json")
        self.assertEqual(compared.code, 4, compared.out)
        self.assertIn("cannot be read", compared.json["error"]["message"])
        self.assertIn("last-k.json is not a readable evaluation", self.good(*measure).err)
        self.assertNotIn("not a readable evaluation", self.good(*measure).err)

    def test_a_cell_goes_first_by_its_priority(self):
        self.good("study", "add", write_study(self, "Ordered"))
        cell = self.good("study", "status", "ordered", "--json").json["cells"][-1]["id"]
        self.good("study", "prioritise", "ordered", "--priority", "3", cell[:8])
        self.assertEqual(self.good("study", "status", "ordered", "--json").json["cells"][-1]["priority"], 3)

    def test_the_status_names_every_cell_as_other_commands_take_it(self):
        self.good("study", "add", write_study(self, "Named cells"))
        cells = self.good("study", "status", "named-cells", "--json").json["cells"]
        shown = self.good("study", "status", "named-cells").out
        for cell in cells:
            self.assertIn(f"{cell['state']} {cell['id'][-6:]}", shown)
        self.good("study", "prioritise", "named-cells", "--priority", "2", cells[0]["id"][-6:])
        self.assertIn(f"{cells[0]['id'][-6:]} (priority 2)", self.good("study", "status", "named-cells").out)


class KilledStudy(CliTest):
    def losses(self, study):
        report = self.good("study", "report", study, "--json").json
        return [[value["value"] for value in row["values"]] for table in report["tables"] for row in table["rows"]]

    def logged(self):
        """What all runs of the workspace have logged, in bytes: it grows once training goes on."""
        return sum(log.stat().st_size for log in self.workspace.glob("*/log.jsonl"))

    def test_a_killed_study_goes_on_with_identical_numbers(self):
        training = {"steps": 40, "batch": 2, "checkpoint_every": 5}
        recipe = {"model": {"layers": 2, "heads": 2, "width": 16}, "data": {"tokenizer": "byte"}, "training": training}
        file = write_study(self, "Cut off", lengths=[32], recipe=recipe)
        process = self.start("study", "run", file)
        while not list(self.workspace.glob("*/checkpoints/*")) and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertIn("4 cells: 4 finished", self.good("study", "run", "cut-off").out)
        undisturbed = self.root / "undisturbed"
        self.good("study", "run", file, "--workspace", undisturbed)
        there = self.good("study", "report", "cut-off", "--json", "--workspace", undisturbed).json
        self.assertEqual(self.losses("cut-off"), [[value["value"] for value in row["values"]] for table in there["tables"] for row in table["rows"]])

    def test_ctrl_c_and_pause_keep_what_is_done(self):
        recipe = {"model": {"layers": 2, "heads": 2, "width": 16}, "data": {"tokenizer": "byte"}, "training": {"steps": 100000, "batch": 2}}
        file = write_study(self, "Long one", lengths=[32], recipe=recipe)
        for stop in (lambda process: process.send_signal(signal.SIGINT), lambda process: self.good("study", "pause", "long-one")):
            before = self.logged()
            process = self.start("study", "run", file)
            while self.logged() == before and process.poll() is None:
                time.sleep(0.02)
            stop(process)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 6, out + err)
            self.assertIn("Go on with: lengthwise-cli study run long-one", out)
            cells = self.good("study", "status", "long-one", "--json").json["cells"]
            self.assertEqual(cells[0]["state"], "stopped")
            self.assertGreater(cells[0]["step"], 0)


def no_large_files():
    """For a child: every file ends after 20,000 bytes, as on a disk that is full. The signal that comes with it is the program's to ignore."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


class FullDisk(CliTest):
    def test_a_full_disk_stops_the_study_and_it_goes_on_when_there_is_room(self):
        file = write_study(self, "No room", lengths=[16])
        self.good("study", "add", file)
        done = subprocess.run([PROGRAM, "study", "run", "no-room"], capture_output=True, text=True, env=self.environment, cwd=self.root, preexec_fn=no_large_files)
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("The study stopped at", done.stderr)
        self.assertEqual(list(self.workspace.rglob(".*.partial")), [])
        cells = self.good("study", "status", "no-room", "--json").json["cells"]
        self.assertNotIn("failed", {cell["state"] for cell in cells})
        self.assertEqual([name for name in os.listdir(self.workspace) if name.endswith(".tmp")], [])
        self.assertIn("4 cells: 4 finished", self.good("study", "run", "no-room").out)


if __name__ == "__main__":
    unittest.main()

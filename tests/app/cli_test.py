#!/usr/bin/env python3
"""lengthwise-cli from outside. Run through CTest, or: LENGTHWISE_CLI=... cli_test.py [-v] [Group]"""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest
import zipfile

from harness import PROGRAM, SMALL, CliTest

COMMANDS = ["doctor", "methods", "encoding", "train", "resume", "evaluate", "compare", "maps", "heads", "generate", "runs",
            "extend", "corpus", "tasks", "figure", "demo", "probe", "version"]
HAS_UI = os.environ.get("LENGTHWISE_HAS_UI", "1") == "1"


class Help(CliTest):
    def test_every_command_is_listed_and_its_help_has_an_example(self):
        overall = self.good("--help").out
        for command in COMMANDS:
            self.assertRegex(overall, rf"(?m)^  {command}\s")
            self.assertIn(f"lengthwise-cli {command}", self.good(command, "--help").out)

    def test_help_documents_every_exit_code(self):
        text = self.good("--help").out
        for code in range(10):
            self.assertRegex(text, rf"\b{code} [a-z]")


class Usage(CliTest):
    def test_no_words_show_the_help_and_count_as_wrong_usage(self):
        answer = self.cli()
        self.assertEqual(answer.code, 2)
        self.assertIn("doctor", answer.out)

    def test_a_setting_takes_one_word_and_no_option_after_it(self):
        answer = self.cli("train", "rope", "--dry-run", "--set", "[]", "--json")
        self.assertEqual(answer.code, 2)
        self.assertIn("error", answer.json)

    def test_a_seed_is_a_whole_number_and_never_bent_into_one(self):
        for seed in ("-1", "18446744073709551616", "1.5"):
            answer = self.cli("train", "rope", f"--seed={seed}", "--dry-run")
            self.assertEqual(answer.code, 2, seed)
            self.assertIn("seed", answer.err)

    def test_a_misspelt_command_is_refused_with_the_right_one(self):
        answer = self.cli("evalute", "x")
        self.assertEqual(answer.code, 2)
        self.assertIn("Did you mean evaluate?", answer.err)

    def test_an_unknown_option_is_refused_with_the_right_one(self):
        answer = self.cli("train", "alibi", "--stepz", "3")
        self.assertEqual(answer.code, 2)
        self.assertIn("Did you mean --steps?", answer.err)

    def test_only_a_word_that_is_not_known_gets_a_suggestion(self):
        for words in (["figure", "curves", "alibi", "--out"], ["evaluate", "alibi", "--lengths", "128,abc"]):
            answer = self.cli(*words)
            self.assertEqual(answer.code, 2)
            self.assertNotIn("Did you mean", answer.err)
        nested = self.cli("figure", "curves", "alibi", "--out", "x.pdf", "--each-sead")
        self.assertIn("There is no option --each-sead. Did you mean --each-seed? See", nested.err)

    def test_flags_that_switch_off_look_like_flags(self):
        for words in (["figure", "curves"], ["generate"], ["extensions"]):
            self.assertNotIn("{false}", self.good(*words, "--help").out)

    def test_the_version_is_an_option_too(self):
        self.assertRegex(self.good("--version").out, r"^lengthwise \d+\.\d+")

    def test_an_error_with_json_is_one_document(self):
        for words in (["evaluate", "nothing"], ["train", "--lenght", "3"]):
            answer = self.cli(*words, "--json")
            self.assertIn("message", answer.json["error"])
            self.assertNotEqual(answer.code, 0)

    def test_a_run_that_is_not_there_is_not_found(self):
        for command in ("evaluate", "resume", "heads", "generate", "maps"):
            answer = self.cli(command, "no-such-run")
            self.assertEqual(answer.code, 3, answer.err)

    def test_a_misspelt_run_gets_few_names_each_once(self):
        ids = {run["id"] for run in self.good("runs", "--json").json["runs"]}
        for name in ("no-such-run", "alibi-l128-s2"):
            named = [word for word in re.findall(r"[\w-]+", self.cli("runs", "show", name).err) if word in ids]
            self.assertEqual(len(named), len(set(named)))
            self.assertLessEqual(len(named), 3)

    def test_a_gpu_that_is_not_there_is_unavailable(self):
        answer = self.cli("train", "alibi", "--corpus", self.corpus, *SMALL, "--device", "cuda:99")
        self.assertEqual(answer.code, 7, answer.err)
        self.assertIn("cuda:99", answer.err)

    def test_a_device_of_no_kind_is_invalid(self):
        self.assertEqual(self.cli("train", "alibi", "--corpus", self.corpus, *SMALL, "--device", "toaster").code, 2)


class Catalogue(CliTest):
    def test_every_listed_method_can_be_described(self):
        for method in self.good("methods", "--json").json["methods"]:
            text = self.good("methods", "describe", method["id"], "--in", method["slot"]).out
            self.assertIn(method["formula"], text)

    def test_a_description_has_the_formulas_numbers_and_the_cost(self):
        text = self.good("methods", "describe", "alibi").out
        self.assertIn("mₕ = 0.5, 0.25, 0.125, …, 0.003906 for 8 heads", text)
        self.assertIn("8 operations per visible pair", text)
        rotation, frequency = self.good("methods", "describe", "rope-yarn", "--json").json["slots"]
        self.assertEqual((rotation["slot"], frequency["slot"]), ("rotation", "frequency"))
        self.assertIn("β_fast = 32", frequency["values"])
        self.assertIn("f = 4", self.good("encoding", "alibi", "--set", "bias.factor=4", "--length", "256").out)

    def test_a_method_may_be_described_with_its_slot_before_it(self):
        self.assertEqual(self.good("methods", "describe", "bias", "alibi").out, self.good("methods", "describe", "alibi", "--in", "bias").out)
        self.assertEqual(self.cli("methods", "describe", "bias", "rope").code, 3)

    def test_bounds_are_written_with_commas(self):
        self.assertNotRegex("".join(self.good("methods", "describe", slot, id).out for slot, id in (("rotation", "hope"), ("visibility", "window"))), r"\de\+0")

    def test_a_misspelt_method_is_not_found(self):
        answer = self.cli("methods", "describe", "alibbi", "--in", "bias")
        self.assertEqual(answer.code, 3)
        self.assertIn("alibi", answer.err)

    def test_alibi_without_a_model_falls_linearly(self):
        out = self.root / "alibi.csv"
        self.good("encoding", "alibi", "--length", "1024", "--heads", "8", "--out", out)
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(out.read_text().splitlines())]
        for row in rows:
            self.assertAlmostEqual(row["bias_head0"], -0.5 * row["distance"], places=3)

    def test_a_parameter_of_a_slot_can_be_set(self):
        words = ["encoding", "rope-linear", "--train-length", "64", "--length", "512", "--json"]
        plain = self.good(*words, "--set", "frequency.factor=2").json["frequency"]
        more = self.good(*words, "--set", "frequency.factor=8").json["frequency"]
        self.assertAlmostEqual(plain[0], 4 * more[0], places=9)
        self.assertIn("factor", self.cli(*words, "--set", "frequency.facto=2").json["error"]["message"])
        self.assertIn("bias", self.cli(*words, "--set", "bias.slope=2").json["error"]["message"])
        self.assertEqual(self.cli(*words, "--set", "factor").code, 2)

    def test_tasks_are_listed_with_their_parameters(self):
        tasks = {task["source"]: task for task in self.good("tasks", "--json").json["tasks"]}
        self.assertIn("symbols", [param["id"] for param in tasks["task:copy"]["params"]])
        self.assertIn("symbols", self.good("tasks").out)

    def test_doctor_measures_the_speed(self):
        report = self.good("doctor", "--json").json
        self.assertIn("cpu", report["devices"])
        self.assertGreater(report["gflops_one_thread"], 0.1)
        self.assertTrue(all(line["advice"] for line in report["lines"] if line["status"] == "missing"))

    def test_one_thread_is_measured_and_named_once(self):
        done = subprocess.run([PROGRAM, "doctor", "--json"], capture_output=True, text=True, env=dict(self.environment, LENGTHWISE_THREADS="1"))
        speed = next(line["value"] for line in json.loads(done.stdout)["lines"] if line["topic"] == "Matrix products")
        self.assertRegex(speed, r"GFLOP/s with 1 thread$")

    def test_a_copied_clone_reads_its_own_resources(self):
        clone = self.root / "clone"
        (clone / "build" / "release" / "bin").mkdir(parents=True)
        source = pathlib.Path(__file__).resolve().parents[2] / "resources"
        shutil.copytree(source, clone / "resources", ignore=shutil.ignore_patterns("demo"))
        copy = shutil.copy(PROGRAM, clone / "build" / "release" / "bin")
        done = subprocess.run([copy, "doctor", "--no-speed", "--json"], capture_output=True, text=True,
                              env={name: value for name, value in self.environment.items() if name != "LENGTHWISE_RESOURCES"})
        lines = {line["topic"]: line["value"] for line in json.loads(done.stdout)["lines"]}
        self.assertEqual(lines["Resources"], str(clone.resolve() / "resources"))

    def test_version_names_the_program_and_the_library(self):
        version = self.good("version", "--json").json
        self.assertRegex(version["lengthwise"], r"^\d+\.\d+")
        self.assertTrue(version["libtorch"].startswith("2."))


class Plan(CliTest):
    def plan(self, *words):
        return self.cli("train", *words, "--corpus", self.corpus, *SMALL, "--dry-run", "--json")

    def test_a_dry_run_shows_the_recipe_and_trains_nothing(self):
        answer = self.plan("alibi")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual(answer.json["recipe"]["training"]["steps"], 3)
        self.assertGreater(answer.json["estimate"]["parameters"], 0)
        self.assertFalse(self.workspace.exists())

    def test_the_plan_begins_with_the_estimate_and_names_each_reason_once(self):
        out = self.good("train", "dape-kerple", "--corpus", self.corpus, *SMALL, "--dry-run").out
        self.assertTrue(out.startswith("hash "), out[:80])
        self.assertEqual(out.count("the adaptive term mixes heads before the softmax"), 1)

    def test_a_misspelt_scheme_is_not_found_with_the_right_one(self):
        answer = self.plan("alibbi")
        self.assertEqual(answer.code, 3)
        self.assertIn("alibi", answer.json["error"]["message"])

    def test_a_misspelt_key_is_refused_with_the_right_one(self):
        answer = self.plan("alibi", "--set", "training.clipp=0.5")
        self.assertEqual(answer.code, 2)
        self.assertIn("clip", answer.json["error"]["message"].replace("clipp", ""))

    def test_any_key_can_be_set(self):
        answer = self.plan("alibi", "--set", "training.clip=0.5", "--set", "model.norm=rmsnorm")
        self.assertEqual(answer.code, 0, answer.err)
        self.assertEqual(answer.json["recipe"]["training"]["clip"], 0.5)
        self.assertEqual(answer.json["recipe"]["model"]["norm"], "rmsnorm")

    def test_a_slot_is_set_in_short_as_everywhere(self):
        short = self.plan("alibi", "--set", "bias.max_bias=4").json["recipe"]["scheme"]
        self.assertEqual(short["slots"]["bias"]["params"]["max_bias"], 4)
        self.assertEqual(short["name"], "ALiBi + max_bias = 4")
        self.assertEqual(self.plan("alibi", "--set", "scheme.slots.bias.params.max_bias=4").json["recipe"]["scheme"], short)
        self.assertEqual(self.plan("rope", "--set", "frequency=yarn", "--set", "frequency.factor=8").json["recipe"]["scheme"]["slots"]["frequency"]["params"]["factor"], 8)
        whole = self.plan("rope", "--set", 'scheme.slots.frequency={"id": "yarn"}').json["recipe"]["scheme"]
        self.assertEqual(whole, self.plan("rope", "--set", "scheme.slots.frequency.id=yarn").json["recipe"]["scheme"])
        self.assertEqual(whole["name"], "RoPE + YaRN")
        self.assertIn("bias=METHOD", self.plan("rope", "--set", "bias.factor=2").json["error"]["message"])
        self.assertIn("β_fast", self.good("encoding", "rope", "--set", "frequency=yarn", "--length", "256").out)
        self.assertEqual(self.plan("alibi", "--set", "training.clip=0.5").json["recipe"]["scheme"]["name"], "ALiBi")

    def test_a_value_out_of_bounds_names_the_bound(self):
        answer = self.plan("alibi", "--set", "training.weight_decay=-1")
        self.assertEqual(answer.code, 2)
        self.assertRegex(answer.json["error"]["message"], r"\d")

    def test_an_odd_head_width_with_a_rotation_is_refused(self):
        answer = self.plan("rope", "--set", "model.head_width=7")
        self.assertEqual(answer.code, 2)
        self.assertIn("7", answer.json["error"]["message"])

    def test_the_written_recipe_gives_the_same_hash(self):
        first = self.plan("dape-kerple").json
        file = self.root / "recipe.json"
        file.write_text(json.dumps(first["recipe"]), encoding="utf-8")
        second = self.good("train", "--recipe", file, "--dry-run", "--json").json
        self.assertEqual(first["hash"], second["hash"])


class Training(CliTest):
    def test_a_trained_run_is_listed_shown_and_deleted(self):
        name = self.train("alibi")
        self.assertIn(name, [run["id"] for run in self.good("runs", "--json").json["runs"]])
        shown = self.good("runs", "show", name, "--log", "--json").json
        self.assertEqual((shown["status"], shown["step"]), ("finished", 3))
        self.assertTrue(shown["log"])
        refused = self.cli("runs", "delete", name)
        self.assertEqual(refused.code, 2)
        self.assertIn("with its checkpoint.", refused.err)
        self.good("runs", "delete", name, "--yes")
        self.assertEqual(self.cli("runs", "show", name).code, 3)

    def test_a_title_is_not_enough_to_remove_a_run(self):
        name = self.train("alibi", "--name", "Dear")
        answer = self.cli("runs", "delete", "dear", "--yes")
        self.assertEqual(answer.code, 2)
        self.assertIn(name, answer.err)
        self.assertTrue((self.workspace / name).exists())

    def test_a_run_that_cannot_be_read_can_be_removed(self):
        name = self.train("alibi")
        (self.workspace / name / "run.json").unlink()
        self.assertNotEqual(self.cli("runs", "show", name).code, 0)
        self.good("runs", "delete", name, "--yes")
        self.assertFalse((self.workspace / name).exists())

    def test_the_examples_of_the_help_mean_the_run_that_was_just_trained(self):
        words = re.search(r"lengthwise-cli (train .*?) && lengthwise-cli (evaluate .*)", self.good("--help").out)
        train, evaluate = words.group(1).split(), words.group(2).split()
        self.assertEqual(train[2], "--steps")  # a test has no time for so many
        trained = self.good(*train[:2], "--corpus", self.corpus, *SMALL, "--json").json["id"]
        result = self.good(*evaluate, "--lengths", "32,64", "--split", "train", "--json").json
        self.assertEqual(result["run"], trained)
        self.assertTrue((self.workspace / trained / "evaluations" / "last-k.json").exists())

    def test_demo_runs_keep_a_name_of_their_own(self):
        demos = [run for run in self.good("runs", "--json").json["runs"] if run["demo"]]
        for run in demos[:1]:
            self.assertTrue(self.good("runs", "show", "demo:" + run["id"], "--json").json["demo"])
        for run in demos[:1]:
            refused = self.cli("runs", "delete", "demo:" + run["id"])
            self.assertIn("comes with the program", refused.err)
            self.assertNotIn("--yes", refused.err)
        self.assertEqual(self.cli("runs", "show", "demo:absent").code, 3)

    def test_a_recipe_without_names_is_titled_by_its_methods(self):
        file = self.root / "nameless.json"
        recipe = self.good("train", "rope", "--corpus", self.corpus, *SMALL, "--set", "frequency=yarn", "--dry-run", "--json").json["recipe"]
        recipe["name"] = recipe["scheme"]["name"] = ""
        file.write_text(json.dumps(recipe), encoding="utf-8")
        trained = self.good("train", "--recipe", file, "--json").json
        self.assertEqual((trained["title"], trained["id"]), ("RoPE + YaRN", "rope-yarn-l32-s1"))

    def test_a_packed_copy_may_be_named_with_a_slash(self):
        copy = self.good("runs", "pack", self.train("alibi"), f"{self.root}/copy/", "--json").json
        self.assertEqual(copy["id"], "copy")
        self.assertIn("nothing was left to do", self.good("resume", self.root / "copy").out)

    def test_a_demo_or_unknown_recipe_file_is_not_found(self):
        self.assertEqual(self.cli("train", "--recipe", self.root / "absent.json").code, 3)

    def test_a_broken_recipe_file_is_refused_by_name(self):
        file = self.root / "broken.json"
        file.write_text("{\"seed\": ", encoding="utf-8")
        answer = self.cli("train", "--recipe", file)
        self.assertIn(answer.code, (2, 4))
        self.assertIn("broken.json", answer.err)

    def test_too_short_a_corpus_says_how_long_it_is(self):
        short = self.root / "short"
        short.mkdir(exist_ok=True)
        for n in range(3):
            (short / f"{n}.txt").write_text("Too short.", encoding="utf-8")
        answer = self.cli("train", "alibi", "--corpus", short, *SMALL, "--set", "training.length=4096")
        self.assertEqual(answer.code, 2, answer.err)
        self.assertRegex(answer.err, r"\d")

    def test_lines_are_plain_when_piped(self):
        answer = self.good("train", "alibi", "--corpus", self.corpus, *SMALL)
        self.assertNotIn("\r", answer.err + answer.out)
        self.assertNotIn("\033", answer.err + answer.out)
        self.assertRegex(answer.out, r"Finished at step 3")


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
        self.assertEqual(self.cli("evaluate", run, "--step", "2").code, 3)
        refused = self.cli("compare", run)
        self.assertEqual(refused.code, 3)
        self.assertIn("measured by accuracy", refused.err)
        self.good("evaluate", run, "--lengths", "32,64", "--examples", "20")
        drawn = self.cli("figure", "accuracy", run, "-o", self.root / "accuracy.svg")
        self.assertEqual(drawn.code, 0 if HAS_UI else 7, drawn.err)
        if HAS_UI:
            rows = list(csv.DictReader((self.root / "accuracy.csv").read_text().splitlines()))
            self.assertTrue(all(float(row["low"]) <= float(row["accuracy"]) <= float(row["high"]) for row in rows))
        heads = self.good("heads", run, "--length", "32", "--json").json
        self.assertEqual(heads["texts"], 16)

    def test_measures_say_what_they_are_of(self):
        self.assertIn("Measured: bias+adaptive, mean over 2 texts", self.good("heads", self.dape, "--length", "64", "--sequences", "2").out)
        rope = self.train("rope")
        heads = self.good("heads", rope, "--length", "64", "--sequences", "1", "--json").json
        self.assertEqual(heads["of"], "content")
        self.assertIsNone(heads["heads"][0]["adaptivity"])
        self.assertIn("this scheme has no bias+adaptive", self.good("heads", rope, "--length", "64").out)

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

    def test_an_ending_of_no_kind_is_refused(self):
        self.assertEqual(self.cli("maps", self.run_id, "--length", "48", "--out", self.root / "tile.xyz").code, 2)

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

    def test_losses_are_drawn_by_step_and_by_position_with_their_numbers(self):
        for kind, column in (("loss", "step"), ("position-loss", "position")):
            data = self.figure(kind, ".svg")
            self.assertTrue(data is None or b"<svg" in data)
            if HAS_UI:
                rows = list(csv.DictReader((self.root / f"{kind}.csv").read_text().splitlines()))
                self.assertTrue(all(float(row[column]) >= 1 and float(row["loss"]) > 0 for row in rows))

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
        self.assertTrue(not HAS_UI or zipfile.ZipFile(self.root / "row-profile.npz").namelist())

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


class Interrupt(CliTest):
    def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(self):
        long = [w if w != "3" else "100000" for w in SMALL]
        running = self.start("train", "alibi", "--corpus", self.corpus, *long, "--set", "training.checkpoint_every=50")
        first = running.stdout.readline()  # the run's title: training has begun
        self.assertTrue(first, "no output")
        while not re.match(r"step \d+", first):
            first = running.stdout.readline()
            self.assertTrue(first, "training ended before its first step")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
        self.assertEqual(running.returncode, 6, err)
        self.assertIn("Stopping", err)
        self.assertIn("lengthwise-cli resume", out)
        run = [r for r in self.good("runs", "--json").json["runs"] if not r["demo"]][-1]
        self.assertEqual(run["status"], "stopped")
        self.assertGreater(run["checkpoints"][-1]["step"], 0)

    def test_ctrl_c_in_a_task_evaluation_keeps_the_lengths_that_were_finished(self):
        run = self.good("train", "alibi", "--corpus", "task:copy", *SMALL[2:], "--json").json["id"]
        running = self.start("evaluate", run, "--lengths", "32,64,8192", "--examples", "2000", "--json")
        for line in running.stderr:
            if "Task at 8,192" in line:
                break
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate()
        self.assertEqual(running.returncode, 6)
        result = json.loads(out)
        self.assertFalse(result["complete"])
        self.assertEqual([point["length"] for point in result["points"]], [32, 64])


class Probe(CliTest):
    CASE = {"id": "two", "params": {"method": "alibi", "H": 2}, "inputs": {}, "tolerance": {"abs": 1e-12, "rel": 0}}

    def file(self, **parts):
        path = self.root / "probe.json"
        path.write_text(json.dumps({"group": "biases", "format": 1, "cases": [dict(self.CASE, **parts)]}))
        return path

    def test_a_file_that_holds_ends_with_0_and_shows_every_digit(self):
        answer = self.cli("probe", self.file(expect={"slopes": [2**-4, 2**-8]}), "--json")
        self.assertEqual(answer.code, 0, answer.err)
        case = answer.json[0]["cases"][0]
        self.assertEqual(case["status"], "holds")
        self.assertEqual(case["values"][0]["computed"]["data"], [2**-4, 2**-8])

    def test_a_number_that_deviates_has_an_exit_code_of_its_own(self):
        answer = self.cli("probe", self.file(expect={"slopes": [2**-4, 2**-8 + 1e-6]}))
        self.assertEqual(answer.code, 9)
        self.assertIn("1e-06", answer.out)

    def test_an_unknown_case_says_why_and_does_not_fail(self):
        answer = self.cli("probe", self.file(params={"method": "spiral"}, expect={"slopes": [1]}))
        self.assertEqual(answer.code, 0)
        self.assertIn("spiral", answer.out)

    def test_cases_that_hold_are_counted_and_shown_when_asked_for(self):
        file = self.file(expect={"slopes": [2**-4, 2**-8]})
        self.assertIn("1 cases hold", self.good("probe", file).out)
        self.assertNotIn("slopes", self.good("probe", file).out)
        self.assertIn("slopes: holds", self.good("probe", file, "--verbose").out)

    def test_the_example_of_the_guide_runs(self):
        guide = pathlib.Path(__file__).resolve().parents[2] / "docs" / "probe.md"
        path = self.root / "example.json"
        path.write_text(re.search(r"```json\n(.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL).group(1), encoding="utf-8")
        case = self.good("probe", path, "--json").json[0]["cases"][0]
        self.assertEqual((case["status"], [value["compared"] for value in case["values"]]), ("holds", [10, 2]))

    def test_a_file_that_is_none_is_refused(self):
        path = self.root / "none.json"
        path.write_text("{}")
        answer = self.cli("probe", path)
        self.assertEqual(answer.code, 4)
        self.assertIn("group", answer.err)


class Extending(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_id = cls.train("rope")

    def test_a_plug_in_makes_a_run_that_is_evaluated_like_any(self):
        made = self.good("extend", self.run_id, "frequency=yarn", "--set", "frequency.factor=4", "--json").json
        self.assertEqual(made["recipe"]["scheme"]["slots"]["frequency"]["params"]["factor"], 4)
        self.assertTrue(made["base"].endswith(self.run_id))
        self.assertIn("YaRN", made["title"])
        self.assertEqual(len(self.good("evaluate", made["id"], "--lengths", "32,64", "--json").json["points"]), 2)
        listed = next(line for line in self.good("runs").out.splitlines() if line.startswith(made["id"]))
        self.assertEqual(listed.split()[-2], "–")
        self.assertIn(made["id"], self.cli("runs", "delete", self.run_id, "--yes").err)

    def test_what_cannot_be_put_in_is_refused_with_the_reason(self):
        self.assertIn("trained with nothing", self.cli("extend", self.run_id, "bias=alibi").err)
        self.assertIn("SLOT=METHOD", self.cli("extend", self.run_id, "yarn").err)
        self.assertIn("SLOT.PARAMETER=VALUE", self.cli("extend", self.run_id, "--set", "factor=4").err)
        self.assertIn("frequency=METHOD", self.cli("extend", self.run_id, "--set", "frequency.factor=4").err)
        self.assertIn("at least one slot", self.cli("extend", self.run_id).err)
        self.assertEqual(self.cli("extend", "no-such-run", "frequency=yarn").code, 3)

    def test_an_encoding_shows_mapped_distances_and_row_factors(self):
        shown = self.good("encoding", "rope-self-extend", "--length", "512", "--map-cells", "8", "--json").json
        self.assertEqual(len(shown["distance_map"]), 64)
        self.assertLess(max(shown["used_distance"][0]), 511)
        self.assertIn("row_factor_at_position", self.good("encoding", "rope-log-n", "--length", "512").out)

    def test_many_extensions_become_one_table_and_figure_and_are_not_measured_twice(self):
        self.good("evaluate", self.run_id, "--lengths", "32,64", "--scored", "16")
        asked = ("extensions", self.run_id, "--with", "rope-linear,rope-log-n", "--factor", "0")
        first = self.good(*asked, "--json").json
        self.assertEqual([line["title"] for line in first["curves"]["lines"]][1:], ["RoPE+linear", "RoPE+log-n"])
        plain, linear = first["curves"]["lines"][0]["value"], first["curves"]["lines"][1]["value"]
        self.assertEqual(plain[0], linear[0])
        self.assertNotEqual(plain[1], linear[1])
        again = self.good(*asked).out
        self.assertEqual(again.count("measured before"), 2)
        self.assertIn("RoPE+log-n", again)
        if HAS_UI:
            figure = self.root / "extensions.svg"
            self.good(*asked, "-o", figure)
            self.assertTrue(figure.exists() and figure.with_suffix(".csv").exists())

    def test_a_preset_for_another_kind_of_model_is_refused(self):
        answer = self.cli("extensions", self.run_id, "--with", "alibi-interpolation")
        self.assertEqual(answer.code, 2)
        self.assertIn("cannot be put onto", answer.err)


class TrainedValues(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_id = cls.train("kerple-log")

    def test_every_layer_has_values_of_its_own(self):
        words = ["encoding", "--run", self.run_id, "--length", "128", "--json"]
        first, second = (self.good(*words, "--layer", n).json for n in (0, 1))
        self.assertEqual((first["layer"], second["layer"], second["layers"]), (0, 1, 2))
        self.assertNotEqual(first["bias"], second["bias"])
        self.assertFalse(first["shows_initial_values"])
        every = self.good(*words, "--all-layers").json["layers"]
        self.assertEqual([layer["bias"] for layer in every], [first["bias"], second["bias"]])

    def test_all_layers_go_into_one_file(self):
        out = self.root / "layers.csv"
        self.good("encoding", "--run", self.run_id, "--all-layers", "--length", "128", "--out", out)
        header = out.read_text().splitlines()[0]
        self.assertEqual(header, "distance,layer0_bias_head0,layer0_bias_head1,layer1_bias_head0,layer1_bias_head1")

    def test_layers_that_are_not_there_and_mixed_questions_are_refused(self):
        self.assertIn("0 to 1", self.cli("encoding", "--run", self.run_id, "--layer", "2").err)
        self.assertEqual(self.cli("encoding", "alibi", "--run", self.run_id).code, 2)
        self.assertEqual(self.cli("encoding").code, 2)
        self.assertEqual(self.cli("encoding", "--run", "no-such-run").code, 3)


class Presets(CliTest):
    def test_a_saved_scheme_is_listed_and_trained_by_its_name(self):
        saved = self.good("methods", "save", "My YaRN", "rope-yarn", "--set", "frequency.factor=16", "--json").json
        self.assertEqual((saved["id"], saved["own"]), ("my-yarn", True))
        presets = {preset["id"]: preset for preset in self.good("methods", "--json").json["presets"]}
        self.assertTrue(presets["my-yarn"]["own"])
        self.assertFalse(presets["rope-yarn"]["own"])
        self.assertRegex(self.good("methods").out, r"(?m)^my-yarn \*")
        recipe = self.good("train", "my-yarn", "--dry-run", "--json").json["recipe"]
        self.assertEqual(recipe["scheme"]["slots"]["frequency"]["params"]["factor"], 16)
        run = self.good("runs", "show", self.train("My YaRN"), "--json").json
        self.assertEqual(run["recipe"]["scheme"]["name"], "My YaRN")
        self.assertIn("frequency", self.good("encoding", "my-yarn", "--json").json)
        self.good("methods", "delete", "my-yarn")
        self.assertEqual(self.cli("train", "my-yarn", "--dry-run").code, 3)

    def test_names_of_the_program_and_bad_values_are_refused(self):
        self.assertIn("comes with the program", self.cli("methods", "save", "ALiBi", "rope").err)
        self.assertIn("must lie between", self.cli("methods", "save", "Odd", "rope-yarn", "--set", "frequency.factor=-1").err)
        self.assertIn("comes with the program", self.cli("methods", "delete", "alibi").err)
        self.assertEqual(self.cli("methods", "delete", "no-such-preset").code, 3)

    def test_a_damaged_preset_is_named_and_hides_no_other(self):
        self.good("methods", "save", "Kept", "alibi")
        broken = self.workspace / "schemes" / "broken.json"
        broken.write_text("{", encoding="utf-8")
        listing = self.good("methods").out
        self.assertIn("broken.json", listing)
        self.assertIn("kept *", listing)
        self.assertEqual(self.cli("encoding", "broken").code, 4)
        self.good("methods", "delete", "broken")
        self.assertFalse(broken.exists())


if __name__ == "__main__":
    unittest.main()

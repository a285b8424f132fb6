#!/usr/bin/env python3
"""The command line from outside: help, usage, catalogue, presets, probes.

Run through CTest, or: LENGTHWISE_CLI=... catalogue_test.py [-v] [Group]"""
import csv
import json
import pathlib
import re
import shutil
import subprocess
import unittest

from harness import PROGRAM, SMALL, CliTest

COMMANDS = ["doctor", "methods", "encoding", "train", "resume", "evaluate", "compare", "maps", "heads", "generate", "runs",
            "extend", "extensions", "corpus", "tasks", "figure", "demo", "probe", "version"]


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

    def test_a_word_that_is_not_utf8_is_refused_before_anything_is_done(self):
        for words in (["evaluate", "a\udcff"], ["train", "alibi", "--set", "bias.max_bias=\udcff", "--dry-run"],
                      ["extend", "demo:rope-l128-s1", "frequency=yarn", "--name", "\udcff"]):
            answer = self.cli(*words, "--json")
            self.assertEqual(answer.code, 2, answer.err)
            self.assertIn("UTF-8", answer.json["error"]["message"])
            self.assertNotIn("exception", answer.err)

    def test_json_nested_without_end_is_refused_in_words(self):
        file = self.root / "deep.json"
        file.write_text('{"name": ' + "[" * 100000 + "]" * 100000 + "}", encoding="utf-8")
        for words in (["train", "--recipe", file, "--dry-run"], ["study", "run", file, "--dry-run"]):
            answer = self.cli(*words)
            self.assertEqual(answer.code, 2, answer.err)
            self.assertIn("brackets", answer.err)
        self.assertEqual(self.cli("probe", file).code, 4)
        self.assertEqual(self.cli("train", "alibi", "--set", "data.source=" + "[" * 50000 + "]" * 50000, "--dry-run").code, 2)
        schemes = self.workspace / "schemes"
        schemes.mkdir(parents=True, exist_ok=True)
        (schemes / "deep.json").write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
        self.assertIn("schemes/deep.json", self.good("methods").out)
        (schemes / "deep.json").unlink()
        study = self.workspace / "studies" / "deep"
        study.mkdir(parents=True)
        (study / "study.json").write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
        answer = self.cli("study", "status", "deep")
        self.assertEqual(answer.code, 4, answer.err)
        self.assertIn("study add FILE", answer.err)
        (study / "study.json").unlink()

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

    def test_a_wrong_number_of_values_or_a_wrong_kind_is_said_in_plain_words(self):
        for words, sentence in ((["train", "alibi", "--steps"], "--steps needs one value."),
                                (["train", "alibi", "--steps", "1", "--steps", "2"], "--steps takes one value, and 2 were given."),
                                (["train", "alibi", "--steps", "1.5"], '--steps takes a whole number, which "1.5" is not.'),
                                (["train", "alibi", "--rate", "fast"], '--rate takes a number, which "fast" is not.'),
                                (["heads", "x", "--lengths", "abc"], '--lengths takes a whole number, which "abc" is not.'),
                                (["maps", "x", "--cell", "1"], "--cell needs 2 values, and one was given."),
                                (["doctor", "more", "words"], 'Nothing here takes "more", "words".'),
                                (["evaluate"], "run is missing."),
                                (["study"], "Which command? One is missing here.")):
            answer = self.cli(*words)
            self.assertEqual(answer.code, 2)
            self.assertIn(sentence, answer.err)

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
        for name in ("no-such-run", "alibi-l128-s7"):
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

    def test_the_table_has_the_rows_asked_for_with_both_ends(self):
        for rows in (2, 5, 7):
            lines = self.good("encoding", "alibi", "--length", "1024", "--rows", str(rows)).out.splitlines()
            numbers = [line.split()[0] for line in lines[1 : rows + 1]]
            self.assertEqual((numbers[0], numbers[-1], len(numbers)), ("0", "1,023", rows))
            self.assertNotRegex(lines[rows + 1], r"^ *\d")

    def test_numbers_of_an_encoding_are_csv_only(self):
        refused = self.cli("encoding", "alibi", "-o", self.root / "alibi.pdf")
        self.assertEqual(refused.code, 2)
        self.assertIn(".csv", refused.err)
        self.assertFalse((self.root / "alibi.pdf").exists())

    def test_a_parameter_of_a_slot_can_be_set(self):
        words = ["encoding", "rope-linear", "--train-length", "64", "--length", "512", "--json"]
        plain = self.good(*words, "--set", "frequency.factor=2").json["frequency"]
        more = self.good(*words, "--set", "frequency.factor=8").json["frequency"]
        self.assertAlmostEqual(plain[0], 4 * more[0], places=9)
        automatic = [self.good(*words, "--set", f"frequency.factor={zero}").json["frequency"] for zero in ("auto", "0")]
        self.assertEqual(automatic[0], automatic[1])
        self.assertAlmostEqual(automatic[0][0], more[0], places=9)  # 512 tokens are eight times the training length
        self.assertIn("it must be a number", self.cli(*words, "--set", "frequency.factor=much").json["error"]["message"])
        self.assertIn("factor", self.cli(*words, "--set", "frequency.facto=2").json["error"]["message"])
        self.assertIn("bias", self.cli(*words, "--set", "bias.slope=2").json["error"]["message"])
        self.assertEqual(self.cli(*words, "--set", "factor").code, 2)

    def test_a_zero_that_is_worked_out_stands_as_auto(self):
        described = self.good("methods", "describe", "self-extend").out
        self.assertRegex(described, r"window +auto +")
        self.assertIn("factor = auto", self.good("methods").out)

    def test_tasks_are_listed_with_their_parameters(self):
        tasks = {task["source"]: task for task in self.good("tasks", "--json").json["tasks"]}
        self.assertIn("symbols", [param["id"] for param in tasks["task:copy"]["params"]])
        self.assertEqual(tasks["task:parity-check"]["class"], "R")
        self.assertGreaterEqual(len(tasks), 21)
        self.assertIn("task:copy", self.good("tasks").out)

    def test_a_task_shows_its_parameters_and_examples(self):
        text = self.good("tasks", "binary-addition", "--length", "5", "--count", "1").out
        self.assertIn("context-sensitive", text)
        self.assertIn("digits", text)
        self.assertIn("lengthwise-cli train alibi --corpus task:binary-addition --length 40 --batch 128", text)
        words = ("tasks", "task:reverse-string", "--length", "4", "--count", "2", "--json")
        examples = self.good(*words).json["examples"]
        self.assertEqual(examples, self.good(*words).json["examples"])
        self.assertNotEqual(examples[0]["tokens"], examples[1]["tokens"])
        for example in examples:
            self.assertEqual(example["tokens"][4:], ["_"] * 4)
            self.assertEqual(example["answers"][4:], example["tokens"][3::-1])

    def test_every_task_has_an_example(self):
        for task in self.good("tasks", "--json").json["tasks"]:
            shown = self.good("tasks", task["id"], "--count", "1", "--json").json
            self.assertTrue(any(shown["examples"][0]["answers"]), task["id"])

    def test_a_wrong_task_or_parameter_is_refused_with_the_right_one(self):
        self.assertIn("parity-check", self.cli("tasks", "parity-chek").err)
        self.assertIn("digits", self.cli("tasks", "binary-addition", "--set", "digit=paper").err)
        self.assertEqual(self.cli("tasks", "copy", "--set", "symbols").code, 2)
        self.assertIn("at least", self.cli("tasks", "copy", "--length", "1").err)

    def test_doctor_measures_the_speed(self):
        report = self.good("doctor", "--json").json
        self.assertIn("cpu", report["devices"])
        self.assertGreater(report["gflops_one_thread"], 0.1)
        self.assertTrue(all(line["advice"] for line in report["lines"] if line["status"] == "missing"))

    def test_threads_soon_sleep_while_they_wait_unless_told_otherwise(self):
        plain = {name: value for name, value in self.environment.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}

        def spins(**settings):
            done = subprocess.run([PROGRAM, "version"], capture_output=True, text=True, env=dict(plain, OMP_DISPLAY_ENV="verbose", **settings))
            return re.search(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr).group(1)

        self.assertEqual(spins(), "10000")
        self.assertEqual(spins(GOMP_SPINCOUNT="7"), "7")
        self.assertNotEqual(spins(OMP_WAIT_POLICY="active"), "10000")

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

    def test_two_names_never_share_a_file(self):
        self.good("methods", "save", "Two words", "rope-yarn")
        refused = self.cli("methods", "save", "Two words!!", "rope")
        self.assertEqual(refused.code, 2)
        self.assertIn("Two words", refused.err)
        self.good("methods", "save", "two words", "rope-yarn", "--set", "frequency.factor=8")  # the same name: replaced
        recipe = self.good("train", "two-words", "--dry-run", "--json").json["recipe"]
        self.assertEqual(recipe["scheme"]["slots"]["frequency"]["params"]["factor"], 8)

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
        self.assertIn("Nothing was compared", answer.out)

    def test_cases_that_hold_are_counted_and_shown_when_asked_for(self):
        file = self.file(expect={"slopes": [2**-4, 2**-8]})
        self.assertIn("1 cases hold", self.good("probe", file).out)
        self.assertNotIn("slopes", self.good("probe", file).out)
        self.assertIn("slopes: holds", self.good("probe", file, "--verbose").out)

    def test_what_a_case_gives_in_vain_is_listed(self):
        file = self.file(params=dict(self.CASE["params"], mystery=7), expect={"slopes": [2**-4, 2**-8]})
        self.assertIn("not read: params.mystery", self.good("probe", file).out)
        self.assertEqual(self.good("probe", file, "--json").json[0]["cases"][0]["not_read"], ["params.mystery"])

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


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The command line from outside: runs that are planned, trained, interrupted and extended.

Run through CTest, or: LENGTHWISE_CLI=... runs_test.py [-v] [Group]"""
import json
import random
import re
import signal
import time
import unittest

from harness import HAS_UI, SMALL, CliTest


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
        self.assertEqual(out.count("not fused-cpu: it gives no gradient"), 1)

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

    def test_what_would_be_ignored_is_refused(self):
        task = ["train", "alibi", "--corpus", "task:passkey", "--dry-run"]
        for words, said in (([*task, "--tokenizer", "bpe"], "has tokens of its own; leave --tokenizer out"),
                            ([*task, "--vocabulary", "500"], "has tokens of its own; leave --vocabulary out"),
                            (["train", "alibi", "--tokenizer", "byte", "--vocabulary", "500", "--dry-run"], "add --tokenizer bpe"),
                            (["train", "alibi", "--steps", "5", "--set", "training.steps=9", "--dry-run"], "training.steps is given twice, by --steps and by --set training.steps=9"),
                            (["train", "alibi", "--set", "bias.max_bias=4", "--set", "scheme.slots.bias.params.max_bias=5", "--dry-run"], "bias.max_bias is given twice"),
                            (["train", "alibi", "--set", "start.step=3", "--dry-run"], "it names none"),
                            (["train", "alibi", "--set", "bias.max_bias=true", "--dry-run"], 'is "true"; it must be a number'),
                            (["train", "alibi", "--set", "=5", "--dry-run"], "has no key")):
            refused = self.cli(*words)
            self.assertEqual(refused.code, 2, words)
            self.assertIn(said, refused.err)

    def test_a_plan_refuses_the_vocabularies_that_training_refuses(self):
        for words, said in ((["--tokenizer", "bpe", "--set", "data.vocabulary=100"], "A BPE vocabulary of 100 is outside"),
                            (["--tokenizer", "bpe", "--vocabulary", "65537"], "A BPE vocabulary of 65537 is outside 320 … 65536."),
                            (["--tokenizer", "byte", "--set", "model.vocabulary=5"], "model.vocabulary is 5, but the tokenizer of the data has 256 tokens")):
            refused = self.cli("train", "alibi", "--corpus", self.corpus, *words, "--dry-run")
            self.assertEqual(refused.code, 2, refused.err)
            self.assertIn(said, refused.err)

    def test_a_name_that_is_no_text_is_refused(self):
        refused = self.cli("train", "alibi", "--name", "bad\udcff", "--dry-run")
        self.assertEqual(refused.code, 2)
        self.assertIn("UTF-8", refused.err)

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

    def test_the_list_says_what_a_run_was_trained_on(self):
        text = self.train("alibi", "--name", "On a text")
        task = self.good("train", "alibi", "--corpus", "task:copy", *SMALL[2:], "--name", "On a task", "--json").json["id"]
        lines = self.good("runs").out.splitlines()
        self.assertIn("trained on", lines[0])
        for run, source, shown in ((text, str(self.corpus), "corpus"), (task, "task:copy", "task:copy")):
            line = next(line for line in lines if line.startswith(run))
            self.assertRegex(line, rf"finished\s+{shown}\s")
            listed = next(one for one in self.good("runs", "--json").json["runs"] if one["id"] == run)
            self.assertEqual(listed["trained_on"], source)
            self.good("runs", "delete", run, "--yes")

    def test_a_title_is_not_enough_to_remove_a_run(self):
        name = self.train("alibi", "--name", "Dear")
        answer = self.cli("runs", "delete", "dear", "--yes")
        self.assertEqual(answer.code, 2)
        self.assertIn(name, answer.err)
        self.assertTrue((self.workspace / name).exists())

    def test_of_several_runs_of_one_title_the_newest_is_taken_and_all_are_named(self):
        ids = [self.train("alibi", "--name", "Twice there", "--seed", seed) for seed in (1, 2)]
        taken = self.good("runs", "show", "twice there", "--json")
        self.assertEqual(taken.json["id"], ids[1])
        self.assertRegex(taken.err, rf"2 runs are called .*{ids[0]}, {ids[1]}\. The newest")
        self.assertEqual(self.good("runs", "show", ids[0]).err, "")
        refused = self.cli("runs", "delete", "Twice there", "--yes")
        self.assertEqual(refused.code, 2)
        self.assertIn(f"{ids[0]} or {ids[1]}", refused.err)
        for run in ids:
            self.good("runs", "delete", run, "--yes")
        self.assertEqual(self.cli("runs", "delete", "Twice there", "--yes").code, 3)

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

    def test_a_recipe_changed_after_training_is_said_and_nothing_is_refused(self):
        name = self.train("alibi", "--name", "Changed later")
        file = self.workspace / name / "recipe.json"
        recipe = json.loads(file.read_text(encoding="utf-8"))
        recipe["name"] = "Changed in its title"
        file.write_text(json.dumps(recipe), encoding="utf-8")
        self.assertNotIn("changed after", self.good("evaluate", name, "--lengths", "32", "--places", "2").err)
        recipe["training"]["clip"] = 0.5
        file.write_text(json.dumps(recipe), encoding="utf-8")
        for words in (["evaluate", name, "--lengths", "32", "--places", "2"], ["maps", name, "--length", "32"], ["heads", name, "--length", "32"],
                      ["compare", name], ["runs"], ["runs", "show", name]):
            with self.subTest(command=words[0]):
                self.assertIn(f"The recipe of {name} was changed after it was trained", self.good(*words).err)
        self.assertTrue(self.good("runs", "show", name, "--json").json["recipe_edited"])
        self.good("runs", "delete", name, "--yes")

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

    def test_lengths_that_a_table_of_positions_does_not_reach_are_said_before_training(self):
        words = ("train", "learned", "--corpus", self.corpus, *SMALL, "--set", "evaluation.lengths=[32,64]")
        self.assertIn("of its evaluation the length 64 will be left out.", self.good(*words, "--dry-run").out)
        self.assertIn("of its evaluation the length 64 will be left out.", self.good(*words).err)

    def test_lines_are_plain_when_piped(self):
        answer = self.good("train", "alibi", "--corpus", self.corpus, *SMALL)
        self.assertNotIn("\r", answer.err + answer.out)
        self.assertNotIn("\033", answer.err + answer.out)
        self.assertRegex(answer.out, r"Finished at step 3")


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

    def test_ctrl_c_while_a_vocabulary_is_learned_leaves_nothing_half_written(self):
        words = random.Random(1)
        corpus = self.root / "many words"
        corpus.mkdir()
        for n in range(12):  # words that hardly ever come twice: seconds of learning
            text = " ".join("".join(words.choices("abcdefghijklmnopqrst", k=9)) for _ in range(40_000))
            (corpus / f"{n:02}.txt").write_text(text, encoding="utf-8")
        before = self.good("runs", "--json").json["runs"]
        running = self.start("train", "alibi", "--corpus", corpus, *SMALL[2:], "--tokenizer", "bpe", "--vocabulary", "16000")
        for line in running.stderr:
            if "Learning a vocabulary" in line:
                break
        time.sleep(2)  # the texts are read and SentencePiece, which cannot be stopped, is at work
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
        self.assertEqual(running.returncode, 6, err)
        self.assertIn("Learning the vocabulary was cancelled", err)
        self.assertEqual(self.good("runs", "--json").json["runs"], before)
        self.assertEqual([file.name for file in self.workspace.glob(".*")] if self.workspace.exists() else [], [])
        self.assertEqual(list((self.root / "data").rglob("*-bpe-16000.model")) + list((self.root / "data").rglob("*.partial")), [])

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

    def test_ctrl_c_ends_a_comparison_while_its_intervals_are_made(self):
        runs = [self.train(scheme) for scheme in ("alibi", "kerple-log")]
        for run in runs:
            self.good("evaluate", run, "--lengths", "32,64", "--split", "train", "--places", "8")
            file = self.workspace / run / "evaluations" / "last-k.json"
            evaluation = json.loads(file.read_text(encoding="utf-8"))
            evaluation["protocol"]["bootstrap"] = 50_000_000  # more than is made while this test looks on
            file.write_text(json.dumps(evaluation), encoding="utf-8")
        running = self.start("compare", *runs)
        for line in running.stdout:
            if line.startswith("perplexity at"):  # the curves, which stand before the comparison
                break
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
        self.assertEqual(running.returncode, 6, out + err)
        self.assertIn("The comparison was cancelled.", err)
        self.assertNotIn("cannot be compared", out + err)


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
        self.assertIn("given twice", self.cli("extend", self.run_id, "frequency=yarn", "frequency=linear").err)
        nothing = self.cli("extend", self.run_id, "frequency=none")
        self.assertEqual(nothing.code, 2)
        self.assertIn("changes nothing", nothing.err)
        self.assertEqual(self.cli("extend", "no-such-run", "frequency=yarn").code, 3)

    def test_a_title_says_what_was_put_in(self):
        made = self.good("extend", self.run_id, "frequency=ntk", "--set", "frequency.factor=8", "--json").json
        self.assertIn("factor 8", made["title"])
        self.good("methods", "save", "Sixteen", "rope-linear", "--set", "frequency.factor=16")
        named = self.good("extend", self.run_id, "frequency=linear", "--set", "frequency.factor=16", "--json").json
        self.assertEqual(named["title"], "Sixteen")
        self.good("methods", "delete", "Sixteen")

    def test_the_weights_of_others_are_not_offered_for_removal(self):
        self.good("extend", self.run_id, "temperature=log-n")
        refused = self.cli("runs", "delete", self.run_id)
        self.assertEqual(refused.code, 2)
        self.assertNotIn("--yes", refused.err)

    def test_an_encoding_shows_mapped_distances_and_row_factors(self):
        shown = self.good("encoding", "rope-self-extend", "--length", "512", "--map-cells", "8", "--json").json
        self.assertEqual(len(shown["distance_map"]), 64)
        self.assertLess(max(shown["used_distance"][0]), 511)
        self.assertIn("row_factor_at_position", self.good("encoding", "rope-log-n", "--length", "512").out)
        self.assertEqual(shown["decay_bound"][0], 1)
        self.assertIn("plain_decay_bound", self.good("encoding", "rope-yarn", "--length", "512").out)

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


if __name__ == "__main__":
    unittest.main()

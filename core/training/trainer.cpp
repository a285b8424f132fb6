#include "core/training/trainer.h"

#include "core/data/task.h"
#include "core/model/seed_scope.h"
#include "core/storage/atomic_file.h"
#include "core/training/autocast.h"
#include "core/training/live_map.h"
#include "core/training/schedule.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

/// A number that differs for every step of a run: what a step draws is a function of (seed, step), so resuming needs no generator state.
std::uint64_t step_seed(std::uint64_t seed, std::int64_t step) {
    std::uint64_t mixed = seed + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(step + 1);
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31U);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Trainer::Trainer(RunFolder folder, Recipe recipe, RunRecord record, std::shared_ptr<const BatchSource> batches, RunContext context, TrainHooks hooks)
    : folder_(std::move(folder)), recipe_(std::move(recipe)), record_(std::move(record)), batches_(std::move(batches)), context_(std::move(context)),
      hooks_(std::move(hooks)) {
    if (recipe_.training.precision == "bf16" && context_.device == "cpu") {
        throw Failure(ErrorKind::invalid_argument, "training.precision is \"bf16\", which is for GPUs; on the CPU it is slower and less exact. Set it to \"fp32\" or choose a GPU.");
    }
    const std::int64_t longest = trained_tokens(recipe_.data, recipe_.training.length);
    model_ = std::make_shared<Transformer>(recipe_.model, recipe_.scheme, scheme_length(recipe_), recipe_.seed);
    model_->to(at::Device(context_.device));
    optimiser_ = std::make_unique<AdamW>(trainable_parameters(*model_), recipe_.training);
    record_.parameters = model_->parameter_count();
    record_.attention = model_->attention_note(recipe_.training.batch, longest, true);
}

Batch Trainer::to_device(Batch batch) const {
    if (context_.device == "cpu") return batch;
    return {batch.tokens.to(at::Device(context_.device)), batch.targets.to(at::Device(context_.device))};
}

void Trainer::check_losses() {
    const Batch batch = to_device(batches_->training_batch(0, recipe_.training.batch, recipe_.training.length));
    const bool bf16 = recipe_.training.precision == "bf16";
    LossCheck check;
    {
        const SeedScope scope(step_seed(recipe_.seed, 0));
        const AutocastScope autocast(bf16);
        // Random positions and scales differ between the two modes by intention; everything else must agree.
        if (const auto& map = model_->scheme()->positions()) map->eval();
        if (const auto& scaling = model_->scheme()->frequency()) scaling->eval();
        check.training = model_->loss(batch.tokens, batch.targets).item<double>();
    }
    {
        const at::NoGradGuard no_gradient;
        model_->eval();
        const at::Tensor logits = model_->forward(batch.tokens).to(at::kDouble).flatten(0, 1);  // [B T, V]
        check.evaluation = at::cross_entropy_loss(logits, batch.targets.flatten()).item<double>();
        model_->train();
    }
    const double difference = std::abs(check.training - check.evaluation);
    if (!(difference <= (bf16 ? 2e-2 : 1e-3) * std::max(1.0, std::abs(check.evaluation)))) {
        throw Failure(ErrorKind::internal, fmt::format("Training and evaluation give different losses on the same batch ({:.6f} and {:.6f} nats per token), so nothing "
                                                       "measured later could be trusted. This is a fault of the program.", check.training, check.evaluation));
    }
    record_.loss_check = check;
}

void Trainer::start_from(const std::map<std::string, at::Tensor>& weights) {
    load_model_tensors(*model_, weights);
    save_weights(folder_, *model_, record_.recipe_hash, 0);
}

void Trainer::restore() {
    state_ = load_training(folder_, *model_, *optimiser_, record_.recipe_hash);
    saved_step_ = state_.step;
    saved_best_step_ = state_.best_step;
    record_.step = state_.step;
    record_.best_step = state_.best_step;
    record_.best_loss = state_.best_loss;
}

void Trainer::run() {
    record_.status = "running";
    record_.message.clear();
    record_.diverged = false;
    folder_.write_record(record_);
    loop();
}

void Trainer::note_failure(const std::string& message) {
    record_.status = "failed";
    record_.message = message;
    record_.step = std::max<std::int64_t>(saved_step_, 0);
    try {
        folder_.write_record(record_);
    } catch (const Failure&) {
        // The disk may be what failed; the first error is the one to tell.
    }
}

void Trainer::loop() {
    LogWriter log(folder_, state_.pending ? state_.step - 1 : state_.step);
    if (state_.pending) after_step(log);
    bool stopped = state_.pending;
    while (!stopped && state_.step < recipe_.training.steps) {
        stopped = context_.stopping() || !step();
        if (!stopped) {
            after_step(log);
            stopped = state_.pending;
        }
        if (context_.serve) context_.serve();
    }
    record_.status = stopped ? "stopped" : "finished";
    if (saved_step_ != state_.step) save();
    folder_.write_record(record_);
}

at::Tensor Trainer::accumulate() {
    const TrainingSpec& spec = recipe_.training;
    at::Tensor total;
    for (std::int64_t part = 0; part < spec.accumulation; ++part) {
        if (part > 0 && context_.stopping()) {
            optimiser_->drop_gradients();
            return {};
        }
        const Batch batch = to_device(batches_->training_batch(state_.step * spec.accumulation + part, spec.batch, spec.length));
        rate_tokens_ += batch.tokens.numel();
        read_tokens_ += batch.tokens.numel();
        ++read_batches_;
        at::Tensor loss;
        {
            const AutocastScope autocast(spec.precision == "bf16");
            loss = model_->loss(batch.tokens, batch.targets) / static_cast<double>(spec.accumulation);
        }
        loss.backward();
        total = total.defined() ? total + loss.detach() : loss.detach();
    }
    return total;
}

bool Trainer::step() {
    const auto start = std::chrono::steady_clock::now();
    const TrainingSpec& spec = recipe_.training;
    const SeedScope scope(step_seed(recipe_.seed, state_.step));
    const at::Tensor loss = accumulate();
    if (!loss.defined()) return false;
    const at::Tensor norm = optimiser_->clip_gradients();
    // The one read-back of a step: it must come before the update, so that a bad loss never reaches the weights.
    const at::Tensor numbers = at::stack({loss.to(at::kDouble), norm.to(at::kDouble)}).to(at::kCPU);  // [2]
    state_.last_loss = numbers.const_data_ptr<double>()[0];
    state_.last_norm = numbers.const_data_ptr<double>()[1];
    refuse_unusable();
    optimiser_->step(learning_rate(spec, state_.step));
    optimiser_->drop_gradients();
    ++state_.step;
    state_.loss_sum += state_.last_loss;
    ++state_.loss_count;
    record_.step = state_.step;
    const double seconds = seconds_since(start);
    state_.seconds += seconds;
    rate_seconds_ += seconds;
    return true;
}

void Trainer::refuse_unusable() {
    if (std::isfinite(state_.last_loss) && std::isfinite(state_.last_norm)) return;
    record_.diverged = true;
    const std::string kept = saved_step_ > 0 ? fmt::format("The checkpoint of step {} is kept.", saved_step_) : "No checkpoint had been written yet.";
    throw Failure(ErrorKind::invalid_argument, fmt::format("Training stopped at step {}: {} is no longer a finite number (learning rate {:.2e}). {} Try a smaller peak_rate, a longer "
                                                           "warm-up, or clip 1.0.", state_.step + 1, std::isfinite(state_.last_loss) ? "the gradient" : "the loss",
                                                           learning_rate(recipe_.training, state_.step), kept));
}

void Trainer::after_step(LogWriter& log) {
    std::optional<double> validation;
    state_.pending = due(recipe_.training.validate_every);
    if (state_.pending) {
        validation = validate();
        if (!validation) return;
        state_.pending = false;
    }
    if (validation || due(std::max<std::int64_t>(1, hooks_.log_every)) || state_.step == 1) log_step(validation, log);
    if (validation) note_validation(*validation);
    if (due(recipe_.training.checkpoint_every)) save();
    draw_map();
    report();
}

std::optional<double> Trainer::validate() {
    const at::NoGradGuard no_gradient;
    const TrainingSpec& spec = recipe_.training;
    at::Tensor total;
    model_->eval();
    for (std::int64_t index = 0; index < spec.validation_batches; ++index) {
        if (context_.stopping()) break;
        const Batch batch = to_device(batches_->validation_batch(index, spec.batch, spec.length));
        const AutocastScope autocast(spec.precision == "bf16");
        const at::Tensor loss = model_->loss(batch.tokens, batch.targets).to(at::kDouble);  // []
        total = total.defined() ? total + loss : loss;
        if (context_.serve) context_.serve();
    }
    model_->train();
    // Half a validation set is another set: its number would not compare with the others.
    if (context_.stopping() || !total.defined()) return std::nullopt;
    return total.item<double>() / static_cast<double>(spec.validation_batches);
}

void Trainer::note_validation(double loss) {
    if (!std::isfinite(loss) || (state_.best_step >= 0 && loss >= state_.best_loss)) return;
    state_.best_step = state_.step;
    state_.best_loss = loss;
    save_weights(folder_, *model_, record_.recipe_hash, state_.step);
    record_.best_step = state_.step;
    record_.best_loss = loss;
    folder_.write_record(record_);
    prune();
}

void Trainer::log_step(const std::optional<double>& validation, LogWriter& log) {
    tokens_per_second_ = rate_seconds_ > 0 ? static_cast<double>(rate_tokens_) / rate_seconds_ : 0;
    const LogPoint point{state_.step, state_.loss_sum / static_cast<double>(state_.loss_count), learning_rate(recipe_.training, state_.step - 1), state_.last_norm,
                         tokens_per_second_, validation};
    log.append(point);
    state_.loss_sum = 0;
    state_.loss_count = 0;
    rate_seconds_ = 0;
    rate_tokens_ = 0;
    if (hooks_.on_log) hooks_.on_log(point);
}

void Trainer::save() {
    if (state_.best_step != state_.step) save_weights(folder_, *model_, record_.recipe_hash, state_.step);
    save_state(folder_, *optimiser_, record_.recipe_hash, state_);
    saved_step_ = state_.step;
    saved_best_step_ = state_.best_step;
    record_.seconds = state_.seconds;
    folder_.write_record(record_);
    prune();
}

void Trainer::prune() {
    // What the state on the disk calls its best must stay until a newer state is written: a killed run goes on from there.
    prune_checkpoints(folder_, {{state_.best_step, saved_best_step_, saved_step_}, recipe_.training.keep_checkpoints, recipe_.training.checkpoint_every, saved_step_});
}

void Trainer::draw_map() {
    if (!hooks_.live_map || !hooks_.on_map) return;
    const LiveMapRequest request = hooks_.live_map();
    if (request.every <= 0 || state_.step % request.every != 0) return;
    const Batch batch = to_device(batches_->validation_batch(0, 1, recipe_.training.length));
    model_->eval();  // the map of a text, not of one random draw of its positions
    const auto tile = live_map_tile(*model_, batch.tokens, request);
    model_->train();
    if (tile) hooks_.on_map(*tile);
}

void Trainer::report() {
    if (!context_.progress) return;
    const double rate = rate_seconds_ > 0 ? static_cast<double>(rate_tokens_) / rate_seconds_ : tokens_per_second_;
    const TrainingSpec& spec = recipe_.training;
    const double batch_tokens = static_cast<double>(read_tokens_) / static_cast<double>(std::max<std::int64_t>(read_batches_, 1));
    const double left = static_cast<double>((spec.steps - state_.step) * spec.accumulation) * batch_tokens;
    Progress progress;
    progress.stage = "Training";
    progress.done = static_cast<double>(state_.step);
    progress.total = static_cast<double>(spec.steps);
    progress.unit = "steps";
    progress.rate = rate;
    progress.rate_unit = "tokens";
    progress.seconds_left = rate > 0 ? left / rate : -1;
    progress.note = fmt::format("loss {:.3f}", state_.last_loss);
    context_.report(progress);
}

}  // namespace lw

// GET /metrics. Every family has all its samples in one place, so figures of single learners are gathered by family
// first. Cost: one pass over the learners, each with its lock for as long as a pointer is copied.
#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "hannan/runtime/version.hpp"
#include "service/learner_figures.hpp"
#include "service/process_figures.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

using Type = Exposition::Type;
using Family = Exposition::Family;

// Of single learners, by name; those that are not known of any are left out.
constexpr Family kOfLearners[] = {
    {"hannan_rounds", Type::kGauge, "Rounds of the learner; with delayed outcomes those that are settled."},
    {"hannan_loss", Type::kGauge, "Sum of its losses."},
    {"hannan_drift", Type::kGauge, "What was played lost so much more than what was learned."},
    {"hannan_best_loss", Type::kGauge, "Loss of the best fixed choice that was found."},
    {"hannan_best_loss_floor", Type::kGauge, "No fixed choice loses less: proven."},
    {"hannan_regret", Type::kGauge, "Loss above that of the best fixed choice that was found."},
    {"hannan_regret_most", Type::kGauge, "The regret is at most this, whatever the best fixed choice is."},
    {"hannan_regret_bound", Type::kGauge,
     "Limit that the regret keeps with the certainty of the learner, in the round in which it was looked at last."},
    {"hannan_promise_used", Type::kGauge,
     "Regret over that limit, both of the same round: above 1 the learner is beyond its promise."},
    {"hannan_looks_total", Type::kCounter, "Rounds that were seen in full, of a learner that looks."},
    {"hannan_lost_looks_total", Type::kCounter, "Looks whose outcome is gone."},
    {"hannan_look_share", Type::kGauge, "Chance of a look in the current decision."},
    {"hannan_money", Type::kGauge, "What the rounds brought, or cost where the problem has costs, in its currency."},
};

class LearnerFigures {
 public:
  void add(const Entry& entry, const Published& seen) {
    const std::string label = Exposition::label("learner", entry.name());
    const auto set = [&](std::string_view family, std::optional<double> value) {
      if (value) samples_[family].emplace_back(label, *value);
    };
    set("hannan_rounds", static_cast<double>(seen.rounds));
    set("hannan_loss", seen.seen_total());
    set("hannan_drift", seen.drift);
    set("hannan_best_loss", seen.best);
    set("hannan_regret", seen.regret);
    // Where the best is not proven it lies from the floor to what was found, and the regret up to the most.
    set("hannan_best_loss_floor", seen.floor);
    if (seen.floor) set("hannan_regret_most", seen.total - *seen.floor);
    if (seen.bound) set("hannan_regret_bound", seen.bound->certain);
    if (const auto used = promise_used(seen)) set("hannan_promise_used", used->lo);
    if (!seen.part.is_null()) {
      set("hannan_looks_total", seen.part.find_number("looks"));
      set("hannan_lost_looks_total", seen.part.find_number("lost"));
      set("hannan_look_share", seen.part.find_number("share"));
    }
    const auto scale = money_scale(entry);
    if (!scale || !seen.part.is_null()) return;
    samples_["hannan_money"].emplace_back(
        scale->currency.empty() ? label : label + "," + Exposition::label("currency", scale->currency),
        scale->of(seen.total, static_cast<double>(seen.rounds)));
  }
  void add(const std::string& name, const CombinerSeen& seen) {
    const std::string label = Exposition::label("learner", name);
    samples_["hannan_rounds"].emplace_back(label, static_cast<double>(seen.settled));
    samples_["hannan_loss"].emplace_back(label, seen.total);
  }
  void add_to(Exposition& out) const {
    for (const Family& family : kOfLearners) {
      const auto found = samples_.find(family.name);
      if (found == samples_.end()) continue;
      out.family(family);
      for (const auto& [label, value] : found->second) out.sample(value, label);
    }
  }

 private:
  std::map<std::string_view, std::vector<std::pair<std::string, double>>> samples_;
};

// Over all learners of this process.
struct LearnerSums {
  std::map<std::string_view, std::size_t> by_status{{"cold", 0}, {"ready", 0}, {"quarantined", 0}};
  std::size_t waiting = 0;
  std::uint64_t snapshot_age = 0;  // rows after the newest snapshot, the most of any learner

  void add(const Entry& entry, const Entry::Now& now) {
    ++by_status[status_name(now.status)];
    waiting += entry.waiting;
    const std::uint64_t snapshot = entry.snapshot;
    if (now.published && now.published->position > snapshot)
      snapshot_age = std::max(snapshot_age, now.published->position - snapshot);
  }
  void add_to(Exposition& out) const {
    out.family({"hannan_learners", Type::kGauge, "Learners of this process, by status."});
    for (const auto& [status, count] : by_status)
      out.sample(static_cast<double>(count), Exposition::label("status", status));
    out.single({"hannan_queue_outcomes", Type::kGauge, "Outcomes that wait to be committed."},
               static_cast<double>(waiting));
    out.single({"hannan_snapshot_age_rounds_max", Type::kGauge,
                "Rows that a start would replay at most for one learner: those after its newest snapshot."},
               static_cast<double>(snapshot_age));
  }
};

void add_disk(Exposition& out, const std::string& path) {
  std::error_code error;
  if (path.empty()) return;
  const auto space = std::filesystem::space(path, error);
  if (error) return;
  out.single({"hannan_disk_free_bytes", Type::kGauge, "Free space on the disk of the log."},
             static_cast<double>(space.available));
  out.single({"hannan_disk_size_bytes", Type::kGauge, "Size of the disk of the log."},
             static_cast<double>(space.capacity));
}

// Readiness as /readyz says it, work and memory.
void add_host(Exposition& out, const Host& host) {
  const auto flag = [](bool value) { return value ? 1.0 : 0.0; };
  out.single({"hannan_ready", Type::kGauge, "1: every learner is loaded and the log can be written, as /readyz says."},
             flag(host.ready() && host.writable()));
  out.single({"hannan_recovered", Type::kGauge, "1: every learner was loaded since the start."}, flag(host.ready()));
  out.single({"hannan_writable", Type::kGauge, "1: the last commit went through, or a try after it."},
             flag(host.writable()));
  const auto longest = host.longest();
  out.single({"hannan_longest_work_seconds", Type::kGauge,
              "For how long the learner has been worked for that takes longest now."},
             longest ? longest->seconds : 0);
  out.single({"hannan_stalled_learners", Type::kGauge, "Learners that have been worked for longer than 10 seconds."},
             static_cast<double>(host.stalled()));
  out.single({"hannan_jobs_waiting", Type::kGauge, "Jobs of learners that have not begun."},
             static_cast<double>(host.waiting_jobs()));
  out.single({"hannan_queue_bytes", Type::kGauge, "Bytes of requests whose outcomes wait to be committed."},
             static_cast<double>(host.waiting_bytes()));
  out.single({"hannan_memory_estimated_bytes", Type::kGauge, "Memory that the learners may take, estimated."},
             host.used_memory());
  out.single({"hannan_memory_limit_bytes", Type::kGauge, "What --memory allows them."}, host.most_memory());
}

}  // namespace

// Single learners are shown only where --metrics-learners names them: ten thousand of them would burden every scrape.
void Api::metrics(Call& call) {
  if (!setting_.metrics_public) tokens_.check(Scope::kRead, call.request.header("authorization"), "");
  LearnerSums sums;
  LearnerFigures figures;
  for (std::string after;;) {
    const auto some = host_.list(after, 1000);
    if (some.empty()) break;
    for (const auto& entry : some) {
      after = entry->name();
      const auto now = entry->now();
      sums.add(*entry, now);
      const bool shown = !setting_.metrics_learners.empty() && now.published &&
                         ::fnmatch(setting_.metrics_learners.c_str(), entry->name().c_str(), 0) == 0;
      if (shown) figures.add(*entry, *now.published);
    }
  }
  for (const auto& entry : host_.combiners()) {
    const auto now = entry->now();
    ++sums.by_status[status_name(now.status)];
    if (!setting_.metrics_learners.empty() && now.seen &&
        ::fnmatch(setting_.metrics_learners.c_str(), entry->name().c_str(), 0) == 0)
      figures.add(entry->name(), *now.seen);
  }
  Exposition out;
  metrics_.add_to(out);
  sums.add_to(out);
  add_host(out, host_);
  add_disk(out, setting_.disk);
  if (setting_.journal)
    out.single(
        {"hannan_log_lines_dropped_total", Type::kCounter, "Lines of the log on standard error that found no reader."},
        static_cast<double>(setting_.journal->dropped()));
  out.family({"hannan_build_info", Type::kGauge, "1; the label has the version of the program."});
  out.sample(1, Exposition::label("version", kVersion));
  if (const Cluster* cluster = host_.cluster()) cluster->add_to(out);
  figures.add_to(out);
  add_process_figures(out, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count());
  Reply reply;
  reply.type = "text/plain; version=0.0.4";
  reply.body = out.take();
  call.respond(std::move(reply));
}

}  // namespace hannan::detail::service

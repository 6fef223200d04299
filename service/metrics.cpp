// Histograms with ends first, 2 first, 4 first, ...: counts_[i] has the values above the end before and at most end i,
// the last one the rest. A quantile is the end of its bucket.
#include "service/metrics.hpp"

#include <cmath>

#include <fmt/format.h>

namespace hannan::detail::service {

// Exactly 2^place times the first.
double Histogram::end_of(std::size_t place) const { return std::ldexp(first_, static_cast<int>(place)); }

void Histogram::add(double value) {
  std::size_t place = 0;
  while (place < kBuckets && value > end_of(place)) ++place;
  const std::lock_guard lock(mutex_);
  ++counts_[place];
  sum_ += value;
  ++count_;
}

void Histogram::add_to(Exposition& out) const {
  const std::lock_guard lock(mutex_);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    below += counts_[i];
    out.sample(static_cast<double>(below), fmt::format("le=\"{:g}\"", end_of(i)), "_bucket");
  }
  out.sample(static_cast<double>(count_), "le=\"+Inf\"", "_bucket");
  out.sample(sum_, {}, "_sum").sample(static_cast<double>(count_), {}, "_count");
}

// An upper limit: within a factor of two of the true one, which is what a health check needs.
double Histogram::quantile(double share) const {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return 0;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    below += counts_[i];
    if (static_cast<double>(below) >= share * static_cast<double>(count_)) return end_of(i);
  }
  return end_of(kBuckets);
}

void Metrics::count_request(std::string_view route, int status) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
}

void Metrics::add_to(Exposition& out) const {
  using Type = Exposition::Type;
  const auto count = [](const std::atomic<std::uint64_t>& value) { return static_cast<double>(value.load()); };
  out.family(
      {"hannan_outcomes_total", Type::kCounter,
       "Outcomes that are on disk (accepted), were there already (duplicate), or were refused after they were read."});
  out.sample(count(accepted), "result=\"accepted\"").sample(count(duplicates), "result=\"duplicate\"");
  out.sample(count(refused), "result=\"refused\"");
  out.single({"hannan_decisions_total", Type::kCounter, "Current decisions that were asked for."}, count(decisions));
  out.single({"hannan_oracle_calls_total", Type::kCounter, "Calls of oracles in rounds that were committed."},
             count(oracle_calls));
  out.family({"hannan_http_requests_total", Type::kCounter, "Requests that were answered, by route and status."});
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, number] : requests_)
      out.sample(static_cast<double>(number), fmt::format("route=\"{}\",code=\"{}\"", key.first, key.second));
  }
  out.family({"hannan_http_request_seconds", Type::kHistogram, "From a request that was read to its answer."});
  request_seconds.add_to(out);
  out.family({"hannan_commit_seconds", Type::kHistogram, "What a commit of a group of outcomes takes."});
  commit_seconds.add_to(out);
  out.family({"hannan_commit_rows", Type::kHistogram, "Rows of a commit."});
  commit_rows.add_to(out);
  out.single({"hannan_commit_failures_total", Type::kCounter, "Commits that failed: nothing of them is kept."},
             count(commit_failures));
  out.family(
      {"hannan_replay_seconds", Type::kHistogram, "What a part of the replay of a learner takes, up to 256 rows."});
  replay_seconds.add_to(out);
}

}  // namespace hannan::detail::service

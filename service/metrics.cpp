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

std::string Histogram::text(std::string_view name, std::string_view labels) const {
  const std::lock_guard lock(mutex_);
  const std::string all = labels.empty() ? "" : std::string(labels) + ",";
  std::string out = fmt::format("# TYPE {} histogram\n", name);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    below += counts_[i];
    out += fmt::format("{}_bucket{{{}le=\"{:g}\"}} {}\n", name, all, end_of(i), below);
  }
  const std::string own = labels.empty() ? "" : fmt::format("{{{}}}", labels);
  out += fmt::format("{}_bucket{{{}le=\"+Inf\"}} {}\n{}_sum{} {:g}\n{}_count{} {}\n", name, all, count_, name, own,
                     sum_, name, own, count_);
  return out;
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

std::string Metrics::text() const {
  std::string out = fmt::format(
      "# TYPE hannan_outcomes_total counter\nhannan_outcomes_total{{result=\"accepted\"}} {}\n"
      "hannan_outcomes_total{{result=\"duplicate\"}} {}\nhannan_outcomes_total{{result=\"refused\"}} {}\n"
      "# TYPE hannan_decisions_total counter\nhannan_decisions_total {}\n# TYPE hannan_http_requests_total counter\n",
      accepted.load(), duplicates.load(), refused.load(), decisions.load());
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, count] : requests_)
      out += fmt::format("hannan_http_requests_total{{route=\"{}\",code=\"{}\"}} {}\n", key.first, key.second, count);
  }
  out += request_seconds.text("hannan_http_request_seconds", "");
  out += commit_seconds.text("hannan_commit_seconds", "");
  out += commit_rows.text("hannan_commit_rows", "");
  out += replay_seconds.text("hannan_replay_seconds", "");
  return out;
}

}  // namespace hannan::detail::service

// Tracking regret of a record line by line; gives up with a reason where the problem cannot be made or too much would
// have to be computed.
#include "hannan/report/tracking_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace {

constexpr std::array<std::uint64_t, 6> kSwitches{0, 1, 2, 4, 8, 16};

}  // namespace

void TrackingTable::stop(const std::string& why) {
  tracking_.reset();
  problem_.reset();
  why_not_ = why;
}

void TrackingTable::begin(const Json& header) {
  const Json* problem = header.find("problem");
  const Json* kind = problem ? problem->find("kind") : nullptr;
  const Json* params = problem ? problem->find("params") : nullptr;
  if (!kind || !kind->is_string() || !params) return stop("the header names no problem");
  try {
    problem_ = make_problem(kind->as_string(), *params, "problem.params");
  } catch (const Error& e) {
    stop("the problem cannot be made: " + e.message());
  }
}

void TrackingTable::round(const Json& line) {
  if (!problem_) return;
  try {
    observe(line);
  } catch (const Error& e) {
    stop("round " + std::to_string(rounds_ + 1) + " cannot be read: " + e.message());
  }
}

void TrackingTable::observe(const Json& line) {
  if (line.find("decide")) return stop("outcomes came late, not one after the other");
  const Json* outcome = line.find("outcome");
  const auto loss = line.find_number("loss");
  if (!outcome || !loss) return stop("round " + std::to_string(rounds_ + 1) + " has no outcome, or no loss");
  const std::string refused = tracking_refused(problem_->game(), rounds_ + 1, kSwitches.back());
  if (!refused.empty()) return stop(refused);
  if (!tracking_) tracking_.emplace(problem_->game(), kSwitches.back());
  problem_->game().read_outcome(*outcome, "outcome", outcome_);
  tracking_->round(outcome_);
  total_ += *loss;
  ++rounds_;
}

void TrackingTable::write(Json& blocks) const {
  PageTable table{.title = "Tracking regret",
                  .about = {},
                  .header = {"switches, at most", "best sequence's loss", "regret against it"},
                  .rows = {}};
  if (!tracking_) {
    table.about = "Unavailable: " + why_not_ + ".";
    blocks.push_back(table_block(table));
    return;
  }
  table.about =
      "The best sequence of choices in hindsight that changes its choice at most so often; with no switch it is the "
      "best fixed choice. No bound is claimed for it.";
  for (const std::uint64_t n : kSwitches) {
    const double best = tracking_->best(n);
    const double regret = cleared(total_ - best, std::max(1.0, std::abs(total_)));
    table.rows.push_back({std::to_string(n), shown(best), shown(regret)});
  }
  blocks.push_back(table_block(table));
}

}  // namespace hannan::detail

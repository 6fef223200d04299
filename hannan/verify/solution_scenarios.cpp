// Reads what docs/solve.md says of scenarios a second time. The digest of rows is FNV-1a of, for every row, the JSON of
// its outcome, a newline, and each label with a NUL behind it.
#include "hannan/verify/solution_scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/exact_total.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void reject_scenarios(const std::string& message) { throw Error(Code::kRejected, message, "scenarios"); }

// How often each comes, over all.
std::vector<std::pair<std::size_t, double>> parts_of(std::vector<std::size_t> places) {
  std::sort(places.begin(), places.end());
  std::vector<std::pair<std::size_t, double>> parts;
  for (std::size_t i = 0; i < places.size();) {
    std::size_t end = i;
    while (end < places.size() && places[end] == places[i]) ++end;
    parts.emplace_back(places[i], static_cast<double>(end - i) / static_cast<double>(places.size()));
    i = end;
  }
  return parts;
}

std::vector<double> parts_of_rows(const std::vector<std::uint64_t>& rows) {
  std::uint64_t all = 0;
  for (const std::uint64_t count : rows) all += count;
  std::vector<double> parts;
  for (const std::uint64_t count : rows) parts.push_back(static_cast<double>(count) / static_cast<double>(all));
  return parts;
}

}  // namespace

SolutionScenarios::SolutionScenarios(std::shared_ptr<const Game> game, const Json& from, const SolutionRows& rows)
    : game_(std::move(game)) {
  const std::string kind = to_word(from.at("from"), "scenarios.from");
  if (kind == "outcomes") {
    Fields(from, "scenarios").need("from");
    const auto all = game_->outcomes();
    if (!all) reject_scenarios("found the problem's outcomes, which it cannot list");
    for (const AnyOutcome& y : *all) {
      const std::string text = dump(game_->outcome_json(y));
      add(text, {{keep(y, text), 1.0}});
    }
  } else if (kind == "list") {
    read_list(from);
  } else if (kind == "rows") {
    read_rows(from, rows);
  } else if (kind == "budget") {
    read_budget(from);
  } else {
    reject_scenarios("found scenarios from \"" + kind + "\", expected outcomes, list, rows or budget");
  }
  if (names_.empty()) reject_scenarios("found no scenario, expected at least one");
  if (shares_.empty()) shares_.assign(names_.size(), 1.0 / static_cast<double>(names_.size()));
  by_text_.clear();
}

std::optional<std::size_t> SolutionScenarios::place(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t SolutionScenarios::keep(const AnyOutcome& y, const std::string& text) {
  const auto [found, is_new] = by_text_.emplace(text, outcomes_.size());
  if (is_new) outcomes_.push_back(y);
  return found->second;
}

void SolutionScenarios::add(const std::string& name, Data data) {
  if (!by_name_.emplace(name, names_.size()).second) reject_scenarios("found two scenarios named \"" + name + "\"");
  names_.push_back(name);
  data_.push_back(std::move(data));
}

void SolutionScenarios::read_list(const Json& from) {
  Fields fields(from, "scenarios");
  fields.need("from");
  AnyOutcome y;
  for (const Json& scenario : fields.list("list")) {
    Fields one(scenario, "scenarios.list");
    const std::string name = one.word("name");
    std::map<std::size_t, double> weights;
    for (const Json& point : one.list("data")) {
      Fields weighted(point, "scenarios.list.data");
      const double weight = weighted.number("weight", {0, 1e12});
      game_->read_outcome(weighted.need("outcome"), "scenarios.list.data.outcome", y);
      weighted.done();
      weights[keep(y, dump(game_->outcome_json(y)))] += weight;
    }
    one.done();
    add(name, Data(weights.begin(), weights.end()));
  }
  if (fields.has("shares")) {
    shares_ = fields.numbers("shares", {0, 1});
    ExactTotal sum;
    for (const double share : shares_) sum += share;
    if (shares_.size() != names_.size() || std::abs(sum.value() - 1) > 1e-9)
      reject_scenarios("found shares that are not one for each scenario with the sum 1");
  }
  fields.done();
}

void SolutionScenarios::read_rows(const Json& from, const SolutionRows& rows) {
  Fields fields(from, "scenarios");
  fields.need("from");
  const bool grouped = !fields.words("group").empty();
  const auto stated = static_cast<std::uint64_t>(fields.integer("rows", kNatural));
  const auto skipped = static_cast<std::uint64_t>(fields.integer("skipped", kNatural, 0));
  const double hold = fields.number("hold", {0, 1}, 0);
  const std::string digest = fields.word("digest");
  fields.done();
  if (!rows)
    throw Error(Code::kUsage,
                "found scenarios from rows of data, expected the file of them: -d FILE, read as it was for "
                "the solution",
                "-d");
  std::vector<std::vector<std::size_t>> places;
  std::vector<std::string> called;
  std::unordered_map<std::string, std::size_t> groups;
  Digest seen;
  std::uint64_t count = 0;
  AnyOutcome y;
  std::vector<std::string> labels;
  for (std::uint64_t i = 0; i < skipped && rows(y, labels); ++i) {
  }
  while (rows(y, labels)) {
    const std::string text = dump(game_->outcome_json(y));
    ++count;
    seen.add(text);
    seen.add("\n");
    std::string key, shown;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      key += labels[i];
      key += '\0';
      if (i > 0) shown += '/';
      shown += labels[i].empty() ? "(none)" : labels[i];
    }
    seen.add(key);
    std::size_t group = places.size();
    if (grouped) group = groups.emplace(key, group).first->second;
    if (group == places.size()) {
      places.emplace_back();
      std::string name = grouped ? shown : std::to_string(count);
      if (std::find(called.begin(), called.end(), name) != called.end()) name = dump(Json::array(labels));
      called.push_back(name);
    }
    places[group].push_back(keep(y, text));
  }
  if (count != stated || seen.hex() != digest)
    reject_scenarios("found data of " + std::to_string(count) + " rows with the digest " + seen.hex() +
                     ", expected the " + std::to_string(stated) + " rows with " + digest + " that were solved");
  for (std::size_t g = 0; g < places.size(); ++g) {
    const std::size_t all = places[g].size();
    std::size_t last = 0;
    if (hold > 0 && all >= 2) {
      last = static_cast<std::size_t>(std::floor(hold * static_cast<double>(all) + 1e-9));
      last = std::min(std::max<std::size_t>(last, 1), all - 1);
      held_.push_back(parts_of({places[g].end() - static_cast<std::ptrdiff_t>(last), places[g].end()}));
      held_rows_.push_back(last);
    }
    add(called[g], parts_of({places[g].begin(), places[g].end() - static_cast<std::ptrdiff_t>(last)}));
    if (grouped) rows_.push_back(all - last);
  }
  if (grouped) shares_ = parts_of_rows(rows_);
  if (!held_.empty()) held_shares_ = parts_of_rows(held_rows_);
}

void SolutionScenarios::read_budget(const Json& from) {
  Fields fields(from, "scenarios");
  fields.need("from");
  budget_ = static_cast<double>(fields.integer("budget", {1, static_cast<std::int64_t>(game_->row_width())}));
  const std::vector<double> base = fields.numbers("base", {0, 1});
  rise_ = fields.numbers("rise", {0, 1});
  fields.done();
  if (base.size() != game_->row_width() || rise_.size() != base.size())
    reject_scenarios("found rows of costs of another length than the problem's");
  AnyOutcome y;
  game_->read_row(base, y);
  keep(y, "base");
  for (std::size_t g = 0; g < base.size(); ++g) add(std::to_string(g), {});
}

AnyOutcome SolutionScenarios::row_of(std::size_t only) const {
  std::vector<double> row(rise_.size(), 0.0);
  row[only] = rise_[only];
  AnyOutcome y;
  game_->read_row(row, y);
  return y;
}

double SolutionScenarios::unit() const {
  bool inside = game_->loss_range() == LossRange::kUnitInterval;
  double least = 0, most = 0;
  for (std::size_t g = 0; g < names_.size(); ++g) {
    double weight = 0, low = 0, high = 0;
    const auto see = [&](const AnyOutcome& y, double times) {
      const LossSpread spread = game_->spread(y);
      weight += times;
      low += times * spread.least;
      high += times * spread.most;
    };
    if (budget_ > 0) {
      see(outcomes_.front(), 1);
      see(row_of(g), budget_);
    } else {
      for (const auto& [place, times] : data_[g]) see(outcomes_[place], times);
    }
    inside = inside && weight <= 1 + 1e-12;
    least = g == 0 ? low : std::min(least, low);
    most = g == 0 ? high : std::max(most, high);
  }
  return inside ? 1 : std::max(most - least, 1e-300);
}

std::vector<double> SolutionScenarios::sums(const AnyAction& x, const std::vector<Data>& data) const {
  std::vector<double> lost;
  lost.reserve(outcomes_.size());
  for (const AnyOutcome& y : outcomes_) lost.push_back(game_->loss(x, y));
  std::vector<double> totals;
  for (const Data& scenario : data) {
    ExactTotal total;
    for (const auto& [place, weight] : scenario) total += weight * lost[place];
    totals.push_back(total.value());
  }
  return totals;
}

std::vector<double> SolutionScenarios::losses(const AnyAction& x) const {
  if (budget_ == 0) return sums(x, data_);
  std::vector<double> totals(names_.size(), game_->loss(x, outcomes_.front()));
  for (std::size_t g = 0; g < totals.size(); ++g) totals[g] += budget_ * game_->loss(x, row_of(g));
  return totals;
}

std::vector<std::pair<AnyOutcome, double>> SolutionScenarios::mixed(const std::vector<double>& weights) const {
  std::vector<std::pair<AnyOutcome, double>> set;
  if (budget_ > 0) {
    double all = 0;
    for (const double weight : weights) all += weight;
    set.emplace_back(outcomes_.front(), all);
    for (std::size_t g = 0; g < weights.size(); ++g) {
      if (weights[g] > 0 && rise_[g] > 0) set.emplace_back(row_of(g), budget_ * weights[g]);
    }
    return set;
  }
  std::vector<double> total(outcomes_.size(), 0.0);
  for (std::size_t g = 0; g < data_.size(); ++g) {
    for (const auto& [place, weight] : data_[g]) total[place] += weights[g] * weight;
  }
  for (std::size_t i = 0; i < total.size(); ++i) {
    if (total[i] > 0) set.emplace_back(outcomes_[i], total[i]);
  }
  return set;
}

std::vector<std::pair<AnyOutcome, double>> SolutionScenarios::held_group(std::size_t g) const {
  std::vector<std::pair<AnyOutcome, double>> set;
  for (const auto& [place, weight] : held_[g]) set.emplace_back(outcomes_[place], weight);
  return set;
}

std::vector<std::pair<const AnyOutcome*, double>> SolutionScenarios::group(std::size_t g) const {
  std::vector<std::pair<const AnyOutcome*, double>> parts;
  for (const auto& [place, weight] : data_[g]) parts.emplace_back(&outcomes_[place], weight);
  return parts;
}

}  // namespace hannan::detail

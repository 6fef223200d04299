// The digest, the mixtures, both sides, the average, and whether the gap was said.
#include "hannan/verify/solution_check.hpp"

#include <functional>
#include <limits>
#include <set>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/solution_judge.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostScanned = 1e8;                // actions times scenarios that are looked at one by one
constexpr std::uint64_t kSearchWork = 4 * 200'000;  // four times what a single search has

}  // namespace

void reject_field(const std::string& field, const std::string& message) {
  throw Error(Code::kRejected, message, field);
}

double largest_mean(std::vector<double> values, double cap) {
  std::sort(values.begin(), values.end(), std::greater<>());
  const double count = static_cast<double>(values.size());
  ExactTotal sum;
  double left = 1, used = 0;
  for (const double value : values) {
    const double part = cap * count <= 1 + 1e-12 ? 1 / count : std::min(cap, left);
    if (part <= 0) break;
    sum += part * value;
    left -= part;
    used += part;
  }
  return sum.value() / used;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  ExactTotal sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum.value();
}

SolutionJudge::SolutionJudge(const Json& solution, const SolutionRows& rows)
    : in_(solution, ""), file_(solution), game_(game_of(solution)), scenarios_(game_, solution.at("scenarios"), rows) {
  in_.need("scenarios");
  in_.need("problem");
  in_.maybe("ok");
  if (in_.integer("solution") != 1) reject_field("solution", "found another version of the format, expected 1");
}

void SolutionJudge::expect(const std::string& field, double stated, const Between& own) const {
  if (!agrees(stated, own)) reject_field(field, "found " + number_text(stated) + ", expected " + number_text(own.high));
}

SolutionJudge::Between SolutionJudge::worst_of(const Losses& losses) const {
  return {largest_mean(losses.low, cap_), largest_mean(losses.high, cap_)};
}

SolutionJudge::Between SolutionJudge::average_of(const Losses& losses) const {
  return {product(scenarios_.shares(), losses.low), product(scenarios_.shares(), losses.high)};
}

SolutionVerification SolutionJudge::run() {
  check_digest();
  read_settings();
  read_mixtures();
  find_bases();
  check_upper();
  check_lower();
  check_average();
  check_singles();
  check_lists();
  check_gain();
  check_gap();
  check_trace();
  check_work();
  check_origin();
  in_.done();
  found_.lower = lower_;
  found_.upper = upper_;
  found_.actions = strategy_.actions.size();
  found_.scenarios = scenarios_.size();
  found_.ln_actions = game_->ln_size();
  return found_;
}

std::shared_ptr<const Game> SolutionJudge::game_of(const Json& solution) {
  const Json& problem = solution.at("problem");
  auto game = make_game(to_word(problem.at("kind"), "problem.kind"), problem.at("params"), "problem.params");
  if (game->sleeps()) reject_field("problem", "found actions that may be missing from a round");
  return game;
}

void SolutionJudge::check_digest() {
  const Json* stated = in_.maybe("digest");
  if (!stated) {
    found_.recorded.push_back("that no byte was changed: the file has no digest");
    return;
  }
  Json rest = Json::object();
  for (const auto& [name, value] : file_.as_object()) {
    if (name != "digest" && name != "ok") rest.append(name, value);
  }
  Digest digest;
  digest.add(dump(rest));
  if (to_word(*stated, "digest") != digest.hex())
    reject_field("digest",
                 "found " + stated->as_string() + ", expected " + digest.hex() + ": something in the file was changed");
}

void SolutionJudge::read_settings() {
  const double n = static_cast<double>(scenarios_.size());
  cap_ = in_.number("cap");
  if (!(cap_ <= 1 && cap_ * n >= 1 - 1e-12)) reject_field("cap", "found " + number_text(cap_) + ", expected 1/n to 1");
  const Json& from = file_.at("scenarios");
  if (const auto budget = from.find_number("budget"); budget && std::abs(cap_ * *budget - 1) > 1e-12)
    reject_field("cap", "found " + number_text(cap_) + ", expected one over the budget");
  regret_ = in_.flag("regret");
  tolerance_ = in_.number("tolerance", {1e-8, 1});
  slack_ = in_.number("slack", {0, 1e300});
  unit_ = scenarios_.unit();
  const double stated = in_.number("unit", unit_);
  if (std::abs(stated - unit_) > 1e-9 * unit_)
    reject_field("unit", "found " + number_text(stated) + ", expected " + number_text(unit_));
  table_ = game_->action_table(static_cast<std::uint64_t>(kMostScanned / n));
  if (!table_) {
    oracle_ = game_->oracles().front();
    if (auto limited = oracle_->limited(kSearchWork)) oracle_ = limited;
  }
}

std::vector<double> SolutionJudge::read_opponent(const Json& list, const std::string& field) const {
  std::vector<double> q(scenarios_.size(), 0.0);
  ExactTotal sum;
  for (const Json& entry : to_list(list, field)) {
    Fields fields(entry, field);
    const double probability = fields.number("probability");
    const std::string name = fields.word("scenario");
    fields.done();
    const auto place = scenarios_.place(name);
    if (!place) reject_field(field, "found the scenario \"" + name + "\", which there is not");
    if (!(probability > 0) || probability > cap_ + 1e-9 || q[*place] > 0)
      reject_field(field, "found the probability " + number_text(probability) + " of \"" + name +
                              "\", expected each scenario once, above 0 and at most " + number_text(cap_));
    q[*place] = probability;
    sum += probability;
  }
  if (std::abs(sum.value() - 1) > 1e-9)
    reject_field(field, "found probabilities with the sum " + number_text(sum.value()) + ", expected 1");
  // Their sum is 1 up to rounding; losses far from 0 must not feel the rest.
  for (double& probability : q) probability /= sum.value();
  return q;
}

SolutionJudge::Mixture SolutionJudge::read_mixture(const Json& list, const std::string& field) const {
  Mixture mixture;
  std::set<AnyAction> seen;
  ExactTotal sum;
  for (const Json& entry : to_list(list, field)) {
    Fields fields(entry, field);
    const double probability = fields.number("probability");
    AnyAction action = game_->parse_action(fields.need("action"), field + ".action");
    for (const auto& [name, to] : {std::pair("worst", &mixture.worst), std::pair("average", &mixture.average)})
      to->push_back(fields.has(name) ? fields.number(name) : std::numeric_limits<double>::quiet_NaN());
    fields.maybe("name");
    fields.done();
    if (!(probability > 0)) reject_field(field, "found the probability " + number_text(probability));
    if (!game_->allows(action) || !seen.insert(action).second)
      reject_field(field, "found an action twice, or none of the problem's: " + dump(entry.at("action")));
    mixture.actions.push_back(std::move(action));
    mixture.probabilities.push_back(probability);
    sum += probability;
  }
  if (std::abs(sum.value() - 1) > 1e-9)
    reject_field(field, "found probabilities with the sum " + number_text(sum.value()) + ", expected 1");
  // Losses far from 0 must not feel the rounding of the sum.
  for (double& probability : mixture.probabilities) probability /= sum.value();
  return mixture;
}

void SolutionJudge::read_mixtures() {
  strategy_ = read_mixture(in_.need("strategy"), "strategy");
  opponent_ = read_opponent(in_.need("opponent"), "opponent");
  lower_ = in_.number("lower");
  upper_ = in_.number("upper");
  found_.checked.push_back("actions of the problem, each once, with probabilities that sum to 1");
}

// By scenario, without bases.
std::vector<double> SolutionJudge::mixed_losses(const Mixture& mixture) const {
  std::vector<ExactTotal> sums(scenarios_.size());
  for (std::size_t i = 0; i < mixture.actions.size(); ++i) {
    const auto row = scenarios_.losses(mixture.actions[i]);
    for (std::size_t g = 0; g < row.size(); ++g) sums[g] += mixture.probabilities[i] * row[g];
    const Losses alone = less_bases(row);
    if (!std::isnan(mixture.worst[i])) expect("strategy.worst", mixture.worst[i], worst_of(alone));
    if (!std::isnan(mixture.average[i])) expect("strategy.average", mixture.average[i], average_of(alone));
  }
  std::vector<double> losses;
  losses.reserve(sums.size());
  for (const ExactTotal& sum : sums) losses.push_back(sum.value());
  return losses;
}

SolutionJudge::Search SolutionJudge::least(const std::vector<double>& weights) const {
  return least_of(scenarios_.mixed(weights));
}

SolutionJudge::Search SolutionJudge::least_of(const WeightedOutcomes& set) const {
  if (table_) {
    std::vector<ExactTotal> totals(table_->size());
    std::vector<double> lost(table_->size());
    for (const auto& [y, weight] : set) {
      table_->losses(y, lost);
      for (std::size_t k = 0; k < lost.size(); ++k) totals[k] += weight * lost[k];
    }
    double best = std::numeric_limits<double>::infinity();
    for (const ExactTotal& total : totals) best = std::min(best, total.value());
    return {best, best};
  }
  const double scale = unit_of(unit_);
  const auto data = oracle_->empty(), nothing = oracle_->empty();
  for (const auto& [y, weight] : set) data->add(y, weight / scale);
  const auto answer = oracle_->best({*data, *nothing, 0.0}, 0);
  const double value = answer.value * scale;
  return {value, answer.proven() ? value : answer.floor * scale};
}

void SolutionJudge::find_bases() {
  low_.assign(scenarios_.size(), 0.0);
  high_ = low_;
  if (!regret_) return;
  bool open = false;
  std::vector<double> alone(scenarios_.size(), 0.0);
  for (std::size_t g = 0; g < alone.size(); ++g) {
    alone[g] = 1;
    const Search base = least(alone);
    alone[g] = 0;
    low_[g] = base.floor;
    high_[g] = base.value;
    open = open || base.floor < base.value;
  }
  found_.checked.push_back("the least loss of every scenario, searched again");
  if (open) found_.trusted.push_back("the least losses of some scenarios, to the gap that a search left");
}

SolutionJudge::Losses SolutionJudge::less_bases(const std::vector<double>& losses) const {
  Losses both{losses, losses};
  for (std::size_t g = 0; g < losses.size(); ++g) {
    both.low[g] -= high_[g];
    both.high[g] -= low_[g];
  }
  return both;
}

void SolutionJudge::check_upper() {
  mixture_ = less_bases(mixed_losses(strategy_));
  const Between own = worst_of(mixture_);
  if (upper_ < own.low - window(own.low))
    reject_field("upper", "found " + number_text(upper_) + ", expected at least " + number_text(own.low));
  if (upper_ < own.high - window(own.high)) found_.trusted.push_back("upper, to the gap of the least losses");
  found_.checked.push_back("the worst case of the mixture, " + number_text(own.high) + ", by its losses in " +
                           std::to_string(scenarios_.size()) + " scenarios");
}

void SolutionJudge::check_lower() {
  const Search search = least(opponent_);
  const double floor = search.floor - product(opponent_, high_), value = search.value - product(opponent_, low_);
  if (lower_ > value + window(value))
    reject_field("lower", "found " + number_text(lower_) + ", expected at most " + number_text(value) +
                              ": an action is as good as that against the opponent's mixture");
  if (lower_ > floor + window(floor)) {
    found_.trusted.push_back("lower: the search proves " + number_text(floor) + " again, not " + number_text(lower_));
  } else {
    found_.checked.push_back("that no action is below lower against the opponent's mixture, by " +
                             (table_ ? "looking at all " + std::to_string(table_->size()) + " actions"
                                     : "a new search of " + oracle_->name()));
  }
}

void SolutionJudge::check_average() {
  const double average = in_.number("average");
  expect("average", average, average_of(mixture_));
  const Json* bound = in_.maybe("average_lower");
  const Json* witness = in_.maybe("average_opponent");
  if (!bound) return;
  const double stated = to_number(*bound, "average_lower", {-std::numeric_limits<double>::infinity(), 1e300});
  if (stated > average + window(average))
    reject_field("average_lower", "found " + number_text(stated) + ", expected at most the average");
  if (std::isinf(stated)) return;
  if (!witness || witness->is_null()) {
    found_.trusted.push_back("average_lower, which comes without the mixture that proves it");
    return;
  }
  Fields fields(*witness, "average_opponent");
  const double price = fields.number("price", {0, 1e300});
  const Json& list = fields.need("mixture");
  fields.done();
  std::vector<double> weights = scenarios_.shares();
  if (price > 0) {
    const auto q = read_opponent(list, "average_opponent");
    for (std::size_t g = 0; g < q.size(); ++g) weights[g] += price * q[g];
  }
  const Search search = least(weights);
  const double limit = std::max(upper_, worst_of(mixture_).high);
  const double slack = (1 + price) * 1e-8 * std::max(unit_, std::abs(limit));
  const double floor = search.floor - product(weights, high_) - price * limit;
  const double value = search.value - product(weights, low_) - price * limit;
  if (stated > value + slack)
    reject_field("average_lower", "found " + number_text(stated) + ", expected at most " + number_text(value));
  if (stated > floor + slack) {
    found_.trusted.push_back("average_lower: the search proves " + number_text(floor) + " again");
  } else {
    found_.checked.push_back("that no mixture with this worst case has an average below average_lower");
  }
}

void SolutionJudge::check_gap() {
  found_.open = in_.flag("open");
  stopped_ = in_.word("stopped", found_.open ? "limit" : "closed");
  if ((stopped_ == "closed") == found_.open || (stopped_ != "closed" && stopped_ != "oracle" && stopped_ != "limit"))
    reject_field("stopped", "found \"" + stopped_ + "\" with open " + (found_.open ? "true" : "false"));
  const double allowed = tolerance_ * unit_ + slack_ + 1e-8 * std::max(unit_, std::abs(upper_));
  if (!found_.open && upper_ - lower_ > allowed)
    reject_field("open", "found a gap of " + number_text(upper_ - lower_) + " that is not said to be open, expected " +
                             "at most " + number_text(allowed));
  if (lower_ > upper_ + window(upper_)) reject_field("lower", "found a lower bound above the upper one");
}

bool is_solution(const Json& value) { return value.is_object() && value.find("solution") != nullptr; }

SolutionVerification verify_solution(const Json& solution, const std::string& name, const SolutionRows& rows) {
  try {
    return SolutionJudge(solution, rows).run();
  } catch (const Error& e) {
    // What is wrong with a field is a reason to reject; how the data is read is not the file's fault.
    const bool of_data = e.at().find(':') != std::string::npos || e.at().starts_with('-') || exit_status(e.code()) == 1;
    if (of_data && e.code() != Code::kRejected) throw;
    throw Error(Code::kRejected, e.message(), name + (e.at().empty() ? "" : ": " + e.at()));
  }
}

}  // namespace hannan::detail

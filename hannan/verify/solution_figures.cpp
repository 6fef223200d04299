// The figures of a solution beside its two sides: single actions, lists of scenarios, the frontier, what is said of the
// gain of groups. Formulas as docs/solve.md states them, written a second time.
#include <limits>

#include "hannan/core/error.hpp"
#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/solution_judge.hpp"

namespace hannan::detail {

void SolutionJudge::check_single(const char* field, Losses& losses) {
  const Json* stated = in_.maybe(field);
  if (!stated) return;
  Fields fields(*stated, field);
  const AnyAction action = game_->parse_action(fields.need("action"), std::string(field) + ".action");
  if (!game_->allows(action)) reject_field(field, "found no action of the problem");
  losses = less_bases(scenarios_.losses(action));
  expect(std::string(field) + ".worst", fields.number("worst"), worst_of(losses));
  if (fields.has("average")) expect(std::string(field) + ".average", fields.number("average"), average_of(losses));
  fields.maybe("name");
  fields.done();
}

void SolutionJudge::check_singles() {
  check_single("best_single", single_);
  check_single("best_average", mean_);
  if (!table_ || (single_.low.empty() && mean_.low.empty())) {
    if (!single_.low.empty()) found_.recorded.push_back("that no other action met was a better single one");
    return;
  }
  double least_worst = std::numeric_limits<double>::infinity(), least_average = least_worst;
  table_->each([&](const AnyAction& x) {
    const Losses losses = less_bases(scenarios_.losses(x));
    least_worst = std::min(least_worst, largest_mean(losses.high, cap_));
    least_average = std::min(least_average, product(scenarios_.shares(), losses.high));
  });
  if (!single_.low.empty() && worst_of(single_).low > least_worst + window(least_worst))
    reject_field("best_single",
                 "found an action with a worst case above " + number_text(least_worst) + ", which another one has");
  if (!mean_.low.empty() && average_of(mean_).low > least_average + window(least_average))
    reject_field("best_average",
                 "found an action with an average above " + number_text(least_average) + ", which another one has");
  found_.checked.push_back("that no single action is better in the worst case, or on average, than those named");
}

void SolutionJudge::check_lists() {
  if (const Json* list = in_.maybe("worst")) {
    ExactTotal shares, sum;
    for (const Json& entry : to_list(*list, "worst")) {
      Fields fields(entry, "worst");
      const auto place = scenarios_.place(fields.word("scenario"));
      if (!place) reject_field("worst", "found a scenario that there is not");
      const double loss = fields.number("loss"), share = fields.number("share", {0, cap_ + 1e-9});
      fields.done();
      expect("worst.loss", loss, {mixture_.low[*place], mixture_.high[*place]});
      shares += share;
      sum += share * loss;
    }
    const bool all = std::abs(shares.value() - 1) <= 1e-9;
    if (!all && list->size() < 20) reject_field("worst", "found shares that do not sum to 1");
    if (all) expect("worst", sum.value(), worst_of(mixture_));
  }
  if (const Json* list = in_.maybe("losses")) {
    if (list->size() > 0 && list->size() != scenarios_.size()) reject_field("losses", "found not all scenarios");
    for (std::size_t g = 0; g < list->size(); ++g) {
      Fields fields((*list)[g], "losses");
      if (fields.word("scenario") != scenarios_.names()[g]) reject_field("losses", "found another scenario");
      expect("losses", fields.number("loss"), {mixture_.low[g], mixture_.high[g]});
      if (!single_.low.empty()) expect("losses", fields.number("best_single"), {single_.low[g], single_.high[g]});
      if (!mean_.low.empty()) expect("losses", fields.number("best_average"), {mean_.low[g], mean_.high[g]});
      fields.done();
    }
  }
  check_frontier();
  check_trace();
  if (const Json* work = in_.maybe("work")) {
    Fields fields(*work, "work");
    for (const char* count : {"rounds", "oracle_calls", "nodes", "actions", "responses"})
      fields.integer(count, kNatural);
    fields.done();
    found_.recorded.push_back("the work that was done");
  }
}

// A point without its mixture is only held against the order of the others.
void SolutionJudge::check_frontier() {
  const Json* list = in_.maybe("frontier");
  if (!list) return;
  double slack = 0, average = std::numeric_limits<double>::infinity();
  bool recorded = false;
  const double first = to_list(*list, "frontier").empty() ? 0.0 : (*list)[0].at("worst").as_number();
  for (std::size_t i = 0; i < list->size(); ++i) {
    Fields fields((*list)[i], "frontier");
    const double here = fields.number("slack", {0, 1e300}), worst = fields.number("worst"),
                 mean = fields.number("average");
    if (const Json* strategy = fields.maybe("strategy")) {
      points_.push_back(read_mixture(*strategy, "frontier"));
      const Losses losses = less_bases(mixed_losses(points_.back()));
      expect("frontier", worst, worst_of(losses));
      expect("frontier", mean, average_of(losses));
    } else {
      recorded = true;
    }
    fields.done();
    if (here < slack || mean > average + window(mean)) reject_field("frontier", "found points that are not in order");
    if (worst < lower_ - window(lower_)) reject_field("frontier", "found a worst case below the lower bound");
    // Equal steps from nothing to the worst case of the best on average.
    const double step = (*list)[list->size() - 1].at("slack").as_number() * static_cast<double>(i) /
                        static_cast<double>(std::max<std::size_t>(1, list->size() - 1));
    if (std::abs(here - (list->size() == 1 ? 0.0 : step)) > window(worst) || worst > first + here + 10 * window(worst))
      reject_field("frontier", "found steps that are not equal, or a worst case beyond its step");
    if (i == 0 && slack_ == 0) {
      expect("frontier", worst, worst_of(mixture_));
      expect("frontier", mean, average_of(mixture_));
    }
    slack = here;
    average = mean;
  }
  if (recorded) found_.recorded.push_back("points of the frontier that come without their mixtures");
}

void SolutionJudge::check_trace() {
  const Json* list = in_.maybe("trace");
  if (!list) return;
  double round = 0, lower = -std::numeric_limits<double>::infinity(), upper = -lower;
  for (const Json& entry : to_list(*list, "trace")) {
    const auto numbers = to_numbers(entry, "trace", kExtended);
    if (numbers.size() != 3 || !(numbers[0] > round) || numbers[1] < lower || numbers[2] > upper)
      reject_field("trace", "found rounds, bounds or their order that a search does not give");
    round = numbers[0];
    lower = numbers[1];
    upper = numbers[2];
  }
  found_.recorded.push_back("the bounds of earlier rounds");
}

// (worst of the best on average - upper) over the standard error of the rows' differences in the group that is worst
// for the best on average.
double SolutionJudge::own_errors() const {
  const auto largest = std::max_element(mean_.high.begin(), mean_.high.end());
  const auto g = static_cast<std::size_t>(largest - mean_.high.begin());
  const AnyAction best = game_->parse_action(file_.at("best_average").at("action"), "best_average.action");
  ExactTotal mean, square;
  std::vector<std::pair<double, double>> differences;
  for (const auto& [y, part] : scenarios_.group(g)) {
    double difference = game_->loss(best, *y);
    for (std::size_t i = 0; i < strategy_.actions.size(); ++i)
      difference -= strategy_.probabilities[i] * game_->loss(strategy_.actions[i], *y);
    differences.emplace_back(part, difference);
    mean += part * difference;
  }
  for (const auto& [part, difference] : differences)
    square += part * (difference - mean.value()) * (difference - mean.value());
  const double rows = static_cast<double>(scenarios_.rows()[g]);
  return (worst_of(mean_).high - worst_of(mixture_).high) / std::sqrt(square.value() / (rows - 1));
}

// max over groups of the mean and r sqrt(ln(2 K n / 0.05) / (2 rows)).
double SolutionJudge::own_fresh() const {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < scenarios_.size(); ++g) {
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (const auto& [y, part] : scenarios_.group(g)) {
      const LossSpread spread = game_->spread(*y);
      least = std::min(least, spread.least);
      largest = std::max(largest, spread.most);
    }
    const double range = game_->loss_range() == LossRange::kUnitInterval ? 1 : largest - least;
    const double pairs = game_->ln_size() + std::log(2 * static_cast<double>(scenarios_.size()) / 0.05);
    most =
        std::max(most, mixture_.high[g] + range * std::sqrt(pairs / (2 * static_cast<double>(scenarios_.rows()[g]))));
  }
  return most;
}

std::vector<double> SolutionJudge::held_losses(const Mixture& mixture) const {
  std::vector<double> losses(scenarios_.size(), 0.0);
  for (std::size_t i = 0; i < mixture.actions.size(); ++i) {
    const auto row = scenarios_.held_losses(mixture.actions[i]);
    for (std::size_t g = 0; g < row.size(); ++g) losses[g] += mixture.probabilities[i] * row[g];
  }
  return losses;
}

void SolutionJudge::check_held(const Json& held) {
  Fields fields(held, "gain.held");
  const auto same = [&](double stated, double own) { expect("gain.held", stated, {own, own}); };
  const auto figures = [&](const char* worst, const char* average, const std::vector<double>& losses) {
    if (fields.has(worst)) same(fields.number(worst), largest_mean(losses, cap_));
    if (fields.has(average)) same(fields.number(average), product(scenarios_.held_shares(), losses));
  };
  const auto list = [&](const char* field, const std::vector<double>& losses) {
    if (!fields.has(field)) return;
    const auto stated = fields.numbers(field);
    if (stated.size() != losses.size()) reject_field("gain.held", "found not a loss for each group");
    for (std::size_t g = 0; g < losses.size(); ++g) same(stated[g], losses[g]);
  };
  const auto of = [&](const char* field) {
    return scenarios_.held_losses(game_->parse_action(file_.at(field).at("action"), field));
  };
  const auto mixture = held_losses(strategy_), mean = of("best_average");
  figures("worst", "average", mixture);
  figures("worst_best_single", "average_best_single", of("best_single"));
  figures("worst_best_average", "average_best_average", mean);
  list("losses", mixture);
  list("losses_best_average", mean);
  if (fields.has("rows")) {
    const auto rows = fields.integers("rows", kNatural);
    if (!std::equal(rows.begin(), rows.end(), scenarios_.held_rows().begin(), scenarios_.held_rows().end(),
                    [](std::int64_t a, std::uint64_t b) { return static_cast<std::uint64_t>(a) == b; }))
      reject_field("gain.held", "found other numbers of held rows");
  }
  if (fields.has("frontier")) {
    const auto points = fields.matrix("frontier");
    if (points.size() != points_.size()) reject_field("gain.held", "found not a point for each of the frontier");
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto losses = held_losses(points_[i]);
      if (points[i].size() != 2) reject_field("gain.held", "found a point that is no pair");
      same(points[i][0], largest_mean(losses, cap_));
      same(points[i][1], product(scenarios_.held_shares(), losses));
    }
  }
  fields.done();
  found_.checked.push_back("the figures on rows that were held");
}

void SolutionJudge::check_gain() {
  const Json* gain = in_.maybe("gain");
  if (!gain || gain->is_null()) return;
  Fields fields(*gain, "gain");
  const Json *errors = fields.maybe("errors"), *fresh = fields.maybe("fresh"), *held = fields.maybe("held"),
             *rows = fields.maybe("rows");
  fields.done();
  if (scenarios_.rows().empty() || mean_.low.empty() || regret_) {
    found_.recorded.push_back("what is said of the gain");
    return;
  }
  if (rows) {
    const auto stated = to_integers(*rows, "gain.rows", kNatural);
    if (!std::equal(stated.begin(), stated.end(), scenarios_.rows().begin(), scenarios_.rows().end(),
                    [](std::int64_t a, std::uint64_t b) { return static_cast<std::uint64_t>(a) == b; }))
      reject_field("gain.rows", "found other numbers of rows");
  }
  if (errors && !errors->is_null()) {
    const double own = own_errors(), stated = to_number(*errors, "gain.errors");
    // A quotient of two small differences has few digits.
    if (std::abs(stated - own) > 1e-6 * std::max(1.0, std::abs(own)))
      reject_field("gain.errors", "found " + number_text(stated) + ", expected " + number_text(own));
  }
  if (fresh && !fresh->is_null()) {
    const double own = own_fresh();
    expect("gain.fresh", to_number(*fresh, "gain.fresh"), {own, own});
  }
  if (held && !held->is_null()) {
    if (!scenarios_.has_held()) reject_field("gain.held", "found figures of held rows, and none were held");
    check_held(*held);
  }
}

}  // namespace hannan::detail

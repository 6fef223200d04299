// The figures of a solution beside its two sides: single actions, lists of scenarios, the frontier, what is said of the
// gain of groups. Formulas as docs/solve.md states them, written a second time.
#include <bit>
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
  // The last step is all the way to the best on average.
  if (list->size() > 0 && !mean_.low.empty()) {
    const double end = worst_of(mean_).high;
    if (std::abs(slack - std::max(0.0, end - first)) > 10 * window(end))
      reject_field("frontier", "found a last step that does not end with the best on average");
  }
  if (recorded) found_.recorded.push_back("points of the frontier that come without their mixtures");
}

void SolutionJudge::check_trace() {
  const Json* list = in_.maybe("trace");
  if (!list) return;
  double round = 0, lower = -std::numeric_limits<double>::infinity(), upper = -lower;
  // A search ends with the first round whose bounds are this close; 1e-9 is for the unit, which is computed again.
  const double closed = tolerance_ * unit_ * (1 - 1e-9);
  for (const Json& entry : to_list(*list, "trace")) {
    const auto numbers = to_numbers(entry, "trace", kExtended);
    const bool last = &entry == &(*list)[list->size() - 1];
    const auto number = static_cast<std::uint64_t>(numbers.empty() ? 0.0 : std::clamp(numbers[0], 0.0, 1e9));
    // After rounds 1, 2, 4, ... and the last one.
    const bool due = last || std::has_single_bit(number);
    if (numbers.size() != 3 || !due || static_cast<double>(number) != numbers[0] || !(numbers[0] > round) ||
        numbers[1] < lower || numbers[2] > upper)
      reject_field("trace", "found rounds, bounds or their order that a search does not give");
    if (round > 0 && upper - lower <= closed)
      reject_field("tolerance", "found " + number_text(tolerance_) + ", with which the search ends in round " +
                                    number_text(round) + ", and the trace goes on");
    round = numbers[0];
    lower = numbers[1];
    upper = numbers[2];
  }
  if (list->size() == 0) return;
  last_round_ = round;
  const double slack = 1e-8 * std::max(unit_, std::abs(upper));
  // The file may claim less than its last round, never more. The mixture that is kept is one of least average within
  // the worst case of the search: without slack its own worst case is the same up to rounding, or smaller.
  if (lower_ > lower + window(lower))
    reject_field("lower", "found " + number_text(lower_) + ", expected at most that of the last round of the trace");
  if (slack_ == 0 && worst_of(mixture_).low > upper + slack)
    reject_field("trace", "found an upper bound below the worst case of the mixture");
  if (upper < lower_ - slack) reject_field("trace", "found an upper bound below the lower one of the file");
  if (stopped_ == "closed" && upper - lower > tolerance_ * unit_ + slack)
    reject_field("trace", "found bounds that do not meet, of a search that is said to have closed");
  found_.recorded.push_back("the bounds of earlier rounds, which are in order and fit the last ones");
}

void SolutionJudge::check_work() {
  const Json* work = in_.maybe("work");
  if (!work) return;
  Fields fields(*work, "work");
  const auto count = [&](const char* name) { return static_cast<double>(fields.integer(name, kNatural)); };
  const double rounds = count("rounds"), calls = count("oracle_calls"), nodes = count("nodes"),
               actions = count("actions"), responses = count("responses");
  fields.done();
  // One call a round; an action is met by a call, and a response follows a programme.
  if (last_round_ && rounds != *last_round_) reject_field("work.rounds", "found another number than the trace's last");
  if (rounds < 1 || calls < rounds || actions > calls || actions < static_cast<double>(strategy_.actions.size()))
    reject_field("work", "found counts of calls, rounds and actions that contradict each other");
  if (responses < 1 || (nodes > 0 && calls == 0)) reject_field("work", "found responses or nodes that no search has");
  found_.recorded.push_back("the work that was done, as far as its counts do not contradict each other");
}

void SolutionJudge::check_origin() {
  if (const Json* program = in_.maybe("program")) {
    if (to_word(*program, "program").empty()) reject_field("program", "found no name");
    found_.recorded.push_back("the program that made it, \"" + program->as_string() + "\"");
  }
  const Json *oracle = in_.maybe("oracle"), *claims = in_.maybe("claims");
  bool proves = true;  // what it says, without claims
  if (oracle) {
    const std::string name = to_word(*oracle, "oracle");
    const bool users = name.starts_with("external") || name.starts_with("own:");
    proves = false;
    bool known = users;
    for (const auto& one : game_->oracles()) {
      if (name.substr(0, name.find(':')) != one->name()) continue;
      known = true;
      proves = one->claims().empty();
    }
    if (!known) reject_field("oracle", "found \"" + name + "\", which is no oracle of the problem");
  }
  if (claims && !claims->is_null() && (proves || to_word(*claims, "claims").empty()))
    reject_field("claims", "found claims of an oracle that proves what it says, expected null");
  if (oracle) found_.recorded.push_back("which oracle was asked");
  const Json* money = in_.maybe("money");
  if (!money || money->is_null()) return;
  Fields fields(*money, "money");
  const bool reward = fields.flag("reward");
  const double origin = fields.number("origin");
  fields.number("unit", {std::numeric_limits<double>::min(), 1e300});
  for (const char* said : {"currency", "owners"}) fields.maybe(said);
  fields.done();
  if (!game_->money() || reward != (game_->form() == Form::kReward) ||
      origin != (game_->loss_range() == LossRange::kUnitInterval ? 1 : 0))
    reject_field("money", "found another sign or origin of amounts than the problem's");
  found_.recorded.push_back("what a loss of 1 is in money, and its currency");
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

// The least loss of every group on its held rows, where losses are counted from it.
void SolutionJudge::find_held_bases() {
  held_low_.assign(scenarios_.size(), 0.0);
  held_high_ = held_low_;
  if (!regret_) return;
  for (std::size_t g = 0; g < held_low_.size(); ++g) {
    const Search base = least_of(scenarios_.held_group(g));
    held_low_[g] = base.floor;
    held_high_[g] = base.value;
  }
}

SolutionJudge::Losses SolutionJudge::less_held_bases(const std::vector<double>& losses) const {
  Losses both{losses, losses};
  for (std::size_t g = 0; g < losses.size(); ++g) {
    both.low[g] -= held_high_[g];
    both.high[g] -= held_low_[g];
  }
  return both;
}

SolutionJudge::Losses SolutionJudge::held_losses(const Mixture& mixture) const {
  std::vector<double> losses(scenarios_.size(), 0.0);
  for (std::size_t i = 0; i < mixture.actions.size(); ++i) {
    const auto row = scenarios_.held_losses(mixture.actions[i]);
    for (std::size_t g = 0; g < row.size(); ++g) losses[g] += mixture.probabilities[i] * row[g];
  }
  return less_held_bases(losses);
}

void SolutionJudge::check_held(const Json& held) {
  find_held_bases();
  Fields fields(held, "gain.held");
  const auto same = [&](double stated, const Between& own) { expect("gain.held", stated, own); };
  const auto average = [&](const Losses& of) {
    return Between{product(scenarios_.held_shares(), of.low), product(scenarios_.held_shares(), of.high)};
  };
  const auto figures = [&](const char* worst, const char* mean, const Losses& losses) {
    if (fields.has(worst)) same(fields.number(worst), worst_of(losses));
    if (fields.has(mean)) same(fields.number(mean), average(losses));
  };
  const auto list = [&](const char* field, const Losses& losses) {
    if (!fields.has(field)) return;
    const auto stated = fields.numbers(field);
    if (stated.size() != losses.low.size()) reject_field("gain.held", "found not a loss for each group");
    for (std::size_t g = 0; g < stated.size(); ++g) same(stated[g], {losses.low[g], losses.high[g]});
  };
  const auto of = [&](const char* field) {
    return less_held_bases(scenarios_.held_losses(game_->parse_action(file_.at(field).at("action"), field)));
  };
  const Losses mixture = held_losses(strategy_), mean = of("best_average");
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
      same(points[i][0], worst_of(losses));
      same(points[i][1], average(losses));
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
  if (scenarios_.rows().empty() || mean_.low.empty()) {
    found_.recorded.push_back("what is said of the gain");
    return;
  }
  if (regret_ && fresh && !fresh->is_null())
    reject_field("gain.fresh", "found a number, expected null: the bases of regret come from the same rows");
  if (rows) {
    const auto stated = to_integers(*rows, "gain.rows", kNatural);
    if (!std::equal(stated.begin(), stated.end(), scenarios_.rows().begin(), scenarios_.rows().end(),
                    [](std::int64_t a, std::uint64_t b) { return static_cast<std::uint64_t>(a) == b; }))
      reject_field("gain.rows", "found other numbers of rows");
  }
  // With a search that left the bases open the group that is worst is not known.
  if (regret_ && low_ != high_) {
    found_.recorded.push_back("the gain in standard errors");
  } else if (errors && !errors->is_null()) {
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

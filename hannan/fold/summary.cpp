// Thin over HistorySums: it adds the number of rounds, the largest range (which sets the window of ties) and the
// weights' limit. best() gives the sums back to the oracle as a history, so that its answer is that of one pass over
// all outcomes, but for rounding that is now exact.
#include "hannan/fold/summary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/choose_named.hpp"
#include "hannan/core/error.hpp"
#include "hannan/fold/outcome_list.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/choose_oracle.hpp"
#include "hannan/runtime/best_answer.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace {

// Sums have the form of one oracle's history. An oracle outside of the program has no such form.
std::shared_ptr<const GameOracle> own_oracle(const std::shared_ptr<const AnyProblem>& problem,
                                             const std::string& name) {
  const Game& game = problem->game();
  if (name.starts_with("external") || name.starts_with("own:"))
    throw Error(Code::kUnavailable,
                "found an oracle from outside, expected one of the problem's own: sums are kept in the form that it "
                "searches; leave --oracle out",
                "oracle");
  const std::string chosen = detail::split_oracle_name(name).name;
  if (chosen == kOutcomeList) return outcome_list_oracle({problem, &game}, game.oracles().front());
  return choose_named(game.oracles(), chosen, "oracle");
}

bool knows_no_range(const AnyProblem& problem) { return problem.game().loss_range() == LossRange::kUnknown; }

// Whether the largest range is written: where losses lie in [0,1] only one that changes the tie window is, and sums
// that do not say it have a range of 1.
bool writes_range(const AnyProblem& problem, const GameOracle& oracle, double range) {
  return oracle.scales() && (knows_no_range(problem) || range <= 0.5);
}

// Throws kOutOfRange where absolute weights add up to too much.
void expect_weight(double sum, const std::string& path) { limits::WeightSum().add(sum, path); }

// What sums that do not say their weights have.
ExactSums weights_of_ones(std::uint64_t rounds) {
  ExactSums weights(1);
  weights.add(0, static_cast<double>(rounds));
  return weights;
}

}  // namespace

Summary::Summary(std::shared_ptr<const AnyProblem> problem, const std::string& oracle)
    : problem_(std::move(problem)), oracle_(own_oracle(problem_, oracle)), sums_(oracle_) {}

// Checks come before any change: an outcome that is refused leaves the sums as they were.
void Summary::add(const AnyOutcome& y, double weight) {
  if (weight < 0 && !oracle_->takes_negative_weights())
    throw Error(Code::kUnavailable, "oracle \"" + oracle() + "\" takes no negative weights", "weights");
  expect_weight(weights_.value(0) + std::abs(weight), "weights");
  sums_.add(y, weight);
  weights_.add(0, std::abs(weight));
  range_.add(problem_->game(), y, weight);
  ++rounds_;
}

// Sums of the same problem, the same parameters and the same oracle, compared by their JSON.
void Summary::add(const Summary& other, const std::string& path) {
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw Error(kOtherSums, "found sums of " + found + ", expected those of " + expected, path);
  };
  if (other.problem_ != problem_ && other.problem_->kind() != problem_->kind())
    refuse(std::string(other.problem_->kind()), std::string(problem_->kind()));
  if (other.problem_ != problem_ && other.problem_->params() != problem_->params())
    refuse("the parameters " + dump(other.problem_->params()), dump(problem_->params()));
  if (other.oracle() != oracle()) refuse("the oracle \"" + other.oracle() + "\"", "\"" + oracle() + "\"");
  expect_weight(weights_.value(0) + other.weights_.value(0), path);
  weights_.add(other.weights_);
  sums_.add(other.sums_);
  rounds_ += other.rounds_;
  range_.add(other.range_);
}

// Fields that have their usual value are left out, so that sums of plain outcomes stay short.
Json Summary::json() const {
  Json json = Json::object(
      {{"problem", problem_->kind()}, {"params", problem_->params()}, {"oracle", oracle()}, {"rounds", rounds_}});
  if ((rounds_ > 0 || knows_no_range(*problem_)) && writes_range(*problem_, *oracle_, range_.value()))
    json.set("range", range_.value());
  if (weights_.written(0) != weights_of_ones(rounds_).written(0)) json.set("weights", sums_json(weights_));
  const Json sums = sums_.json();
  return json.set("numbers", sums.at("numbers")).set("lists", sums.at("lists"));
}

// The last step builds a history and drops it again: it is the check that the sums are those of some outcomes.
Summary Summary::read(const Json& json, const std::string& path) {
  try {
    Fields in(json, path);
    const std::string kind = in.word("problem");
    Summary made(make_problem(kind, in.need("params"), in.at("params")), in.word("oracle"));
    made.rounds_ = static_cast<std::uint64_t>(in.integer("rounds", kNatural));
    const double unsaid = knows_no_range(made.problem()) || made.rounds_ == 0 ? 0.0 : 1.0;
    made.range_ = SeenRange(in.number("range", Interval{0, kSavedNumbers.hi}, unsaid));
    if (const Json* weights = in.maybe("weights")) {
      add_sums(*weights, in.at("weights"), made.weights_);
      if (made.weights_.value(0) < 0)
        throw Error(Code::kOutOfRange, "found a sum below 0 of absolute weights", in.at("weights"));
    } else {
      made.weights_ = weights_of_ones(made.rounds_);
    }
    expect_weight(made.weights_.value(0), in.at("weights"));
    made.sums_.add(Json::object({{"numbers", in.need("numbers")}, {"lists", in.need("lists")}}), path);
    in.done();
    made.sums_.history(path);
    return made;
  } catch (const Error& e) {
    throw Error(kPartDamaged, e.message() + "; make it once more from its outcomes", e.at());
  }
}

Json Summary::outcomes() const {
  if (oracle() != kOutcomeList)
    throw Error(Code::kUnavailable,
                "found sums for the oracle \"" + oracle() + "\", which hold no outcomes, expected those for \"" +
                    std::string(kOutcomeList) + "\": sum the outcomes with it",
                "oracle");
  return listed_outcomes_of(*history());
}

// `oracle` may add a limit of work to the oracle of the sums, and nothing else.
Json Summary::best(std::uint64_t keep, const std::string& oracle) const {
  if (rounds_ == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", "sums");
  auto searching = oracle_;
  if (!oracle.empty()) {
    const auto chosen = own_oracle(problem_, oracle);
    if (chosen->name() != this->oracle())
      throw Error(Code::kUnavailable,
                  "found sums for the oracle \"" + this->oracle() + "\", expected those for \"" + chosen->name() +
                      "\": sum the outcomes with it",
                  "oracle");
    searching = with_limit(chosen, oracle, "oracle");
  }
  // A history is searched by the oracle that made it; one with another limit has histories of the same type.
  const auto history = this->history();
  return best_answer(*searching, *history, {.range = range_.value(), .keep = keep});
}

}  // namespace hannan::detail

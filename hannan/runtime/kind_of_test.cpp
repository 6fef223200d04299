// Problems that offer no more than they must: everything works or says that it is unavailable.
#include "hannan/runtime/kind_of.hpp"

#include <cmath>
#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hannan/check/check_outcomes.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/runtime/turns.hpp"
#include "hannan/streams/market_source.hpp"

namespace hannan::detail {

// Guess one of three doors; the outcome says behind which one nothing is. No rows, no list of outcomes, no markets.
struct Doors {
  struct Outcome {
    int empty = 0;
    auto operator<=>(const Outcome&) const = default;
  };
  using Action = int;
  double loss(int x, const Outcome& y) const { return x == y.empty ? 1 : 0; }
  double ln_size() const { return std::log(3.0); }
  std::uint64_t size() const { return 3; }
  int action(std::uint64_t k) const { return static_cast<int>(k); }
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(int x, const Outcome& y) const { return loss(x, y); }
  static std::vector<std::shared_ptr<const Perturbation<Doors>>> perturbations(std::shared_ptr<const Doors> p) {
    OutcomeColumns<Doors>::Parts parts{
        .problem = p, .columns = {{{1.0, {0}}}, {{1.0, {1}}}, {{1.0, {2}}}}, .gamma = 1.0, .negative = nullptr};
    return {std::make_shared<const OutcomeColumns<Doors>>(std::move(parts))};
  }
  static std::vector<std::shared_ptr<const AnyOracle<Doors>>> oracles(std::shared_ptr<const Doors> p) {
    return {make_oracle("tabulate", std::move(p), Tabulate<Doors>{})};
  }
};

template <>
struct Codec<Doors> {
  static constexpr std::string_view kKind = "doors";
  static constexpr std::string_view kAbout = "one of three doors";
  static std::shared_ptr<const Doors> parse(Fields&) { return std::make_shared<const Doors>(); }
  static Json params(const Doors&) { return Json::object(); }
  static Json action_json(const Doors&, int x) { return Json(x); }
  static int parse_action(const Doors&, const Json& json, std::string_view path) {
    return static_cast<int>(to_integer(json, path, {0, 2}));
  }
  static Json outcome_json(const Doors&, const Doors::Outcome& y) { return Json(y.empty); }
  static Doors::Outcome parse_outcome(const Doors&, const Json& json, std::string_view path) {
    return {static_cast<int>(to_integer(json, path, {0, 2}))};
  }
};

// Two stocks, the outcome their two losses in [0,1]: rows, and no parameter at all.
struct Stocks {
  using Action = int;
  using Outcome = std::vector<double>;
  double loss(int x, const Outcome& y) const { return y[static_cast<std::size_t>(x)]; }
  double ln_size() const { return std::log(2.0); }
  std::uint64_t size() const { return 2; }
  int action(std::uint64_t k) const { return static_cast<int>(k); }
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(int x, const Outcome& y) const { return loss(x, y); }
  std::size_t row_width() const { return 2; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y.assign(row.begin(), row.end()); }
  static std::vector<std::shared_ptr<const Perturbation<Stocks>>> perturbations(std::shared_ptr<const Stocks> p) {
    OutcomeColumns<Stocks>::Parts parts{.problem = p, .columns = {{{1.0, {1, 0}}}}, .gamma = 1.0, .negative = nullptr};
    return {std::make_shared<const OutcomeColumns<Stocks>>(std::move(parts))};
  }
  static std::vector<std::shared_ptr<const AnyOracle<Stocks>>> oracles(std::shared_ptr<const Stocks> p) {
    return {make_oracle("tabulate", std::move(p), Tabulate<Stocks>{})};
  }
};

template <>
struct Codec<Stocks> {
  static constexpr std::string_view kKind = "stocks";
  static constexpr std::string_view kAbout = "one of two stocks";
  static std::shared_ptr<const Stocks> parse(Fields&) { return std::make_shared<const Stocks>(); }
  static Json params(const Stocks&) { return Json::object(); }
  static Json action_json(const Stocks&, int x) { return Json(x); }
  static int parse_action(const Stocks&, const Json& json, std::string_view path) {
    return static_cast<int>(to_integer(json, path, {0, 1}));
  }
  static Json outcome_json(const Stocks&, const Stocks::Outcome& y) { return Json(y); }
  static Stocks::Outcome parse_outcome(const Stocks&, const Json& json, std::string_view path) {
    return to_numbers(json, path, kUnit);
  }
};

namespace kind_of_test {

static_assert(RegisteredProblem<Doors> && RegisteredProblem<Stocks>);
static_assert(!RegisteredProblem<Json>);

template <class P>
std::unique_ptr<AnyProblem> make() {
  return kind_of<P>().make(Json::object(), "params");
}

Code code_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& e) {
    return e.code();
  }
  return Code::kInternal;
}

TEST(MinimalProblem, IsPlayedSavedAndResumed) {
  const auto problem = make<Doors>();
  const auto learner = problem->learner("flipflop", Json::object({{"seed", 1}}));
  for (int t = 0; t < 20; ++t) learner->observe(Json(t % 3 == 0 ? 1 : 0), "outcome");
  EXPECT_EQ(dump(learner->report().at("best_action")), "2");
  EXPECT_EQ(problem->load(learner->save())->rounds(), 20u);
}

TEST(MinimalProblem, SaysWhatItDoesNotOffer) {
  const auto problem = make<Doors>();
  EXPECT_EQ(problem->row_width(), 0u);
  EXPECT_TRUE(problem->outcomes().is_null());
  EXPECT_FALSE(problem->game().simulates());
  const std::vector<double> row{1};
  AnyOutcome outcome;
  EXPECT_EQ(code_of([&] { problem->game().read_row(row, outcome); }), Code::kUnavailable);
  EXPECT_EQ(code_of([&] { market_source(problem->game(), {}); }), Code::kUnavailable);
  EXPECT_EQ(code_of([&] { problem->learner("fake-data", Json::object({{"rounds", 9}})); }), Code::kUnavailable);
  const ProblemKind kind = kind_of<Doors>();
  EXPECT_TRUE(kind.columns_param.empty() && kind.file_about.empty() && !kind.import && kind.instances.tested.empty());
}

TEST(MinimalProblem, IsCheckedOnItsDataSets) {
  const auto problem = make<Doors>();
  const OutcomeList list = problem->listed_outcomes("", 100);
  EXPECT_EQ(dump(list.outcomes), "[0,1,2]");
  EXPECT_EQ(list.words, "3 of the data sets");
}

TEST(ProblemOfRows, IsCheckedOnTheCornersWithoutALevelsParameter) {
  const auto problem = make<Stocks>();
  const OutcomeList list = problem->listed_outcomes("", 100);
  EXPECT_EQ(dump(list.outcomes), "[[1,0],[0,0],[0,1],[1,1]]");
  EXPECT_EQ(list.words, "1 of the data sets, all vectors of 0 and 1");
  CheckRequest request;
  request.outcomes = list.outcomes;
  EXPECT_EQ(problem->check(request, "").at("problem").as_string(), "stocks");
}

}  // namespace kind_of_test
}  // namespace hannan::detail

// Combined forecasts round by round, as the pipe and the service see them: JSON in, JSON out (docs/pipe.md, forecasts).
//
// A problem of the kind `forecasts` is the names of models and a loss; `combine` is its only learner, a Combiner
// (forecasts/combiner.hpp) with its numbers as JSON. Rounds are numbered from 1; several may be open, and actuals come
// in any order. A request that is refused changes nothing, but that an actual after its patience is counted.
// Cost of a round: that of the combiner, and its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/forecasts/combiner.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

inline constexpr std::string_view kForecastsKind = "forecasts", kCombineKind = "combine";

struct ForecastsProblem {
  CombinerPlan plan;  // models, further columns and loss; the members are the learner's
  Json params;        // every default filled in
};
// {models, loss, columns, clip}. Throws kMissingField, kUnknownName, kUnavailable, kOutOfRange, with paths below
// `path`.
ForecastsProblem forecasts_problem(const Json& params, const std::string& path);

// The best model and the best fixed mixture of complete rows, [{forecasts, outcome, weight}]:
// {model, value, mixture: {weights, value, floor}}.
Json best_of_forecasts(const ForecastsProblem& problem, const Json& data, const std::string& path);

// Whether a saved state says that it is of a problem of forecasts; nothing else of it is looked at.
bool is_combiner_state(const Json& state);

class CombineLearner {
 public:
  // {members, patience, by}.
  CombineLearner(const ForecastsProblem& problem, const Json& params, const std::string& path);
  // From what save() gave. kBadState where it does not fit.
  static CombineLearner load(const Json& state);

  const Json& params() const { return params_; }
  const ForecastsProblem& problem() const { return problem_; }
  const Combiner& combiner() const { return combiner_; }

  // The fields of a request; done() is called when all have been read.
  //   forecasts   a row each: a list with null where a model did not deliver, or an object by names
  //   context     a value for each column of `by`, a row each; may be left out where there is none
  //   weight      of each row; 1 unless given
  // {round, forecast, members, weights}. A round that is open answers the same again; kOutOfRange where other forecasts
  // are given for it, where it has settled, and where it is not the next.
  Json act(Fields& in);
  //   outcome     the actuals: one for each row, or for each of `rows`; null: it never comes
  //   forecasts   of a round that was not asked for: it is forecast and told at once
  // {loss, total, members, convex, settled}; loss is null while actuals of the round are waited for.
  Json observe(Fields& in);
  // Of all that has settled.
  Json report() const;
  Json save();

  // The rows that act() reads: forecasts, weights and contexts.
  struct Asked {
    std::vector<double> x, weight;  // x: models and further columns, row by row; NaN: not delivered
    std::vector<std::string> by;
    std::size_t rows = 0;
  };
  Asked read_request(const Json& request) const;

 private:
  Asked read_asked(const Json& forecasts, Fields& in) const;
  void read_row(const Json& row, const std::string& path, std::vector<double>& into) const;
  const CombinerRound& round_of(std::uint64_t id, const Asked& asked);
  bool same(const CombinerRound& round, const Asked& asked) const;
  void check_rows(std::uint64_t id, const std::vector<std::size_t>& rows);
  Json answer(const CombinerRound& round) const;
  Json member_totals() const;

  ForecastsProblem problem_;
  Json params_;
  Combiner combiner_;
};

}  // namespace hannan::detail

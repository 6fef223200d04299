// The extreme outcomes of a problem as JSON: its own, or the corners of its rows where it offers none.
#pragma once

#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/problems/extreme_rows.hpp"

namespace hannan {

namespace detail {

template <class P>
class OutcomesAsJson final : public ExtremeOutcomes<typename P::Outcome> {
 public:
  OutcomesAsJson(const P& problem, ExtremeOutcomes<Json>& into) : problem_(problem), into_(into) {}
  std::uint64_t left() const override { return into_.left(); }
  void add(const typename P::Outcome& y) override { into_.add(Codec<P>::outcome_json(problem_, y)); }
  void describe(const std::string& words) override { into_.describe(words); }

 private:
  const P& problem_;
  ExtremeOutcomes<Json>& into_;
};

template <class P>
class RowsAsJson final : public ExtremeRows {
 public:
  RowsAsJson(const P& problem, ExtremeOutcomes<Json>& into) : problem_(problem), into_(into) {}
  std::uint64_t left() const override { return into_.left(); }
  void add(const std::vector<double>& row) override {
    typename P::Outcome y{};
    try {
      outcome_from_row(problem_, row, y);
    } catch (const Error&) {
      return;  // a corner of the range that is no outcome
    }
    into_.add(Codec<P>::outcome_json(problem_, y));
  }
  void describe(const std::string& words) override { into_.describe(words); }

 private:
  const P& problem_;
  ExtremeOutcomes<Json>& into_;
};

}  // namespace detail

template <class P>
void add_extreme_outcomes(const P& problem, ExtremeOutcomes<Json>& into) {
  if constexpr (requires(detail::OutcomesAsJson<P>& list) { problem.extreme_outcomes(list); }) {
    detail::OutcomesAsJson<P> list(problem, into);
    problem.extreme_outcomes(list);
  } else if (row_width(problem) > 0) {
    const Interval range = row_range(problem);
    detail::RowsAsJson<P> list(problem, into);
    add_corner_rows(row_width(problem), range, number_text(range.lo) + " and " + number_text(range.hi), list);
  }
}

}  // namespace hannan

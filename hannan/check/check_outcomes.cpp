// Outcomes on which conditions are computed: all of them where they are few, else those of the data sets and extreme
// ones. A gamma over some outcomes is a lower bound of the true one. Duplicates are recognised by their JSON.
#include "hannan/check/check_outcomes.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/text.hpp"
#include "hannan/problems/extreme_rows.hpp"

namespace hannan::detail {
namespace {

// Outcomes of the data sets first, up to half of the limit, then extreme ones of the problem or corners of its rows.
class Lister final : private ExtremeOutcomes<AnyOutcome> {
 public:
  Lister(const Game& game, const std::string& perturbation, std::uint64_t limit)
      : game_(game), perturbation_(perturbation), limit_(limit) {}

  OutcomeList list() {
    add_data_sets();
    const std::size_t from_sets = found_.outcomes.size();
    found_.words = std::to_string(from_sets) + " of the data sets";
    if (!game_.extreme_outcomes(*this) && game_.row_width() > 0) {
      const Interval range = game_.row_range();
      Rows rows(*this);
      add_corner_rows(game_.row_width(), range, number_text(range.lo) + " and " + number_text(range.hi), rows);
    }
    return std::move(found_);
  }

 private:
  // Rows that become outcomes of the list; a corner of the range that is no outcome is left out.
  class Rows final : public ExtremeRows {
   public:
    explicit Rows(Lister& into) : into_(into) {}
    std::uint64_t left() const override { return into_.left(); }
    void add(const std::vector<double>& row) override {
      try {
        into_.game_.read_row(row, outcome_);
      } catch (const Error&) {
        return;
      }
      into_.add(outcome_);
    }
    void describe(const std::string& words) override { into_.describe(words); }

   private:
    Lister& into_;
    AnyOutcome outcome_;
  };

  std::uint64_t left() const override { return limit_ - found_.outcomes.size(); }
  void add(const AnyOutcome& outcome) override {
    if (left() == 0) return;
    Json json = game_.outcome_json(outcome);
    if (seen_.insert(dump(json)).second) found_.outcomes.push_back(std::move(json));
  }
  void describe(const std::string& words) override { found_.words += ", " + words; }

  void add_data_sets() {
    const auto matrices = game_.perturbations();
    const auto matrix = std::find_if(matrices.begin(), matrices.end(), [&](const auto& m) {
      return perturbation_.empty() || m->name() == perturbation_;
    });
    if (matrix == matrices.end()) return;
    // Half of the limit: the extreme outcomes matter more.
    for (std::size_t j = 0; j < (*matrix)->columns() && 2 * found_.outcomes.size() < limit_; ++j) {
      for (const int sign : {1, -1}) {
        for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
          const auto set = (*matrix)->data({.column = j, .sign = sign, .weights = weights});
          if (!set) continue;
          for (const auto& point : *set) add(point.outcome);
        }
      }
    }
  }

  const Game& game_;
  std::string perturbation_;
  std::uint64_t limit_;
  OutcomeList found_;
  std::set<std::string> seen_;
};

}  // namespace

// In the order of their first appearance.
Json distinct(const Json& outcomes, std::uint64_t limit) {
  Json list = Json::array();
  std::set<std::string> seen;
  for (const Json& outcome : outcomes.as_array()) {
    if (list.size() == limit) break;
    if (seen.insert(dump(outcome)).second) list.push_back(outcome);
  }
  return list;
}

// Where a problem lists its outcomes and there are too many, every so many-th of them.
OutcomeList listed_outcomes(const Game& game, const std::string& perturbation, std::uint64_t limit) {
  const auto all = game.outcomes();
  if (!all) return Lister(game, perturbation, limit).list();
  const bool fit = all->size() <= limit;
  OutcomeList list{.outcomes = Json::array(), .all = fit, .words = "all there are"};
  if (!fit) list.words = "evenly spaced among all " + std::to_string(all->size());
  const std::uint64_t count = fit ? all->size() : limit;
  for (std::uint64_t i = 0; i < count; ++i) list.outcomes.push_back(game.outcome_json((*all)[i * all->size() / count]));
  return list;
}

}  // namespace hannan::detail

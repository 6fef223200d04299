// The game of labelling: hypotheses by class, losses, outcomes, perturbations and oracles. gamma = 1 for `outcomes` is
// proven in classification.hpp. Cost: a loss is one look at what the classifier says of the point.
#include "hannan/problems/classification/classification.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"
#include "hannan/problems/classification/label_columns.hpp"
#include "hannan/problems/classification/weighted_error.hpp"

namespace hannan::detail {

void archive(Archive& a, LabelledPoint& y) {
  a.count("point", y.point);
  a.count("label", y.label, 1);
}

std::optional<double> Classification::action_count() const {
  if (!hypotheses().walk()) return std::nullopt;
  return static_cast<double>(hypotheses().walk()->size());
}

std::uint64_t Classification::size() const {
  if (!hypotheses().walk()) {  // learners that keep a number per action ask first thing
    throw Error(Code::kUnavailable,
                "the " + parts_.name + " on " + std::to_string(points()) + " points are searched, not listed", "kind");
  }
  return hypotheses().walk()->size();
}

// O(K): only oracles and learners over listed classes call it.
void Classification::accumulate(const Outcome& y, double weight, std::span<double> totals) const {
  for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += weight * loss(k, y);
}

// All pairs of point and label, 2 m of them.
std::vector<Classification::Outcome> Classification::outcomes() const {
  std::vector<Outcome> all;
  for (std::uint32_t i = 0; i < points(); ++i) {
    for (const std::uint32_t label : {0u, 1u}) all.push_back({i, label});
  }
  return all;
}

namespace {

// Predictions are listed, so both the number of rows and the number of entries are limited.
void check_predictions(const Points& rows, const std::string& path) {
  if (rows.size() > HypothesisWalk::kMostHypotheses || rows.size() * rows[0].size() > Classification::kMaxEntries) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(rows.size()) + " rows of " + std::to_string(rows[0].size()) +
                    " entries, expected at most " + std::to_string(HypothesisWalk::kMostHypotheses) + " rows and " +
                    std::to_string(Classification::kMaxEntries) + " entries",
                path);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t i = 0; i < rows[k].size(); ++i) {
      if (rows[k][i] == 0 || rows[k][i] == 1) continue;
      throw Error(Code::kOutOfRange, "found " + number_text(rows[k][i]) + ", expected 0 or 1",
                  path_of(path_of(path, k), i));
    }
  }
}

// No name: the table holds predictions, a row for each classifier. With a name it holds points.
HypothesesPtr hypotheses_of(const Classification::Parts& parts) {
  if (!parts.name.empty()) {
    expect_sound(parts.table);
    if (parts.name == kVotes) return vote_hypotheses(parts.table, parts.votes);
    return make_hypotheses(parts.name, parts.table, "points");
  }
  hannan::detail::expect_table(parts.table.rows, kAnyFinite, "predictions");
  check_predictions(parts.table.rows, "predictions");
  return tabled_hypotheses(parts.table.rows);
}

}  // namespace

Classification::Classification(Parts parts) : parts_(std::move(parts)), hypotheses_(hypotheses_of(parts_)) {}

// Both numbers of a row share one range: the largest of a point's place and the label 1.
Interval Classification::row_range() const { return {0, static_cast<double>(std::max<std::size_t>(points() - 1, 1))}; }

void Classification::outcome_from_row(std::span<const double> row, Outcome& y) const {
  y.point = static_cast<std::uint32_t>(index_in_row(row[0], points(), "outcome.point"));
  y.label = static_cast<std::uint32_t>(index_in_row(row[1], 2, "outcome.label"));
}

// Columns of labels work for every class; codes of the list only where there is a list.
std::vector<std::shared_ptr<const Perturbation<Classification>>> Classification::perturbations(
    std::shared_ptr<const Classification> p) {
  std::vector<std::shared_ptr<const Perturbation<Classification>>> all{
      std::make_shared<hannan::detail::LabelColumns>(p)};
  if (!p->hypotheses().walk()) return all;
  for (auto& code : hannan::detail::explicit_columns<Classification>(
           {.problem = p, .matrix = {}, .form = Form::kLoss, .data = nullptr})) {
    all.push_back(std::move(code));
  }
  return all;
}

// The default first: the sweep over sums, but a plain table where classifiers are given as rows.
std::vector<std::shared_ptr<const AnyOracle<Classification>>> Classification::oracles(
    std::shared_ptr<const Classification> p) {
  std::vector<std::shared_ptr<const AnyOracle<Classification>>> all{
      make_oracle("sweep", p, hannan::detail::WeightedError{})};
  if (p->hypotheses().walk()) {
    // Rows in no order differ everywhere, and then one number per row is the faster summary.
    all.insert(p->parts_.name.empty() ? all.begin() : all.end(),
               make_oracle("tabulate", p, Tabulate<Classification>{}));
  }
  return all;
}

}  // namespace hannan::detail

// Row 0 of both programmes is sum p = 1, row 1 + k belongs to response k. Column 0 of the first is v; the columns
// behind it, and all columns of the second, are the actions.
#include "hannan/solve/matrix_programme.hpp"

#include <algorithm>
#include <cassert>

#include "hannan/core/error.hpp"
#include "hannan/core/sum.hpp"

namespace hannan::detail {
namespace {

// Smaller ones are what the simplex leaves of 0.
constexpr double kLeastProbability = 1e-9;

// Entries below `least` become 0, the others are divided by their sum; false where nothing is left.
bool make_distribution(std::vector<double>& entries, double least) {
  Sum sum;
  for (double& entry : entries) {
    if (!(entry >= least)) entry = 0;
    sum.add(entry);
  }
  if (!(sum.value() > 0)) return false;
  for (double& entry : entries) entry /= sum.value();
  return true;
}

// No answer where the solver gave up; a library that is missing is told.
std::optional<Solution> solved(LinearProgram& programme) {
  try {
    Solution found = programme.solve();
    if (found.status != Solution::Status::kOptimal) found = programme.solve_afresh();
    if (found.status == Solution::Status::kOptimal) return found;
  } catch (const Error& e) {
    if (e.code() != Code::kWorkLimit) throw;
  }
  return std::nullopt;
}

Programme minimax(const ProductTable& products) {
  assert(!products.empty() && !products.front().empty());
  const std::size_t actions = products.size(), responses = products.front().size();
  Programme made;
  made.costs.assign(actions + 1, 0.0);
  made.costs.front() = 1;
  made.column_low.assign(actions + 1, 0.0);
  made.column_low.front() = -kNoBound;
  made.column_high.assign(actions + 1, kNoBound);
  made.row_low.assign(responses + 1, 0.0);
  made.row_high.assign(responses + 1, kNoBound);
  made.row_low.front() = made.row_high.front() = 1;
  for (std::size_t k = 0; k < responses; ++k) made.entries.push_back({k + 1, 0, 1.0});
  for (std::size_t x = 0; x < actions; ++x) {
    made.entries.push_back({0, x + 1, 1.0});
    for (std::size_t k = 0; k < responses; ++k) made.entries.push_back({k + 1, x + 1, -products[x][k]});
  }
  return made;
}

Programme least_average(const ProductTable& products, std::span<const double> averages, double limit) {
  assert(!products.empty() && averages.size() == products.size());
  const std::size_t actions = products.size(), responses = products.front().size();
  Programme made;
  made.costs.assign(averages.begin(), averages.end());
  made.column_low.assign(actions, 0.0);
  made.column_high.assign(actions, kNoBound);
  made.row_low.assign(responses + 1, -kNoBound);
  made.row_high.assign(responses + 1, limit);
  made.row_low.front() = made.row_high.front() = 1;
  for (std::size_t x = 0; x < actions; ++x) {
    made.entries.push_back({0, x, 1.0});
    for (std::size_t k = 0; k < responses; ++k) made.entries.push_back({k + 1, x, products[x][k]});
  }
  return made;
}

}  // namespace

MinimaxProgramme::MinimaxProgramme(const ProductTable& products) : programme_(minimax(products)) {}

void MinimaxProgramme::add_action(std::span<const double> against) {
  std::vector<double> column{1.0};
  for (const double product : against) column.push_back(-product);
  programme_.add_column(column);
}

void MinimaxProgramme::add_response(std::span<const double> of) {
  std::vector<double> row{1.0};
  for (const double product : of) row.push_back(-product);
  programme_.add_row(row, 0.0, kNoBound);
}

std::optional<ProgrammeAnswer> MinimaxProgramme::solve() {
  auto found = solved(programme_);
  if (!found) return std::nullopt;
  ProgrammeAnswer answer{.actions = {found->x.begin() + 1, found->x.end()},
                         .responses = {found->row_duals.begin() + 1, found->row_duals.end()}};
  if (!make_distribution(answer.actions, kLeastProbability) || !make_distribution(answer.responses, 0.0))
    return std::nullopt;
  return answer;
}

AverageProgramme::AverageProgramme(const ProductTable& products, std::span<const double> averages, double limit)
    : programme_(least_average(products, averages, limit)),
      costs_(averages.begin(), averages.end()),
      responses_(products.front().size()),
      limit_(limit) {}

void AverageProgramme::add_action(std::span<const double> against, double average) {
  std::vector<double> column{1.0};
  column.insert(column.end(), against.begin(), against.end());
  programme_.add_column(column);
  costs_.push_back(average);
  programme_.set_costs(costs_);  // a new column costs nothing until it is told
}

void AverageProgramme::add_response(std::span<const double> of) {
  programme_.add_row(of, -kNoBound, limit_);
  ++responses_;
}

void AverageProgramme::set_limit(double limit) {
  limit_ = limit;
  std::vector<double> low(responses_ + 1, -kNoBound), high(responses_ + 1, limit);
  low.front() = high.front() = 1;
  programme_.set_row_bounds(low, high);
}

std::optional<ProgrammeAnswer> AverageProgramme::solve() {
  auto found = solved(programme_);
  if (!found) return std::nullopt;
  ProgrammeAnswer answer{.actions = std::move(found->x),
                         .responses = {found->row_duals.begin() + 1, found->row_duals.end()}};
  if (!make_distribution(answer.actions, kLeastProbability)) return std::nullopt;
  // A higher limit never raises the average: the duals are at most 0.
  for (double& dual : answer.responses) dual = std::max(0.0, -dual);
  return answer;
}

}  // namespace hannan::detail

// The programme of one action (hedge_program.hpp; docs/theory.md, gamma_exact). Differences are divided by the largest
// of them, so that the solver's absolute tolerances fit; answers are scaled back. Nothing of the solver is trusted: an
// s must meet every need, and the proof must give the same value, both within kBelievable.
#include "hannan/certify/hedge_program.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// How far a published s may miss a need, per unit of its norm: well above the solver's own tolerance
// (1e-9 times the few dozen terms of a row), well below any grid step.
constexpr double kBelievable = 1e-7;
// A ray proves ||s|| >= <r, lambda> / ||sum lambda_h D_h||*; from here on (entries are of order 1) the
// denominator is rounding dust and no s exists.
constexpr double kNormOfNoHedge = 1e7;
// Scanning a known s costs O(rivals); a linear programme costs some fifty times that.
constexpr std::size_t kKnownLimit = 32;

// The unit in which differences are stated to the solver.
double largest_entry(const std::vector<std::vector<double>>& rows) {
  double largest = 0;
  for (const auto& row : rows)
    for (double entry : row) largest = std::max(largest, std::abs(entry));
  return largest;
}

// The rivals' part of a solution of the dual form, dust below zero removed.
std::vector<double> proof_of(std::span<const double> solution, std::size_t rivals) {
  std::vector<double> weights(solution.begin(), solution.begin() + static_cast<std::ptrdiff_t>(rivals));
  for (double& weight : weights) weight = std::max(0.0, weight);
  return weights;
}

}  // namespace

HedgeProgram::HedgeProgram(std::vector<std::vector<double>> differences, GammaQuery query)
    : query_(query), scale_(largest_entry(differences)), differences_(std::move(differences)) {
  for (auto& row : differences_)
    for (double& entry : row) entry /= scale_;
}

// 1-norm: rows i = sum_h lambda_h D_hi within [-1, 1]; a one-sided s needs only one of the two bounds.
// Sup-norm: the dual norm is the 1-norm, so overflows u_i, v_i with sum_h lambda_h D_hi = u_i - v_i and
// sum (u_i + v_i) <= 1; a one-sided s drops v (or u) and turns the equation into an inequality.
// In both forms s_i is minus the dual price of row i.
LinearProgram HedgeProgram::build() const {
  const std::size_t rivals = differences_.size();
  const std::size_t columns = differences_.front().size();
  const bool up = query_.sign != HedgeSign::kNonPositive;
  const bool down = query_.sign != HedgeSign::kNonNegative;
  const double limit = query_.norm == GammaQuery::Norm::kOne ? 1 : 0;
  Programme programme;
  programme.costs.assign(rivals, 0);
  programme.row_low.assign(columns, down ? -limit : -kNoBound);
  programme.row_high.assign(columns, up ? limit : kNoBound);
  for (std::size_t h = 0; h < rivals; ++h)
    for (std::size_t i = 0; i < columns; ++i) programme.entries.push_back({i, h, differences_[h][i]});
  if (query_.norm == GammaQuery::Norm::kSup) {
    programme.row_low.push_back(-kNoBound);
    programme.row_high.push_back(1);
    const auto overflow = [&](std::size_t i, double direction) {
      programme.entries.push_back({i, programme.costs.size(), direction});
      programme.entries.push_back({columns, programme.costs.size(), 1});
      programme.costs.push_back(0);
    };
    for (std::size_t i = 0; i < columns; ++i) {
      if (up) overflow(i, -1);
      if (down) overflow(i, 1);
    }
  }
  programme.column_low.assign(programme.costs.size(), 0);
  programme.column_high.assign(programme.costs.size(), kNoBound);
  return LinearProgram(programme);
}

double HedgeProgram::norm(std::span<const double> s) const {
  double sum = 0, sup = 0;
  for (double entry : s) {
    sum += std::abs(entry);
    sup = std::max(sup, std::abs(entry));
  }
  return query_.norm == GammaQuery::Norm::kOne ? sum : sup;
}

// What s gains against each rival.
std::vector<double> HedgeProgram::gains(std::span<const double> s) const {
  std::vector<double> result;
  result.reserve(differences_.size());
  for (const auto& row : differences_) result.push_back(std::inner_product(row.begin(), row.end(), s.begin(), 0.0));
  return result;
}

// With P = sum of ray_h D_h: any s has <r, ray> <= <P, s> <= ||P||* ||s||. If ||P||* is 0 up to rounding and <r, ray> >
// 0, no s exists.
bool HedgeProgram::proves_infeasible(std::span<const double> ray, std::span<const double> needs) const {
  if (ray.empty()) return false;
  std::vector<double> pull(differences_.front().size(), 0);
  double won = 0;
  for (std::size_t h = 0; h < needs.size(); ++h) {
    const double weight = std::max(0.0, ray[h]);
    won += weight * needs[h];
    for (std::size_t i = 0; i < pull.size(); ++i) pull[i] += weight * differences_[h][i];
  }
  double sum = 0, sup = 0;  // of the part of the pull that an s of the allowed sign could lean against
  for (double p : pull) {
    const double part = query_.sign == HedgeSign::kMixed         ? std::abs(p)
                        : query_.sign == HedgeSign::kNonNegative ? std::max(0.0, p)
                                                                 : std::max(0.0, -p);
    sum += part;
    sup = std::max(sup, part);
  }
  return won > kNormOfNoHedge * (query_.norm == GammaQuery::Norm::kOne ? sup : sum);
}

// Nothing if the solver's answer does not stand up to the check.
std::optional<HedgeVector> HedgeProgram::read(const Solution& solution, std::span<const double> needs) const {
  if (solution.status == Solution::Status::kUnbounded) {
    if (!proves_infeasible(solution.ray, needs)) return std::nullopt;
    return HedgeVector{.norm = kNoBound, .s = {}, .proof = proof_of(solution.ray, needs.size())};
  }
  if (solution.status != Solution::Status::kOptimal) return std::nullopt;
  HedgeVector hedge{
      .norm = 0, .s = std::vector<double>(differences_.front().size()), .proof = proof_of(solution.x, needs.size())};
  for (std::size_t i = 0; i < hedge.s.size(); ++i) {
    hedge.s[i] = solution.row_duals[i] == 0 ? 0 : -solution.row_duals[i];
    if (query_.sign == HedgeSign::kNonNegative) hedge.s[i] = std::max(0.0, hedge.s[i]);
    if (query_.sign == HedgeSign::kNonPositive) hedge.s[i] = std::min(0.0, hedge.s[i]);
  }
  // Primal feasibility, then equality of both values: together they prove that s is cheapest.
  hedge.norm = norm(hedge.s);
  const double slack = kBelievable * (1 + hedge.norm);
  const std::vector<double> reached = gains(hedge.s);
  for (std::size_t h = 0; h < needs.size(); ++h)
    if (reached[h] < needs[h] - slack) return std::nullopt;
  // Strong duality: lambda proves that no s is cheaper.
  if (std::abs(hedge.norm + solution.value) > slack) return std::nullopt;
  return hedge;
}

// The s of least norm that meets all needs, or norm infinity with a proof that there is none. Throws kUnavailable where
// no answer of the solver passes its check, from the last basis or from a fresh one.
HedgeVector HedgeProgram::cheapest(std::span<const double> needs) {
  assert(needs.size() == differences_.size());
  if (std::all_of(needs.begin(), needs.end(), [](double need) { return need <= 0; }))
    return {
        .norm = 0, .s = std::vector<double>(differences_.empty() ? 0 : differences_.front().size(), 0.0), .proof = {}};
  if (!program_) program_ = build();
  std::vector<double> costs(needs.size(), 0);
  std::transform(needs.begin(), needs.end(), costs.begin(), [](double need) { return -need; });
  if (query_.norm == GammaQuery::Norm::kSup)
    costs.resize(costs.size() + differences_.front().size() * (query_.sign == HedgeSign::kMixed ? 2 : 1), 0.0);
  program_->set_costs(costs);
  std::optional<HedgeVector> hedge = read(program_->solve(), needs);
  if (!hedge) hedge = read(program_->solve_afresh(), needs);
  if (!hedge)
    throw Error(Code::kUnavailable,
                "gamma cannot be computed: the entries of the perturbation matrix differ too much in size (found "
                "a linear programme whose answer fails its check; expected differences within a few decades)");
  if (hedge->s.empty()) return *hedge;
  if (known_.size() == kKnownLimit) known_.pop_back();
  known_.insert(known_.begin(), {.norm = hedge->norm / scale_, .gains = gains(hedge->s)});
  hedge->norm /= scale_;
  for (double& entry : hedge->s) entry /= scale_;
  for (double& weight : hedge->proof) weight /= scale_;
  return *hedge;
}

// For searches that add actions as they are found to matter (cutting_planes.hpp).
void HedgeProgram::add_rival(std::span<const double> difference) {
  assert(query_.norm == GammaQuery::Norm::kOne);
  auto& row = differences_.emplace_back(difference.begin(), difference.end());
  for (double& entry : row) entry /= scale_;
  if (program_) program_->add_column(row);
  known_.clear();  // they say nothing about the new rival
}

// Whether a multiple of an s found before meets the needs within the limit: then this outcome cannot raise the maximum,
// and no programme is solved.
bool HedgeProgram::known_within(std::span<const double> needs, double limit) {
  for (std::size_t n = 0; n < known_.size(); ++n) {
    const Known& known = known_[n];
    // The multiples t with t * gains >= needs and t * norm <= limit are an interval. An end is moved by
    // rounding only: a need that is missed costs its shadow price times as much.
    double least = 0;
    double most = limit * (1 + kSameEntry) / known.norm;
    for (std::size_t h = 0; h < needs.size() && least <= most; ++h) {
      const double need = needs[h] - kSameEntry;
      const double gain = known.gains[h];
      if (gain > 0)
        least = std::max(least, need / gain);
      else if (gain < 0)
        most = std::min(most, need / gain);
      else if (need > 0)
        most = -1;
    }
    if (least > most) continue;
    std::rotate(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(n),
                known_.begin() + static_cast<std::ptrdiff_t>(n) + 1);
    return true;
  }
  return false;
}

}  // namespace hannan::detail

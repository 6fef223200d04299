// `experts`: K explicit experts; the outcome of a round is the list of their K losses in [0,1].
//
// Perturbations: bits (gamma = N), one-hot (gamma = 1), thermometer (gamma = 2, or 1 for two
// experts) and, where a matrix is given, dense (nothing claimed). Every column is an outcome itself,
// rescaled to [0,1], so data sets exist for both signs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan {

class Experts {
 public:
  using Action = std::uint64_t;         // the expert's index
  using Outcome = std::vector<double>;  // one loss per expert
  static constexpr std::string_view kKind = "experts";
  static constexpr std::string_view kAbout = "K explicit experts, each with its own loss every round";
  static constexpr std::string_view kColumnsParam = "experts";
  static constexpr std::uint64_t kMaxSize = 10'000'000;
  // Data and noise of a learner keep a sum, a carry and a term each; a round's losses come on top.
  static constexpr std::uint64_t kBytesEach = 80;

  explicit Experts(std::uint64_t size, std::vector<std::vector<double>> matrix = {});

  double loss(Action x, const Outcome& y) const { return y[x]; }
  double least_loss(const Outcome& y) const { return *std::min_element(y.begin(), y.end()); }
  double ln_size() const { return std::log(static_cast<double>(size_)); }
  std::uint64_t size() const { return size_; }
  Action action(std::uint64_t k) const { return k; }
  std::span<const double> losses(const Outcome& y) const { return y; }
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const {
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += weight * y[k];
  }
  std::size_t coordinates() const { return 1; }
  std::size_t domain(std::size_t) const { return size_; }
  std::size_t position(Action x, std::size_t) const { return x; }

  // The border.
  static std::shared_ptr<const Experts> parse(Fields& params);
  Json params() const;
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(Action x, const Outcome& y) const { return loss(x, y); }
  Json action_json(Action x) const { return Json(x); }
  Action parse_action(const Json& json, std::string_view path) const;
  Json outcome_json(const Outcome& y) const { return Json(y); }
  Outcome parse_outcome(const Json& json, std::string_view path) const;
  std::size_t row_width() const { return size_; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y.assign(row.begin(), row.end()); }

  static std::vector<std::shared_ptr<const Perturbation<Experts>>> perturbations(std::shared_ptr<const Experts> p);
  static std::vector<std::shared_ptr<const AnyOracle<Experts>>> oracles(std::shared_ptr<const Experts> p);

 private:
  std::uint64_t size_;
  std::vector<std::vector<double>> matrix_;  // K rows, or none
};

}  // namespace hannan

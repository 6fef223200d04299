// What a page draws of a record's rounds, gathered one line at a time in bounded memory.
//
// The lines may be of a record that does not verify: a field that is missing or of another type is left out of
// its curve, and rounds are counted here, whatever the lines call them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hannan/report/action_panels.hpp"

namespace hannan::detail {

class RecordCurves {
 public:
  void round(const Json& line);
  std::uint64_t rounds() const { return rounds_; }
  double total() const { return total_; }
  const ActionPanels& actions() const { return actions_; }

  struct BoundCurve {
    std::vector<std::pair<std::uint64_t, double>> path;  // verified
    std::optional<double> recorded;                      // at the end, where there is no path
    enum class Of { kPath, kLimit, kMean } of = Of::kMean;
    std::string certainty;  // of a limit: "95 %"
    // Of the conditional regret, which `limit` is on; else of the run's own.
    bool conditional = true;
    std::string title() const;  // of the chart: what is drawn in it
    std::string name() const;
    std::string about() const;
  };
  void write_regret(Json& blocks, const BoundCurve& bound) const;
  void write(Json& blocks) const;  // all other curves
  // How points were chosen, in words.
  std::string thinning() const;

 private:
  void delayed_row(const Json& line);
  void write_losses(Json& blocks) const;
  void write_rate(Json& blocks) const;
  void write_regime(Json& blocks) const;
  void write_parts(Json& blocks) const;

  std::uint64_t rounds_ = 0, switches_ = 0, second_rounds_ = 0;
  std::uint64_t opened_ = 0;  // rounds whose outcomes come late, which count once they are settled
  double total_ = 0;
  Thinned regret_, loss_mean_, best_mean_, eta_, multiplier_, switch_path_;
  std::string first_regime_, second_regime_;
  Thinned second_share_;                  // 1 in the rounds of the second, 0 in others
  std::map<std::string, Thinned> parts_;  // stability, estimates
  ActionPanels actions_;
};

}  // namespace hannan::detail

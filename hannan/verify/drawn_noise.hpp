// The noise of each round, drawn again or as it was given, and what it adds to every action.
//
// The numbers of a round are drawn once and kept until another draw is asked for, so that x_t and x'_t share them.
// Cost of a round: one draw, and about two additions a listed action (noise_rows.hpp). No allocation after the first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hannan/verify/claims.hpp"
#include "hannan/verify/noise_rows.hpp"
#include "hannan/verify/recomputed_totals.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

// The least and the largest entry of each column of a matrix, over all actions.
struct ColumnRanges {
  ColumnRanges(const ActionTable& actions, const GameMatrix& matrix);
  std::vector<double> low, high;
};
// <row, alpha>, with its rounding kept.
double exact_product(std::span<const double> row, std::span<const double> alpha);
// The noise of these numbers as an oracle takes it: as a table, or as data with weights. False where it cannot.
bool pour_noise(const GameMatrix& matrix, std::span<const double> alpha, const GameOracle& oracle, GameHistory& into);

class DrawnNoise {
 public:
  DrawnNoise(const RecordedSetting& setting, const ListedActions& list, const Claims& claims);

  // From here on the noise is that of one segment: drawn with its key, or given, one draw or one a round.
  struct Segment {
    DrawKey key;
    const std::vector<std::vector<double>>* given = nullptr;
    bool once = false;
  };
  void play(const Segment& segment);

  // Numbers of a draw.
  std::size_t width() const;
  // The learner has noise.
  bool exists() const { return drawn_on() != NoiseOn::kNothing; }
  // ... and what it adds to each listed action can be computed.
  bool of_all_actions() const { return list_.listed() && (drawn_on() == NoiseOn::kActions || rows_.known()); }

  // The numbers of round t, one a column. Valid until the next call.
  std::span<const double> numbers(std::uint64_t t);
  // <row(k), numbers(t)> for every listed action k; for fpl the numbers themselves. Valid until the next call.
  std::span<const double> on_actions(std::uint64_t t);
  // The same for a draw that is made for something else than the choice of a round, and for numbers that were given.
  std::span<const double> on_actions(DrawPurpose purpose, std::uint64_t place);
  std::span<const double> on_actions(std::span<const double> given);

  // <row(x), alpha> for one action.
  double on_action(const AnyAction& x, std::span<const double> alpha) const;

  // No action's noise exceeds another's by more than this in round t: what the columns can add, by the numbers of the
  // round. Infinite where the entries of the matrix are not known to be bounded.
  double span(std::uint64_t t);

  // An action that a new search finds on these outcomes and this noise (none where scale is 0): the best, or one near
  // it. None where the problem's oracle cannot take the noise.
  struct Found {
    AnyAction action;
    bool proven;  // by an oracle of ours
  };
  std::optional<Found> search(const RecomputedTotals& on, double scale, std::span<const double> alpha) const;

 private:
  NoiseOn drawn_on() const { return setting_.facts().noise; }
  void fill_row(const AnyAction& x, std::span<double> row) const;
  std::span<const double> given(std::uint64_t t) const;
  void multiply();
  void measure_columns();

  const RecordedSetting& setting_;
  const ListedActions& list_;
  const Claims& claims_;
  int sign_ = 1;                  // of one-sided noise
  std::vector<AnyOutcome> fake_;  // the columns of fake-data
  NoiseRows rows_;
  Segment of_;
  std::vector<double> numbers_, on_actions_;
  std::vector<double> reach_;  // by column: the largest less the least entry, or what its outcomes weigh; see span()
  std::uint64_t drawn_ = 0, multiplied_ = 0;  // the draws that these two hold; 0: none
};

}  // namespace hannan::detail

// A problem of any kind behind virtual calls: its actions, its outcomes and their losses, read and written as JSON,
// with its matrices and oracles.
//
// Everything above the problems speaks Game and is compiled once: learners, ledgers, certificates, checks. GameOf<P>
// (game_of.hpp) is the only implementation, and the only place where a type P becomes a Game. Game satisfies the
// concept Problem, so that the interfaces of oracles and matrices serve it as they serve a P.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/any_value.hpp"
#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/game/action_table.hpp"
#include "hannan/game/elements.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

class Game;
class RivalGroup;
struct Money;
// What learners, checks and verifiers speak of.
using GameOracle = AnyOracle<Game>;
using GameHistory = AnyHistory<Game>;
using GameMatrix = Perturbation<Game>;
using GameAnswer = Answer<AnyAction>;

class Game {
 public:
  using Action = AnyAction;
  using Outcome = AnyOutcome;

  virtual ~Game() = default;
  virtual std::string_view kind() const = 0;
  virtual Json params() const = 0;  // every parameter

  virtual double loss(const AnyAction& x, const AnyOutcome& y) const = 0;
  // out[i] = loss of actions[i]: an outcome that is looked at once for many actions. Requires equal sizes.
  virtual void losses_of(std::span<const AnyAction> actions, const AnyOutcome& y, std::span<double> out) const = 0;
  // No action loses less than this against y.
  virtual double least_loss(const AnyOutcome& y) const = 0;
  virtual double raw(const AnyAction& x, const AnyOutcome& y) const = 0;
  // The losses of the first actions, at most `limit`, in order.
  virtual std::vector<double> losses(const AnyOutcome& y, std::uint64_t limit) const = 0;
  virtual LossRange loss_range() const = 0;
  virtual LossSpread spread(const AnyOutcome& y) const = 0;
  // What two losses of a round differ by at most, where that is known before: 1, or what its money can be.
  virtual std::optional<double> known_range() const = 0;
  // What the perturbation named needs on this outcome, over the range of its losses; none where the problem says
  // nothing of single outcomes, or nothing of this one.
  virtual std::optional<double> gamma_at(std::string_view perturbation, const AnyOutcome& y) const = 0;
  virtual double ln_size() const = 0;
  virtual double normaliser() const = 0;
  virtual Form form() const = 0;

  // Whether its actions are numbered from 0 to size() - 1, so that a learner may keep a number for each. The three
  // below are for such problems alone; each costs what it costs the problem.
  virtual bool numbers_actions() const = 0;
  virtual std::uint64_t size() const = 0;
  virtual void set_action(std::uint64_t k, AnyAction& x) const = 0;  // writes over x
  virtual void accumulate(const AnyOutcome& y, double weight, std::span<double> totals) const = 0;
  // An action may be missing from a round: its learner is told before each round which are there.
  virtual bool sleeps() const = 0;
  // What its actions are made of, where a client may see the losses of the parts of its own action alone.
  virtual std::optional<Elements> elements() const = 0;
  // out[i] = loss of elements[i] against y, not yet over the normaliser; only where elements() says that there are
  // some.
  virtual void element_losses(const AnyOutcome& y, std::span<const std::int32_t> elements,
                              std::span<double> out) const = 0;

  virtual std::optional<double> action_count() const = 0;  // none above 2^53
  virtual std::vector<AnyAction> first_actions(std::uint64_t limit) const = 0;
  // All of them; null where there are more than `limit`, or where they cannot be counted.
  virtual std::unique_ptr<const ActionTable> action_table(std::uint64_t limit) const = 0;
  // Is x one of its actions? Asked of what comes from a saved state.
  virtual bool allows(const AnyAction& x) const = 0;
  virtual void archive_action(Archive& a, AnyAction& x) const = 0;
  // As whole numbers (game/action_row.hpp), written over `into`; false where its actions are no row of them.
  virtual bool action_row(const AnyAction& x, std::vector<std::int32_t>& into) const = 0;
  virtual Json action_json(const AnyAction& x) const = 0;
  virtual AnyAction parse_action(const Json& json, std::string_view path) const = 0;

  // Every outcome there is; none where they cannot be listed.
  virtual std::optional<std::vector<AnyOutcome>> outcomes() const = 0;
  virtual Json outcome_json(const AnyOutcome& y) const = 0;
  // Writes over `into`, whose memory is used again. Throws what is wrong with the outcome.
  virtual void read_outcome(const Json& json, std::string_view path, AnyOutcome& into) const = 0;
  virtual std::size_t row_width() const = 0;  // numbers in a row that is an outcome; 0: a row is none
  virtual Interval row_range() const = 0;     // what each of them may be
  virtual RowGaps row_gaps() const = 0;       // whether one may be missing, a NaN
  virtual std::string_view row_gap_hint() const = 0;
  virtual void read_row(std::span<const double> row, AnyOutcome& into) const = 0;

  // Outcomes on which its rules break; false where the problem offers none.
  virtual bool extreme_outcomes(ExtremeOutcomes<AnyOutcome>& into) const = 0;
  // One round of a simulated market, where the problem simulates; otherwise kUnavailable.
  virtual bool simulates() const = 0;
  virtual void simulate(const MarketDraws& draws, AnyOutcome& into) const = 0;
  virtual std::size_t labelled_points() const = 0;  // that a stream of labels may label; 0: outcomes are no labels

  // What it says of money (game/money.hpp), and who plays it without a learner (game/rivals.hpp); null: nothing.
  virtual std::shared_ptr<const Money> money() const = 0;
  virtual std::unique_ptr<RivalGroup> rivals() const = 0;

  virtual std::vector<std::shared_ptr<const GameMatrix>> perturbations() const = 0;
  virtual std::vector<std::shared_ptr<const GameOracle>> oracles() const = 0;
};

static_assert(Problem<Game>);

}  // namespace hannan::detail

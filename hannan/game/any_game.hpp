// A problem of any kind behind virtual calls: its actions, its outcomes and their losses, with its matrices and
// oracles.
//
// Everything above the problems speaks Game and is compiled once: learners, ledgers, certificates, checks. Game
// satisfies the concept Problem, so that the interfaces of oracles and matrices serve it as they serve a P. A typed
// problem P becomes a Game by TypedGame<P> (game/typed_game.hpp); a built-in one is made by its name
// (hannan/problems.hpp).
//
// What a problem does not offer has the default that is stated here. A Game does not change: any number of threads may
// ask it. Values that are handed in must be of this game; a call with those of another one is a mistake of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/any_value.hpp"
#include "hannan/core/perturbation.hpp"

namespace hannan {

namespace detail {

// Known to those who ask for them: io/json.hpp, core/interval.hpp, core/rows.hpp, game/elements.hpp,
// game/action_table.hpp, game/market_draws.hpp, core/extreme_outcomes.hpp, game/money.hpp, game/rivals.hpp.
// game/game.hpp includes most.
class Json;
class ActionTable;
class MarketDraws;
class RivalGroup;
struct Elements;
struct Interval;
struct Money;
enum class RowGaps;
template <class Outcome>
class ExtremeOutcomes;

}  // namespace detail

class Game;
// What learners, checks and verifiers speak of.
using GameOracle = AnyOracle<Game>;
using GameHistory = AnyHistory<Game>;
using GameMatrix = Perturbation<Game>;
using GameAnswer = Answer<AnyAction>;

// The interface; each call costs what it costs the problem, and a virtual call.
class Game {
 public:
  // Of any problem (core/any_value.hpp); those of this one hold its types.
  using Action = AnyAction;
  using Outcome = AnyOutcome;

  virtual ~Game() = default;
  // The name of the kind of problem, and every parameter; without a name "a problem of your own" and none.
  virtual std::string_view kind() const;
  virtual detail::Json params() const;

  // What x loses against y: in [0,1], unless loss_range() says otherwise.
  virtual double loss(const AnyAction& x, const AnyOutcome& y) const = 0;
  // out[i] = loss of actions[i]: an outcome that is looked at once for many actions. Requires equal sizes.
  virtual void losses_of(std::span<const AnyAction> actions, const AnyOutcome& y, std::span<double> out) const = 0;
  // No action loses less than this against y.
  virtual double least_loss(const AnyOutcome& y) const = 0;
  // The loss or reward in the problem's own unit.
  virtual double raw(const AnyAction& x, const AnyOutcome& y) const = 0;
  // The losses of the first actions, at most `limit`, in order.
  virtual std::vector<double> losses(const AnyOutcome& y, std::uint64_t limit) const = 0;
  // Whether losses lie in [0,1], and the least and largest loss against y where they do not.
  virtual LossRange loss_range() const = 0;
  virtual LossSpread spread(const AnyOutcome& y) const = 0;
  // What two losses of a round differ by at most, where that is known before: 1, or what its money can be.
  virtual std::optional<double> known_range() const = 0;
  // What the perturbation named needs on this outcome, over the range of its losses; none where the problem says
  // nothing of single outcomes, or nothing of this one.
  virtual std::optional<double> gamma_at(std::string_view perturbation, const AnyOutcome& y) const = 0;
  // ln K, K the number of actions.
  virtual double ln_size() const = 0;
  // R > 0 with loss = raw / R, or 1 - raw / R for rewards; and which of the two raw() is.
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
  // What its actions are made of, where a client may see the losses of the parts of its own action alone. None.
  virtual std::optional<detail::Elements> elements() const;
  // out[i] = loss of elements[i] against y, not yet over the normaliser; only where elements() says that there are
  // some.
  virtual void element_losses(const AnyOutcome& y, std::span<const std::int32_t> elements, std::span<double> out) const;

  // How many actions there are; none above 2^53, or where they cannot be counted.
  virtual std::optional<double> action_count() const = 0;
  // The first in their order, at most `limit`.
  virtual std::vector<AnyAction> first_actions(std::uint64_t limit) const = 0;
  // All of them; null where there are more than `limit`, or where they cannot be counted.
  virtual std::unique_ptr<const detail::ActionTable> action_table(std::uint64_t limit) const;
  // Is x one of its actions? Asked of what comes from a saved state.
  virtual bool allows(const AnyAction& x) const = 0;
  // Writes x into a state, or reads it back.
  virtual void archive_action(Archive& a, AnyAction& x) const = 0;
  // As whole numbers (game/action_row.hpp), written over `into`; false where its actions are no row of them.
  virtual bool action_row(const AnyAction& x, std::vector<std::int32_t>& into) const;
  // As JSON, and back; throws kUnavailable where the problem is neither read from nor written as JSON.
  virtual detail::Json action_json(const AnyAction& x) const;
  virtual AnyAction parse_action(const detail::Json& json, std::string_view path) const;

  // Every outcome there is; none where they cannot be listed.
  virtual std::optional<std::vector<AnyOutcome>> outcomes() const = 0;
  virtual detail::Json outcome_json(const AnyOutcome& y) const;
  // Writes over `into`, whose memory is used again. Throws what is wrong with the outcome.
  virtual void read_outcome(const detail::Json& json, std::string_view path, AnyOutcome& into) const;
  // How many numbers a row has that is an outcome (0: a row is none), what each may be, whether one may be missing (a
  // NaN), and with which parameters it might.
  virtual std::size_t row_width() const;
  virtual detail::Interval row_range() const;
  virtual detail::RowGaps row_gaps() const;
  virtual std::string_view row_gap_hint() const;
  // The outcome of a row, written over `into`. Throws what is wrong with it, kUnavailable where rows are no outcomes.
  virtual void read_row(std::span<const double> row, AnyOutcome& into) const;

  // Outcomes on which its rules break; false where the problem offers none.
  virtual bool extreme_outcomes(detail::ExtremeOutcomes<AnyOutcome>& into) const;
  // One round of a simulated market, where the problem simulates; otherwise kUnavailable.
  virtual bool simulates() const;
  virtual void simulate(const detail::MarketDraws& draws, AnyOutcome& into) const;
  // That a stream of labels may label; 0: outcomes are no labels.
  virtual std::size_t labelled_points() const;

  // What it says of money (game/money.hpp), and who plays it without a learner (game/rivals.hpp); null: nothing.
  virtual std::shared_ptr<const detail::Money> money() const;
  virtual std::unique_ptr<detail::RivalGroup> rivals() const;

  // Its own, the default first; made anew at each call, and empty where the problem has none of its own.
  virtual std::vector<std::shared_ptr<const GameMatrix>> perturbations() const = 0;
  virtual std::vector<std::shared_ptr<const GameOracle>> oracles() const = 0;
};

static_assert(Problem<Game>);

}  // namespace hannan

// Everything that a line of problems/all.hpp needs, and everything that it may add.
//
// Needed, in problems/<name>/<name>.hpp (no JSON there) and problems/<name>/<name>_codec.hpp:
//   P::Action          ordered: ties go to the smallest action
//   P::Outcome
//   loss(x, y)         in [0,1]
//   ln_size()          ln K
//   form()             kLoss or kReward: what raw() is
//   normaliser()       R > 0: loss = raw / R, or 1 - raw / R for rewards
//   raw(x, y)          the loss or reward in the problem's own unit
//   perturbations(p)   at least one, the default first
//   oracles(p)         at least one, the default first
//   either size() and action(k), or action_count() (none above 2^53) and first_actions(limit)
//   Codec<P>           io/codec.hpp
//
// Offered where the problem can; what is not offered is an error kUnavailable or a plain default:
//   least_loss(y)                   better than 0: pools live longer                            core/problem.hpp
//   loss_range(), spread(y)         losses of unknown range                                     core/problem.hpp
//   gamma_at(perturbation, y)       what single outcomes need: the pipe's `range`
//   accumulate(y, weight, totals)   faster than loss by loss                                    core/problem.hpp
//   prepare(y), loss_prepared       an outcome looked at once for many actions                  core/problem.hpp
//   coordinates, domain, position   for perturbations and oracles over coordinates              core/problem.hpp
//   outcomes()                      all outcomes, where they are few: check, fake-data
//   row_width, outcome_from_row     outcomes as rows of a table; row_range where not [0,1]      core/rows.hpp
//   simulated(draws)                outcomes of simulated markets                               game/market_draws.hpp
//   extreme_outcomes(list)          where its rules break, for `hannan check`;
//                                   default: the corners of its rows core/extreme_outcomes.hpp
//   archive(Archive&, Action&), archive(Archive&, Outcome&)   saved states                      core/archive.hpp
//   Codec<P>::kColumnsParam, kFileAbout and import, instances, sample_outcome                   io/codec.hpp
//   Codec<P>::money                 what it says of money: logs, compare, pages, the service    game/money.hpp
//   Codec<P>::log_use               what a log is to problems of the kind                       game/log_use.hpp
//   Codec<P>::rivals, kRivals       who plays it without a learner                              game/rivals.hpp
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/io/codec.hpp"

namespace hannan::detail {

// Its actions can be counted and listed from the first on.
template <class P>
concept ListsActions = Enumerable<P> || requires(const P& p, std::uint64_t limit) {
  { p.action_count() } -> std::convertible_to<std::optional<double>>;
  { p.first_actions(limit) } -> std::convertible_to<std::vector<typename P::Action>>;
};

template <class P>
concept HasCodec = requires(const P& p, const typename P::Action& x, const typename P::Outcome& y, const Json& json,
                            Fields& fields, std::string_view path) {
  { Codec<P>::kKind } -> std::convertible_to<std::string_view>;
  { Codec<P>::kAbout } -> std::convertible_to<std::string_view>;
  { Codec<P>::parse(fields) } -> std::convertible_to<std::shared_ptr<const P>>;
  { Codec<P>::params(p) } -> std::same_as<Json>;
  { Codec<P>::action_json(p, x) } -> std::same_as<Json>;
  { Codec<P>::parse_action(p, json, path) } -> std::same_as<typename P::Action>;
  { Codec<P>::outcome_json(p, y) } -> std::same_as<Json>;
  { Codec<P>::parse_outcome(p, json, path) } -> std::same_as<typename P::Outcome>;
};

template <class P>
concept RegisteredProblem =
    Problem<P> && ListsActions<P> && HasCodec<P> &&
    requires(const P& p, const typename P::Action& x, const typename P::Outcome& y, std::shared_ptr<const P> shared) {
      requires std::default_initializable<typename P::Action> && std::default_initializable<typename P::Outcome>;
      { p.form() } -> std::same_as<Form>;
      { p.normaliser() } -> std::convertible_to<double>;
      { p.raw(x, y) } -> std::convertible_to<double>;
      { P::perturbations(shared) } -> std::same_as<std::vector<std::shared_ptr<const Perturbation<P>>>>;
      { P::oracles(shared) } -> std::same_as<std::vector<std::shared_ptr<const AnyOracle<P>>>>;
    };

}  // namespace hannan::detail

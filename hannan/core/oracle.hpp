// The offline optimiser as a black box: a linear summary of outcomes, plus an argmin over it.
//
// Who writes an oracle writes a plain class that satisfies the concept `Oracle`: which summary it
// needs (its History) and how to search it. A History that has `void archive(Archive&)` can be saved, one that has
// `void scale(double)`, which multiplies all of it, can be discounted, and one that keeps buffers between searches
// gives them back by `void shrink()`, where thousands of learners take turns. Learners see `AnyOracle<P>`, the same
// thing behind one virtual call a round, so that oracles can be chosen by name and wrapped.
//
// The total loss of an action is linear in the weighted outcomes; that is all a learner relies on. What an oracle
// promises: best() returns an action of the problem with its value in the evidence, and a floor that no action is
// below; equal values within the tie window go to the smallest action; the same evidence gives the same answer. An
// oracle does not change when it is asked, so that threads may share it, each with histories of its own. What it throws
// ends the call of the learner and leaves the learner as it was.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/archive.hpp"
#include "hannan/core/evidence.hpp"
#include "hannan/core/problem.hpp"

namespace hannan {

// What a class must have to be an oracle of P.
template <class O, class P>
concept Oracle = Problem<P> && requires(const O& o, const P& p, typename O::History& h, const typename P::Outcome& y,
                                        Evidence<typename O::History> e, std::size_t keep) {
  { O::kSigned } -> std::convertible_to<bool>;          // takes negative weights
  { o.empty(p) } -> std::same_as<typename O::History>;  // the summary of no outcome
  o.add(p, h, y, 1.0);                                  // linear in the weight
  // The `keep` best actions; keep = 0 asks for the choice alone and lets rest = floor.
  { o.best(p, e, keep) } -> std::same_as<Answer<typename P::Action>>;
};

// An oracle that takes separable noise as tables: values[d] is added to every action whose
// coordinate stands at position d.
template <class O, class P>
concept TableOracle = Oracle<O, P> && requires(const O& o, const P& p, typename O::History& h) {
  o.add_table(p, h, std::size_t{}, std::span<const double>{});
};

// An oracle that finds the choice alone without allocating: best(p, e, 0) but for nodes and calls, written into an
// answer that was used before.
template <class O, class P>
concept ChoosingOracle = Oracle<O, P> && requires(const O& o, const P& p, Evidence<typename O::History> e,
                                                  Answer<typename P::Action>& answer) { o.choose(p, e, answer); };

// An oracle whose history has parts that only the problem can judge (an outcome's length, say) has a member
// fits(p, h), asked of histories read from a saved state.

template <class P>  // a summary of outcomes, which only the oracle that made it understands
class AnyHistory {
 public:
  virtual ~AnyHistory() = default;
  // An outcome of this weight; and, where the oracle takes tables, values[d] to every action that stands at position d
  // of the coordinate.
  virtual void add(const typename P::Outcome& y, double weight) = 0;
  virtual void add_table(std::size_t coordinate, std::span<const double> values) = 0;
  // Multiplies all that was added; only where the oracle says scales().
  virtual void scale(double factor) = 0;
  virtual void clear() = 0;              // back to no outcome; memory is kept
  virtual void shrink() {}               // gives back the memory of what it can compute again
  virtual void archive(Archive& a) = 0;  // saves it, or reads it back
};

// Of the best actions that learners follow instead of searching (game/pool.hpp): where a search costs a few passes over
// all actions, and where it costs much more.
inline constexpr std::size_t kSmallPool = 4, kLargePool = 256;

template <class P>  // an oracle by name, behind virtual calls, as learners ask it
class AnyOracle {
 public:
  virtual ~AnyOracle() = default;
  virtual const std::string& name() const = 0;  // as in the program
  virtual const P& problem() const = 0;         // lives as long as the oracle
  // How many of the best a search is asked for, so that later rounds may do without one; 0: none.
  virtual std::size_t pool() const { return 0; }
  // How many of the best are worth following from round to round, given what a search costs; 0: none.
  virtual std::size_t suitable_pool() const { return 0; }
  // What its histories take: outcomes of negative weight; noise as tables.
  virtual bool takes_negative_weights() const = 0;
  virtual bool takes_tables() const = 0;
  // Its histories can be scaled.
  virtual bool scales() const { return false; }
  // What an oracle from outside claims about its answers. Empty: it is one of ours, proves its floors and never fails.
  virtual std::string_view claims() const { return {}; }
  // A history of no outcome. It refers to the oracle, which must live as long.
  virtual std::unique_ptr<AnyHistory<P>> empty() const = 0;
  // The same oracle with another work limit; null where it has none.
  virtual std::shared_ptr<const AnyOracle> limited(std::uint64_t work) const = 0;
  // The choice, and the `keep` best where keep > 0. Both histories must come from this oracle's empty().
  virtual Answer<typename P::Action> best(Evidence<AnyHistory<P>> evidence, std::size_t keep) const = 0;
  // best(evidence, 0), written over an older answer.
  virtual void choose(Evidence<AnyHistory<P>> evidence, Answer<typename P::Action>& answer) const {
    answer = best(evidence, 0);
  }
};

namespace detail {

template <class P, class O>
class HistoryOf final : public AnyHistory<P> {
 public:
  HistoryOf(const P& problem, const O& oracle) : problem_(problem), oracle_(oracle), held_(oracle.empty(problem)) {}

  void add(const typename P::Outcome& y, double weight) override { oracle_.add(problem_, held_, y, weight); }
  void add_table(std::size_t coordinate, std::span<const double> values) override {
    if constexpr (TableOracle<O, P>) oracle_.add_table(problem_, held_, coordinate, values);
  }
  static constexpr bool kScales = requires(typename O::History& h) { h.scale(1.0); };
  void scale(double factor) override {
    if constexpr (kScales) {
      held_.scale(factor);
    } else {
      throw Error(Code::kInternal, "a history without scale() cannot be scaled");
    }
  }
  void clear() override {
    if constexpr (requires { held_.clear(); }) {
      held_.clear();  // keeps its memory
    } else {
      held_ = oracle_.empty(problem_);
    }
  }
  void shrink() override {
    if constexpr (requires { held_.shrink(); }) held_.shrink();
  }
  void archive(Archive& a) override {
    if constexpr (requires { held_.archive(a); }) {
      held_.archive(a);
    } else {
      archive_value(a, held_);
    }
    if constexpr (requires {
                    { oracle_.fits(problem_, held_) } -> std::convertible_to<bool>;
                  }) {
      if (a.reading() && !oracle_.fits(problem_, held_)) a.refuse("", "found a history that does not fit the problem");
    }
  }
  const typename O::History& held() const { return held_; }

 private:
  const P& problem_;
  const O& oracle_;
  typename O::History held_;
};

template <class P, class O>
class OracleOf final : public AnyOracle<P> {
 public:
  OracleOf(std::string name, std::shared_ptr<const P> problem, O oracle)
      : name_(std::move(name)), problem_(std::move(problem)), oracle_(std::move(oracle)) {}

  const std::string& name() const override { return name_; }
  const P& problem() const override { return *problem_; }
  std::size_t suitable_pool() const override {
    if constexpr (requires { oracle_.suitable_pool(*problem_); }) {
      return oracle_.suitable_pool(*problem_);
    } else {
      return limited(1) ? kLargePool : 0;  // a search that may need a limit is open-ended
    }
  }
  bool takes_negative_weights() const override { return O::kSigned; }
  bool takes_tables() const override { return TableOracle<O, P>; }
  bool scales() const override { return HistoryOf<P, O>::kScales; }
  std::unique_ptr<AnyHistory<P>> empty() const override {
    return std::make_unique<HistoryOf<P, O>>(*problem_, oracle_);
  }
  std::shared_ptr<const AnyOracle<P>> limited(std::uint64_t work) const override {
    if constexpr (requires(O o) { o.nodes = work; }) {
      O other = oracle_;
      other.nodes = work;
      return std::make_shared<OracleOf>(name_ + ":" + std::to_string(work), problem_, std::move(other));
    } else {
      return nullptr;
    }
  }
  Answer<typename P::Action> best(Evidence<AnyHistory<P>> e, std::size_t keep) const override {
    auto answer = oracle_.best(*problem_, {held(e.data), held(e.noise), e.scale}, keep);
    if constexpr (requires { problem_->action_count(); }) {
      const auto count = problem_->action_count();
      if (keep > 0 && count && static_cast<double>(answer.pool.size()) >= *count) {
        answer.rest = std::numeric_limits<double>::infinity();  // no action is left outside
      }
    }
    return answer;
  }
  void choose(Evidence<AnyHistory<P>> e, Answer<typename P::Action>& answer) const override {
    if constexpr (ChoosingOracle<O, P>) {
      answer.pool.clear();
      answer.nodes = 0;
      answer.calls = 1;
      oracle_.choose(*problem_, {held(e.data), held(e.noise), e.scale}, answer);
    } else {
      answer = best(e, 0);
    }
  }

 private:
  static const typename O::History& held(const AnyHistory<P>& history) {
    return static_cast<const HistoryOf<P, O>&>(history).held();
  }

  std::string name_;
  std::shared_ptr<const P> problem_;
  O oracle_;
};

// An oracle that says how many it should be asked for.
template <class P>
class PooledOracle final : public AnyOracle<P> {
 public:
  PooledOracle(std::shared_ptr<const AnyOracle<P>> inner, std::size_t pool) : inner_(std::move(inner)), pool_(pool) {}

  const std::string& name() const override { return inner_->name(); }
  const P& problem() const override { return inner_->problem(); }
  std::size_t pool() const override { return pool_; }
  std::size_t suitable_pool() const override { return inner_->suitable_pool(); }
  std::string_view claims() const override { return inner_->claims(); }
  bool takes_negative_weights() const override { return inner_->takes_negative_weights(); }
  bool takes_tables() const override { return inner_->takes_tables(); }
  bool scales() const override { return inner_->scales(); }
  std::unique_ptr<AnyHistory<P>> empty() const override { return inner_->empty(); }
  std::shared_ptr<const AnyOracle<P>> limited(std::uint64_t work) const override {
    auto limited = inner_->limited(work);
    return limited ? std::make_shared<PooledOracle>(std::move(limited), pool_) : nullptr;
  }
  Answer<typename P::Action> best(Evidence<AnyHistory<P>> e, std::size_t keep) const override {
    return inner_->best(e, keep);
  }
  void choose(Evidence<AnyHistory<P>> e, Answer<typename P::Action>& answer) const override {
    inner_->choose(e, answer);
  }

 private:
  std::shared_ptr<const AnyOracle<P>> inner_;
  std::size_t pool_;
};

}  // namespace detail

// Work limit of a learner's calls, in nodes of a search: a learner calls thousands of times and does not wait for the
// last proof. A single `best` has the oracle's own, larger limit.
inline constexpr std::uint64_t kLearnerWork = 2000;

// The same oracle, asked for so many of the best (game/pool.hpp).
template <class P>
std::shared_ptr<const AnyOracle<P>> pooled(std::shared_ptr<const AnyOracle<P>> oracle, std::size_t pool) {
  return std::make_shared<detail::PooledOracle<P>>(std::move(oracle), pool);
}

template <class P, class O>  // an oracle of one's own as learners take it
  requires Oracle<O, P>
std::shared_ptr<const AnyOracle<P>> make_oracle(std::string name, std::shared_ptr<const P> problem, O oracle) {
  return std::make_shared<detail::OracleOf<P, O>>(std::move(name), std::move(problem), std::move(oracle));
}

}  // namespace hannan

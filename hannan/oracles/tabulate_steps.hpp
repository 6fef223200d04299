// `tabulate` for a grid of actions on which outcomes have few steps (oracles/grid_steps.hpp).
//
// An outcome costs its steps instead of a number per action; a search first adds them up, O(n K). Where
// searches are rare, because a pool knows the leader, rounds no longer cost K. Exact, any sign.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/oracles/grid_steps.hpp"
#include "hannan/oracles/tabulate.hpp"

namespace hannan::detail {

// add_steps adds weight * loss(., y) to a grid.
template <class P>
concept Stepping = Enumerable<P> && FullProduct<P> &&
                   requires(const P& p, const typename P::Outcome& y, GridSteps& steps) { p.add_steps(y, 1.0, steps); };

template <Stepping P>
class TabulateSteps {
 public:
  static constexpr bool kSigned = true;

  class History {
   public:
    explicit History(std::vector<std::size_t> domains) : steps_(std::move(domains)) {}

    GridSteps& steps() {
      summed_ = false;
      return steps_;
    }
    // The summed loss of every action.
    std::span<const double> totals() const {
      if (!summed_) {
        totals_.resize(steps_.size());
        steps_.read(totals_);
        summed_ = true;
      }
      return totals_;
    }
    void scale(double factor) { steps().scale(factor); }
    void clear() { steps().clear(); }
    void shrink() {
      totals_ = std::vector<double>();
      summed_ = false;
    }
    void archive(Archive& a) { steps().archive(a); }

   private:
    GridSteps steps_;
    mutable std::vector<double> totals_;  // what steps_ says, if summed_
    mutable bool summed_ = false;
  };

  // Adding up the steps of few actions takes no longer than following a pool, of very many longer than a large one.
  std::size_t suitable_pool(const P& p) const { return p.size() > 8192 ? kLargePool : p.size() > 128 ? kSmallPool : 0; }

  History empty(const P& p) const {
    std::vector<std::size_t> domains;
    for (std::size_t c = 0; c < p.coordinates(); ++c) domains.push_back(p.domain(c));
    return History(std::move(domains));
  }
  void add(const P& p, History& h, const typename P::Outcome& y, double weight) const {
    p.add_steps(y, weight, h.steps());
  }
  void add_table(const P&, History& h, std::size_t coordinate, std::span<const double> values) const {
    h.steps().add_table(coordinate, values);
  }
  Answer<typename P::Action> best(const P& p, Evidence<History> e, std::size_t keep) const {
    return listed_answer(p, values(e), keep);
  }
  void choose(const P& p, Evidence<History> e, Answer<typename P::Action>& answer) const {
    choose_listed(p, values(e), answer);
  }

 private:
  static ListedValues values(const Evidence<History>& e) {
    return {e.data.totals(), e.scale == 0 ? std::span<const double>() : e.noise.totals(), e.scale};
  }
};

}  // namespace hannan::detail

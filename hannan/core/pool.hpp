// The lazy leader (theory key lazy): the leader without a search, while no action outside the pool can be better.
//
// A search leaves its P best actions and a number that no other action is below. The pool follows its
// members' losses exactly; an outsider loses at least the least possible loss of every new outcome:
//
//     outside(t) >= rest + sum of least_loss(y) over the new outcomes.
//
// A pool is anchored at the evidence it was searched on, loss + scale0 * noise0. Asked about
// loss + scale * noise it knows of every outsider
//     same draw     rest + (scale - scale0) * (least noise; the most where the difference is negative)
//     another draw  rest - scale0 * (most noise0) + scale * (least noise)
// While the best member is below that by more than the tie window it IS the argmin, ties included.
// Members' sums are compensated: after 10^9 rounds they are still good to the last bit.
//
// Cost: one loss per member and round, nothing else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hannan/core/answer.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/core/noise_table.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan {

template <class P>
class Pool {
 public:
  using Action = typename P::Action;

  // What the evidence was: scale * noise of one draw beside the losses. Draw 0 is like no other draw.
  struct Anchor {
    std::uint64_t draw = 0;
    double scale = 0;
    double least = 0, most = 0;  // of the noise of that draw
  };

  bool empty() const { return members_.empty(); }
  std::size_t size() const { return members_.size(); }
  std::uint64_t age() const { return age_; }  // outcomes since the search
  bool plain() const { return anchor_.scale == 0; }

  void drop() { members_.clear(); }

  // noise(x) is that of the anchor's draw.
  template <class NoiseOf>
  void refill(const Answer<Action>& answer, const Anchor& anchor, NoiseOf&& noise) {
    anchor_ = anchor;
    age_ = 0;
    rest_ = Sum(answer.rest);
    members_.clear();
    for (const auto& [action, value] : answer.pool) {
      members_.push_back({action, Sum(value), noise(action)});
    }
  }

  // All of the evidence is multiplied, the noise of the anchor too.
  void scale(double factor) {
    anchor_.scale *= factor;
    rest_.scale(factor);
    for (auto& member : members_) member.evidence.scale(factor);
  }

  void observe(const P& problem, const typename P::Outcome& y) {
    if (members_.empty()) return;
    ++age_;
    if constexpr (Preparing<P>) {
      const auto& prepared = problem.prepare(y);
      for (auto& member : members_) member.evidence.add(problem.loss_prepared(member.action, prepared));
    } else {
      for (auto& member : members_) member.evidence.add(problem.loss(member.action, y));
    }
    rest_.add(least_loss(problem, y));
  }

  // The leader, if the pool is a plain one and proves it; else the answer is not touched.
  bool leader(Answer<Action>& answer) const {
    if (empty() || !plain()) return false;
    return choose([](const Member& m) { return m.evidence.value(); }, rest_.value(), answer);
  }
  // The argmin of loss + scale * noise, if the pool proves it; its value is up to a constant.
  template <class Noise>
  bool perturbed(const Noise& noise, double scale, Answer<Action>& answer) const {
    if (empty()) return false;
    if (anchor_.draw != 0 && noise.draw() == anchor_.draw) {
      const double drift = scale - anchor_.scale;
      return choose([&](const Member& m) { return m.evidence.value() + drift * m.noise; },
                    rest_.value() + drift * (drift >= 0 ? anchor_.least : anchor_.most), answer);
    }
    if (scale == 0) return leader(answer);
    if (!noise.quick()) return false;
    const NoiseTable& table = noise.table();
    return choose(
        [&](const Member& m) { return m.evidence.value() - anchor_.scale * m.noise + scale * noise.of(m.action); },
        rest_.value() - anchor_.scale * anchor_.most + scale * table.least, answer);
  }

  // Of a record of so many rounds. At most `most` members, each an action of the problem whose total loss can be one.
  struct Limits {
    std::uint64_t rounds;
    std::size_t most;
  };
  void archive(Archive& a, const P& problem, const Limits& limits) {
    a.count("draw", anchor_.draw);
    a.field("scale", anchor_.scale);
    a.field("least", anchor_.least);
    a.field("most", anchor_.most);
    a.count("age", age_);
    rest_.archive(a, "rest", "rest_low", {kSavedNumbers.lo, std::numeric_limits<double>::infinity()});
    const std::uint64_t size = a.open_list("members", members_.size());
    if (a.reading() && size > limits.most) a.refuse("", "found more members than the pool may have");
    members_.resize(size);
    for (auto& member : members_) {
      a.item();
      member.evidence.archive(a, "evidence", "evidence_low");
      a.field("noise", member.noise);
      a.open("action");
      archive_value(a, member.action);
      if (a.reading() && !allows(problem, member.action)) a.refuse("", "found what is no action of this problem");
      a.close();
      if (a.reading() && !possible(member, limits.rounds))
        a.refuse("evidence", "found a total loss that no action can have after so many rounds");
    }
    a.close_list();
  }

 private:
  struct Member {
    Action action{};
    Sum evidence;      // at the anchor, and the losses since
    double noise = 0;  // of the anchor's draw
  };

  // The evidence of a plain pool is its members' total loss, up to rounding; noise comes with a constant of its own.
  bool possible(const Member& member, std::uint64_t rounds) const {
    const double loss = member.evidence.value(), most = static_cast<double>(rounds), window = 1e-6 + 1e-9 * most;
    return !plain() || (loss >= -window && loss <= most + window);
  }

  // The smallest member within the tie window of the least value, if no outsider can be there. Twice the
  // window, because sums of the same numbers in another order may differ by rounding.
  template <class Value>
  bool choose(Value&& value, double outside, Answer<Action>& answer) const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& member : members_) least = std::min(least, value(member));
    const double window = tie_window(least);
    if (!(least + 2 * window < outside)) return false;
    const Member* choice = nullptr;
    for (const auto& member : members_) {
      if (value(member) <= least + window && (!choice || member.action < choice->action)) choice = &member;
    }
    answer.action = choice->action;
    answer.value = value(*choice);
    answer.floor = answer.rest = least;
    answer.pool.clear();
    answer.nodes = answer.calls = 0;
    return true;
  }

  std::vector<Member> members_;
  Anchor anchor_;
  Sum rest_;
  std::uint64_t age_ = 0;
};

}  // namespace hannan

// Outcomes seen so far, summarised, and who leads on them: x = argmin of the sum, L* = its value.
//
// The leader is asked of the oracle at most once between two outcomes and kept, so a learner and
// its ledger share one search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "hannan/core/oracle.hpp"

namespace hannan {

template <class P>
class Record {
 public:
  explicit Record(std::shared_ptr<const AnyOracle<P>> oracle)
      : oracle_(std::move(oracle)), history_(oracle_->empty()) {}

  void add(const typename P::Outcome& y) {
    history_->add(y, 1.0);
    ++rounds_;
    leader_.reset();
  }

  const Answer<typename P::Action>& leader() const {
    if (!leader_) leader_ = perturbed(*history_, 0.0);
    return *leader_;
  }

  // argmin of everything seen + scale * noise.
  Answer<typename P::Action> perturbed(const AnyHistory<P>& noise, double scale) const {
    return oracle_->best({*history_, noise, scale}, 0);
  }

  std::uint64_t rounds() const { return rounds_; }

  void archive(Archive& a) {
    a.count("rounds", rounds_);
    a.open("history");
    history_->archive(a);
    a.close();
    leader_.reset();
  }

 private:
  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::unique_ptr<AnyHistory<P>> history_;
  std::uint64_t rounds_ = 0;
  mutable std::optional<Answer<typename P::Action>> leader_;
};

}  // namespace hannan

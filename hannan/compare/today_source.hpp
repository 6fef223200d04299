// A source whose rounds have, besides outcome and context, what was lost by what is done today and what others propose:
// the two that a portfolio is told (runtime/portfolio_learner.hpp). Both are asked for once a round, in order, because
// some of them count their calls.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hannan/compare/as_logged.hpp"
#include "hannan/game/proposal.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

// What is proposed for a round, from the values of its context.
using ProposalsOfRound = std::function<std::vector<Proposal>(std::span<const std::string> context)>;

class TodaySource final : public Source {
 public:
  // Either function may be empty. `hidden`: so many values at the end of a context are columns of proposals alone.
  struct Of {
    std::unique_ptr<Source> source;
    LossAsLogged today;
    ProposalsOfRound proposals;
    std::size_t hidden = 0;
  };
  explicit TodaySource(Of of) : of_(std::move(of)) {}

  bool next(AnyOutcome& outcome) override {
    if (!of_.source->next(outcome)) return false;
    if (of_.proposals) proposals_ = of_.proposals(of_.source->context());
    if (of_.today) today_ = of_.today(outcome);
    return true;
  }
  std::span<const std::string> context() const override {
    const auto all = of_.source->context();
    return all.first(all.size() - of_.hidden);
  }
  std::uint64_t context_not_numbers() const override { return of_.source->context_not_numbers(); }
  Proposals proposals() const override { return proposals_; }
  std::optional<double> today_loss() const override { return today_; }
  bool skip() override { return of_.source->skip(); }

 private:
  Of of_;
  std::vector<Proposal> proposals_;
  std::optional<double> today_;
};

}  // namespace hannan::detail

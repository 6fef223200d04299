#include "hannan/runtime/portfolio_requests.hpp"

#include <optional>
#include <string>
#include <vector>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/round_json.hpp"

namespace hannan::detail {
namespace {

namespace portfolio_answers {

using namespace round_fields;
constexpr RoundField kActed[] = {kNumber, kAction, kStrategy, kShare, kWeights, kHeld, kProposals};
constexpr RoundField kObserved[] = {kPlayedLoss, known(kRealised), kLosses, kTotal, known(kGain), known(kLow),
                                    kToday,      kShareCost,       kMixing, kHeld,  kWarm,        kOracleCalls};

}  // namespace portfolio_answers

// What is said of a round besides its outcome.
class PortfolioRequest {
 public:
  PortfolioRequest(const PortfolioLearner& learner, Fields& in) {
    if (const Json* given = in.maybe("proposals")) proposals_ = learner.read_proposals(*given, in.at("proposals"));
    if (learner.columns() > 0 && in.has("context"))
      read_context(in.need("context"), learner.columns(), in.at("context"), context_);
  }
  PortfolioLearner::Seen seen() const { return {context_, proposals_}; }

 private:
  std::vector<Proposal> proposals_;
  std::vector<std::string> context_;
};

// A loss that is no number of the problem is an outcome that cannot be played, whatever else it is.
const AnyOutcome& read_round(PortfolioLearner& learner, const Json& given) {
  try {
    return learner.read(given, "outcome");
  } catch (const Error& e) {
    if (e.code() != Code::kOutOfRange) throw;
    throw Error(Code::kBadOutcome, "round " + std::to_string(learner.rounds() + 1) + ": " + e.message(), e.at());
  }
}

}  // namespace

Json act_portfolio(PortfolioLearner& learner, Fields& in) {
  const PortfolioRequest request(learner, in);
  in.done();
  return round_json(learner.act(request.seen()), portfolio_answers::kActed);
}

// A rehearsed round says so, and has its proposals with it; those of a played round were told to act. The context may
// be said again.
Json observe_portfolio(PortfolioLearner& learner, Fields& in) {
  const bool warm = in.flag("warm", false) || learner.rehearses();
  if (in.has("proposals") && !warm)
    throw Error(Code::kOutOfRange,
                "found proposals with the outcome of a played round, expected them in act, or \"warm\": true",
                in.at("proposals"));
  const PortfolioRequest request(learner, in);
  std::optional<double> today;
  if (in.has("losses")) {
    Fields losses = in.fields("losses");
    today = losses.number("today");
    losses.done();
  }
  const Json& given = in.need("outcome");
  in.done();
  const AnyOutcome& outcome = read_round(learner, given);
  if (warm) {
    learner.rehearse(request.seen(), outcome, today);
  } else {
    learner.act(request.seen());
    learner.observe(outcome, today);
  }
  return round_json(learner.certified(), portfolio_answers::kObserved);
}

}  // namespace hannan::detail

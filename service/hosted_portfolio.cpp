// What is different for a portfolio: a round may be decided by what a request proposes, and an outcome may bring the
// loss of what is done today. A decision is no row of the log: it follows from the rounds before it and from what was
// proposed, which the row of its outcome has.
#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "service/codes.hpp"
#include "service/hosted_learner.hpp"

namespace hannan::detail::service {

std::vector<Proposal> HostedLearner::proposals_in(const Incoming& incoming) const {
  const PortfolioLearner* portfolio = made_.learner.as<PortfolioLearner>();
  if (!portfolio || incoming.proposals.is_null()) return {};
  return portfolio->read_proposals(incoming.proposals, "proposals");
}

// A round that was decided stays so until its outcome comes: act() holds it against other proposals.
Json HostedLearner::decide(const Json& request, Explained explained) {
  auto* portfolio = made_.learner.as<PortfolioLearner>();
  if (!portfolio || !portfolio->takes_proposals())
    throw Error(Code::kUnavailable,
                "found a learner that no strategy is proposed to, expected one; GET .../decision reads the decision of "
                "this one",
                "name");
  Fields in(request, "");
  const std::vector<Proposal> proposals =
      in.has("proposals") ? portfolio->read_proposals(in.need("proposals"), "proposals") : std::vector<Proposal>();
  std::vector<std::string> context;
  if (columns() > 0) read_context(in.need("context"), columns(), in.at("context"), context);
  in.done();
  const bool made = decided_by_request_ != current();
  const Round& decided = portfolio->act({context, proposals});
  decided_by_request_ = current();
  return Json::object({{"decision", decision_json(decided, explained)}, {"made", made}});
}

void HostedLearner::check_told(const Incoming& incoming, std::uint64_t round) const {
  const PortfolioLearner* portfolio = made_.learner.as<PortfolioLearner>();
  if (!portfolio) return;
  if (portfolio->takes_today() && !incoming.today)
    throw Error(Code::kMissingField, "expected the loss of what was done today, which is \"logged\"", "losses.today");
  if (!portfolio->takes_today() && incoming.today)
    throw Error(Code::kUnknownField, "found the loss of today, expected none: it follows from the outcome", "losses");
  proposals_in(incoming);
  const bool rehearsed = round <= made_.config.rehearsed;
  if (rehearsed && incoming.decision != 0)
    throw Error(Code::kOutOfRange,
                "found a decision, expected none: the first " + std::to_string(made_.config.rehearsed) +
                    " rounds are rehearsed and not decided",
                "decision");
  if (incoming.warm || rehearsed) return;
  if (!incoming.proposals.is_null())
    throw Error(Code::kOutOfRange,
                "found proposals with the outcome of a played round, expected them with POST .../decisions",
                "proposals");
  if (portfolio->takes_proposals() && decided_by_request_ != round)
    throw Error(kUnknownDecision,
                "found an outcome of a round that is not decided, expected POST .../decisions before it; with the same "
                "proposals it answers what it answered before a restart",
                "decision");
  if (portfolio->takes_proposals() && columns() > 0 && incoming.context != portfolio->context())
    throw Error(Code::kOutOfRange,
                "found another context than the round was decided by, expected " + dump(Json(portfolio->context())),
                "context");
}

}  // namespace hannan::detail::service

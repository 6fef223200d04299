// What is different for a learner with `delayed`: decisions are rows of the log, and outcomes name their rounds.
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/io/fields.hpp"
#include "service/hosted_learner.hpp"
#include "service/part_message.hpp"

namespace hannan::detail::service {

std::string HostedLearner::row_id(const Incoming& incoming) const {
  if (!delayed_) return incoming.id;
  if (incoming.kind == Incoming::Kind::kOutcome) return "o:" + incoming.id;
  return "d:" + std::to_string(delayed_->played() + 1);
}

Json HostedLearner::open_decision(std::uint64_t round) {
  return decision_json(made_.learner.as<DelayedLearner>()->act(round));
}

// Figures are taken only when rounds settle: the certificate is about settled rounds.
Row HostedLearner::play_delayed(DelayedLearner& learner, const Incoming& incoming) {
  Row row{.log = log_, .t = position() + 1, .id = row_id(incoming), .decision = 0, .time = 0, .line = {}};
  if (incoming.kind == Incoming::Kind::kDecide) {
    row.line = delayed_->decide(learner, incoming.id);
    row.decision = learner.round().number;
    last_decision_ = decision_json(learner.round());
    return row;
  }
  auto arrived = delayed_->observe(learner, incoming.decision, incoming.outcome);
  row.decision = incoming.decision;
  row.line = std::move(arrived.line);
  seen_ = learner.round();
  if (arrived.settled) take_figures(delayed_->settled(), incoming.outcome);
  return row;
}

// What made this row, to make it again.
Incoming HostedLearner::incoming_of(const Row& row) {
  Incoming incoming;
  incoming.decision = row.decision;
  const Json line = parse_json(row.line);
  Fields in(line, "");
  if (delayed_) {
    if (in.has("decide")) {
      incoming.kind = Incoming::Kind::kDecide;
      incoming.id = in.word("key", "");
      return incoming;
    }
    incoming.id = row.id.substr(2);
  } else {
    incoming.id = row.id;
    incoming.unattributed = row.decision == 0;
  }
  if (made_.learner.as<PartLearner>()) {
    incoming.seen = message_of(line);
    return incoming;
  }
  incoming.warm = in.flag("warm", false);
  if (auto* portfolio = made_.learner.as<PortfolioLearner>()) {
    if (const Json* losses = in.maybe("losses")) incoming.today = losses->at("today").as_number();
    const Json& all = in.need("proposals");
    if (portfolio->takes_proposals()) incoming.proposals = Json::object();
    for (std::size_t i = 0; i < portfolio->strategies() && portfolio->takes_proposals(); ++i) {
      if (portfolio->strategy(i).kind() == "given") incoming.proposals.set(portfolio->strategy(i).name(), all[i]);
    }
  }
  if (columns() > 0) read_context(in.need("context"), columns(), "context", incoming.context);
  made_.problem->game().read_outcome(in.need("outcome"), "outcome", incoming.outcome);
  return incoming;
}

}  // namespace hannan::detail::service

// Statements of a run out of the sums of its combiner (certificate.hpp has the inequalities, docs/theory-forecasts.md
// the proofs). Nothing is added up here but what the hedges kept, so that each is measured <= proven <= closed up to
// rounding. Cost: linear in members and models.
#include "hannan/forecasts/certificate.hpp"

#include <algorithm>

namespace hannan::detail {
namespace {

using Kind = ForecastMember::Kind;

double total_of(const Combiner& combiner, const ForecastMember& member) {
  return combiner.member_total(static_cast<std::size_t>(&member - combiner.plan().members.data()));
}

}  // namespace

ForecastCertificate certificate_of(const Combiner& combiner) {
  ForecastCertificate made;
  const CombinerPlan& plan = combiner.plan();
  const auto delay = static_cast<double>(combiner.longest_delay());
  const RegretHedge& top = combiner.top();
  for (std::size_t j = 0; j < plan.members.size(); ++j) {
    made.members.push_back(combiner.total() - combiner.member_total(j));
    made.members_linear.push_back(top.regret(j));
  }
  made.members_proven = top.proven();
  made.members_closed = top.closed(delay);
  if (const RegretHedge* mixture = combiner.mixture()) {
    const double off = combiner.total() - total_of(combiner, *plan.member(Kind::kMixture));
    made.convex = Proven{.measured = off + mixture->most_regret(),
                         .proven = top.proven() + mixture->proven(),
                         .closed = top.closed(delay) + mixture->closed(delay)};
    for (std::size_t k = 0; k < plan.models.size(); ++k) made.models.push_back(off + mixture->regret(k));
  }
  if (const RegretHedge* single = combiner.single()) {
    const double off = combiner.total() - total_of(combiner, *plan.member(Kind::kSingle));
    for (std::size_t k = 0; k < plan.models.size(); ++k) made.single.push_back(off + single->regret(k));
    made.single_limits = Proven{.measured = off + single->most_regret(),
                                .proven = top.proven() + single->proven(),
                                .closed = top.closed(delay) + single->closed(delay)};
  }
  for (std::size_t k = 0; k < plan.models.size(); ++k) made.direct.push_back(combiner.direct(k));
  for (const ForecastMember& member : plan.members) {
    if (member.kind != Kind::kMixtureBy) continue;
    ForecastCertificate::Segments of{.column = plan.by[member.place],
                                     .measured = combiner.total() - total_of(combiner, member),
                                     .proven = top.proven()};
    for (const Combiner::Segment& segment : combiner.segments()) {
      if (segment.column != member.place) continue;
      of.measured += combiner.hedge(segment.hedge).most_regret();
      of.proven += combiner.hedge(segment.hedge).proven();
    }
    made.segments.push_back(std::move(of));
  }
  return made;
}

Json certificate_json(const ForecastCertificate& certificate, const CombinerPlan& plan) {
  const auto by_name = [](const auto& names, const std::vector<double>& values) {
    Json made = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) made.set(names(i), values[i]);
    return made;
  };
  const auto member = [&](std::size_t j) { return plan.members[j].name; };
  const auto model = [&](std::size_t k) { return plan.models[k]; };
  const auto limits = [](const Proven& of) {
    return Json::object({{"measured", of.measured}, {"proven", of.proven}, {"closed", of.closed}});
  };
  Json made = Json::object({{"members", by_name(member, certificate.members)},
                            {"members_linear", by_name(member, certificate.members_linear)},
                            {"members_proven", certificate.members_proven},
                            {"members_closed", certificate.members_closed},
                            {"direct", by_name(model, certificate.direct)}});
  if (certificate.convex)
    made.set("convex", limits(*certificate.convex)).set("models", by_name(model, certificate.models));
  if (certificate.single_limits)
    made.set("single", limits(*certificate.single_limits)).set("single_models", by_name(model, certificate.single));
  if (!certificate.segments.empty()) {
    Json segments = Json::object();
    for (const auto& of : certificate.segments)
      segments.set(of.column, Json::object({{"measured", of.measured}, {"proven", of.proven}}));
    made.set("segments", std::move(segments));
  }
  return made;
}

}  // namespace hannan::detail

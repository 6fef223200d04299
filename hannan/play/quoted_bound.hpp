// What may be called the bound of a run, from its report: for the terminal and for pages.
#pragma once

#include <optional>
#include <string>

#include "hannan/io/json.hpp"

namespace hannan::detail {

// The first of these that the certificate has, on the plain regret (as stated_bound() in certify/certificate.hpp
// chooses from the bounds themselves):
//   kPath   a bound that holds on every path
//   kLimit  limit, or leaderless: with probability 1 - delta at every round at once
//   kMean   the least closed form of the expected regret
// Never `run`, `measured` or `exact`: these are estimates, and one value bounds nothing.
struct QuotedBound {
  std::string name;
  double value = 0;
  enum class Of { kPath, kLimit, kMean } of = Of::kMean;
  // Whether it is about the regret of the run itself. `limit` is about the conditional regret: each round in the mean
  // over its own draw, given the rounds before it.
  bool realised() const { return of == Of::kPath || name == "leaderless"; }
};

// Of a report as AnyLearner makes it, or what is left of one. None where nothing is proven, for learners by context,
// whose bounds are on the loss, and where noise was given, since a law is then only assumed.
std::optional<QuotedBound> quoted_bound(const Json& report);

// "95 %": the certainty of the limits of a report.
std::string certainty_text(const Json& report);

}  // namespace hannan::detail

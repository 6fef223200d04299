// What a line, or a node of a line, says of one learner's choice, and what the problem says that it loses.
#pragma once

#include <optional>

#include "hannan/io/fields.hpp"
#include "hannan/verify/rules.hpp"

namespace hannan::detail {

// action, multiplier or eta, regime, after, stability and estimates, as far as the learner's rule has them.
RecordedRound read_choice(Fields& in, const RecordedSetting& setting, const Claims& claims);

class ChoiceScore {
 public:
  ChoiceScore(const RecordedSetting& setting, const ListedActions& list, const Claims& claims)
      : s_(setting), list_(list), claims_(claims) {}

  // Fills in the places of the actions, where they are listed, and their losses.
  void score(RecordedRound& r, const AnyOutcome& outcome);
  // The unit of raw numbers, once a round has told.
  const std::optional<bool>& reward() const { return reward_; }

 private:
  std::optional<std::size_t> index_of(const Json& action, const char* field) const;

  const RecordedSetting& s_;
  const ListedActions& list_;
  const Claims& claims_;
  std::optional<bool> reward_;
};

}  // namespace hannan::detail

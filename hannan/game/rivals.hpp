// What is done about a problem without a learner: rivals that a comparison holds learners against.
//
// A problem offers them by Codec<P>::rivals, in one group that is given every outcome once. Each decides a round from
// the rounds before it. Some are rules (RivalRule) that a portfolio may have among its strategies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/any_value.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct RivalName {
  std::string name;
  std::string about;
};

// One that decides by the context of a round.
class ContextRival {
 public:
  virtual ~ContextRival() = default;
  // Its loss; then it learns the outcome.
  virtual double play_round(std::span<const std::string> context, const AnyOutcome& y) = 0;
};

// One that can be played by itself, saved and gone on with: it is told outcomes alone.
class RivalRule {
 public:
  virtual ~RivalRule() = default;
  // What it does in the coming round: an action of the problem, or, where `action` is empty, something else that has a
  // loss, such as the same label for every point.
  virtual Json proposal() const = 0;
  virtual const AnyAction* action() const { return nullptr; }
  virtual double loss(const AnyOutcome& y) const = 0;  // of that
  virtual void observe(const AnyOutcome& y) = 0;
  virtual void archive(Archive& a) = 0;
};
// Whether its decision has the same amount for every owner.
enum class Tied { kNo, kAll };

class RivalGroup {
 public:
  virtual ~RivalGroup() = default;
  virtual std::span<const RivalName> names() const = 0;
  // All of them decide, lose and learn. all_bids: of each bidder, where the outcome keeps only those that can set a
  // price; empty: the outcome has all.
  virtual void play_round(const AnyOutcome& y, std::span<const std::vector<double>> all_bids) = 0;
  virtual double last_loss(std::size_t i) const = 0;
  virtual double total(std::size_t i) const = 0;
  // What it would play next; none where that is no action of the problem.
  virtual std::optional<AnyAction> action(std::size_t i) const = 0;

  // What the first of them is: what is done today, and so the baseline where there is no other; or a decision without
  // the class of the actions, so that one that beats the best action in hindsight says that the class is too weak.
  enum class Place { kToday, kWithoutClass };
  virtual Place place() const = 0;
  // Of kWithoutClass: the name of the class, and what one of its actions is called.
  struct ActionClass {
    std::string name, one;
  };
  virtual ActionClass action_class() const { return {}; }

  // After the last round: the best of a family of actions in hindsight.
  struct InHindsight {
    RivalName name;
    AnyAction action;
  };
  virtual std::optional<InHindsight> in_hindsight() const { return std::nullopt; }

  // Rules by name; null for a name that is none of rule_names(). Throws kUnavailable where owners cannot be tied.
  virtual std::span<const std::string_view> rule_names() const { return {}; }
  virtual std::unique_ptr<RivalRule> rule(std::string_view /*name*/, Tied /*tied*/) const { return nullptr; }

  // One with a decision for each context; contexts beyond the first `most` share one. Null: there is none.
  struct ByContext {
    RivalName name;
    std::unique_ptr<ContextRival> rival;
  };
  virtual ByContext by_context(std::uint64_t /*most*/) const { return {}; }
};

}  // namespace hannan::detail

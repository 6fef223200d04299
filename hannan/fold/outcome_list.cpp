// An "oracle" whose history is the list of distinct outcomes with their weights, as text of JSON: for folds that are to
// keep the outcomes themselves. Searches are handed to the problem's own oracle.
#include "hannan/fold/outcome_list.hpp"

#include <string>
#include <utility>

#include "hannan/external/written_history.hpp"

namespace hannan::detail {
namespace {

class OutcomeListOracle final : public GameOracle {
 public:
  OutcomeListOracle(std::shared_ptr<const Game> game, std::shared_ptr<const GameOracle> searching)
      : game_(std::move(game)), searching_(std::move(searching)) {}

  const std::string& name() const override { return name_; }
  const Game& problem() const override { return *game_; }
  bool takes_negative_weights() const override { return false; }  // weights count outcomes
  bool takes_tables() const override { return false; }
  bool scales() const override { return searching_->scales(); }
  std::unique_ptr<GameHistory> empty() const override { return std::make_unique<WrittenHistory>(game_); }
  std::shared_ptr<const GameOracle> limited(std::uint64_t work) const override {
    auto limited = searching_->limited(work);
    return limited ? std::make_shared<OutcomeListOracle>(game_, std::move(limited)) : nullptr;
  }
  GameAnswer best(Evidence<GameHistory> e, std::size_t keep) const override {
    const auto data = told(e.data), noise = told(e.noise);
    return searching_->best({*data, *noise, e.scale}, keep);
  }

 private:
  // The listed outcomes as a history of the oracle that searches, O(distinct outcomes) a call.
  std::unique_ptr<GameHistory> told(const GameHistory& history) const {
    auto made = searching_->empty();
    for (const auto& [text, entry] : static_cast<const WrittenHistory&>(history).entries())
      made->add(entry.outcome, entry.weight);
    return made;
  }

  std::string name_{kOutcomeList};
  std::shared_ptr<const Game> game_;
  std::shared_ptr<const GameOracle> searching_;
};

}  // namespace

std::shared_ptr<const GameOracle> outcome_list_oracle(std::shared_ptr<const Game> game,
                                                      std::shared_ptr<const GameOracle> searching) {
  return std::make_shared<OutcomeListOracle>(std::move(game), std::move(searching));
}

Json listed_outcomes_of(const GameHistory& history) {
  Json list = Json::array();
  for (const auto& [text, entry] : static_cast<const WrittenHistory&>(history).entries())
    list.push_back(parse_json(text));
  return list;
}

}  // namespace hannan::detail

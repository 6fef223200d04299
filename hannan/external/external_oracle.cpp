// A call: merge data and scaled noise by the texts of outcomes, send, read an action, score it with the problem's own
// loss. value = sum of w f(x, y) is ours; floor is the sum of the negative weights, or what the program claims if that
// is more, and never above value. Cost: O(n) text, O(n) losses, and n losses for each witness, n the number of distinct
// outcomes.
#include "hannan/external/external_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/external/external_program.hpp"
#include "hannan/external/written_history.hpp"

namespace hannan::detail {
namespace {

// Not for several threads at once: there is one program, and what was asked is remembered without a lock.
class ExternalOracle final : public GameOracle {
 public:
  using History = WrittenHistory;

  ExternalOracle(std::shared_ptr<const Game> problem, std::unique_ptr<AskedOracle> asked)
      : problem_(std::move(problem)), asked_(std::move(asked)) {}

  const std::string& name() const override { return asked_->name(); }
  const Game& problem() const override { return *problem_; }
  bool takes_negative_weights() const override { return asked_->claims().takes_negative_weights; }
  bool takes_tables() const override { return false; }
  std::string_view claims() const override { return asked_->claims().exact ? "claimed exact" : "claimed floors"; }
  std::unique_ptr<GameHistory> empty() const override { return std::make_unique<History>(problem_); }
  std::shared_ptr<const GameOracle> limited(std::uint64_t) const override { return nullptr; }

  // The pool is the answer alone; `rest` is its floor, so that no pool proves anything by it.
  GameAnswer best(Evidence<GameHistory> e, std::size_t keep) const override {
    const auto question = write({static_cast<const History&>(e.data), static_cast<const History&>(e.noise), e.scale});
    GameAnswer answer = remembered(question);
    if (keep > 0) answer.pool = {{answer.action, answer.value}};
    return answer;
  }

 private:
  struct Point {
    const AnyOutcome* outcome;
    double weight;
  };
  struct Question {
    std::string text;
    std::vector<Point> points;
  };
  // Both chosen: a question is O(n) to keep, and a witness costs n losses a call.
  static constexpr std::size_t kQuestions = 4;  // remembered; a round asks at most three
  static constexpr std::size_t kWitnesses = 8;  // earlier answers that claims are held against

  // Both histories are ordered by text: one walk over the two merges them.
  static Question write(Evidence<History> e) {
    Question q{"[", {}};
    const auto put = [&](const std::string& text, const AnyOutcome& y, double weight) {
      if (weight == 0) return;
      q.text +=
          (q.points.empty() ? "{\"weight\":" : ",{\"weight\":") + number_text(weight) + ",\"outcome\":" + text + "}";
      q.points.push_back({&y, weight});
    };
    auto noise = e.noise.entries().begin();
    const auto end = e.scale == 0 ? noise : e.noise.entries().end();
    for (const auto& [text, entry] : e.data.entries()) {
      for (; noise != end && noise->first < text; ++noise)
        put(noise->first, noise->second.outcome, e.scale * noise->second.weight);
      const bool both = noise != end && noise->first == text;
      put(text, entry.outcome, entry.weight + (both ? e.scale * noise->second.weight : 0.0));
      if (both) ++noise;
    }
    for (; noise != end; ++noise) put(noise->first, noise->second.outcome, e.scale * noise->second.weight);
    q.text += "]";
    return q;
  }

  // The same question twice in a round is answered from memory: the program need not be deterministic for a learner to
  // be.
  GameAnswer remembered(const Question& q) const {
    for (const auto& [text, answer] : known_) {
      if (text == q.text) return answer;
    }
    const GameAnswer answer = ask(q);
    known_.emplace_front(q.text, answer);
    if (known_.size() > kQuestions) known_.pop_back();
    return answer;
  }

  GameAnswer ask(const Question& q) const {
    const auto reply = asked_->ask(q.text);
    GameAnswer answer;
    try {
      answer.action = problem_->parse_action(reply.action, "action");
    } catch (const Error& e) {
      asked_->refuse(Code::kOracleAnswer, "found the answer " + describe(reply.action) +
                                              ", which is no action of this problem: " + e.message());
    }
    answer.value = score(q, answer.action);
    audit(q, answer, reply.floor);
    // No loss is below 0 nor above 1, so an outcome of negative weight adds at least its weight and one of positive
    // weight at least 0; where the range is unknown, the outcome says it.
    const bool inside = problem_->loss_range() == LossRange::kUnitInterval;
    double least = 0;
    for (const auto& [outcome, weight] : q.points) {
      const LossSpread spread = inside ? LossSpread{} : problem_->spread(*outcome);
      least += weight * (weight < 0 ? spread.most : spread.least);
    }
    answer.floor =
        asked_->claims().exact ? answer.value : std::min(answer.value, std::max(least, reply.floor.value_or(least)));
    answer.rest = answer.floor;
    return answer;
  }

  // By the problem's own losses, whatever value the program had in mind.
  double score(const Question& q, const AnyAction& x) const {
    double sum = 0;
    for (const auto& [outcome, weight] : q.points) sum += weight * problem_->loss(x, *outcome);
    return sum;
  }

  // The answer and those before it, held against the program's claims.
  // Witnesses are the actions that the program itself answered, the newest first, this one included; an equal one moves
  // to the front. sum_window(weight) is what rounding may do to a sum of such weights.
  void audit(const Question& q, const GameAnswer& answer, std::optional<double> floor) const {
    witnesses_.erase(std::remove(witnesses_.begin(), witnesses_.end(), answer.action), witnesses_.end());
    witnesses_.push_front(answer.action);
    if (witnesses_.size() > kWitnesses) witnesses_.pop_back();
    if (!asked_->claims().exact && !floor) return;
    double weight = 0;
    for (const auto& point : q.points) weight += std::abs(point.weight);
    for (const AnyAction& x : witnesses_) {
      const double value = score(q, x);
      const std::string witness = "action " + dump(problem_->action_json(x)) + " has the value " + number_text(value);
      if (floor && value < *floor - sum_window(weight)) {
        asked_->refuse(Code::kOracleClaim,
                       "the program claims that no action is below " + number_text(*floor) + ", but " + witness);
      }
      if (asked_->claims().exact && value < answer.value - sum_window(weight)) {
        asked_->refuse(Code::kOracleClaim, "the program claims to be exact and answers " +
                                               dump(problem_->action_json(answer.action)) + " of value " +
                                               number_text(answer.value) + ", but " + witness);
      }
    }
  }

  std::shared_ptr<const Game> problem_;
  std::unique_ptr<AskedOracle> asked_;
  mutable std::deque<std::pair<std::string, GameAnswer>> known_;  // newest first
  mutable std::deque<AnyAction> witnesses_;                       // newest first
};

}  // namespace

std::shared_ptr<const GameOracle> external_oracle(std::shared_ptr<const Game> problem,
                                                  std::unique_ptr<AskedOracle> asked) {
  return std::make_shared<ExternalOracle>(std::move(problem), std::move(asked));
}

std::shared_ptr<const GameOracle> external_oracle(std::shared_ptr<const Game> problem, const std::string& name,
                                                  std::string_view path) {
  const Json described = Json::object({{"kind", problem->kind()}, {"params", problem->params()}});
  return external_oracle(std::move(problem), std::make_unique<ExternalProgram>(name, described, path));
}

}  // namespace hannan::detail

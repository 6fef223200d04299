// The lock of an entry is given back before those who wait are woken.
#include "service/entry.hpp"

#include <utility>

#include "hannan/core/text.hpp"

namespace hannan::detail::service {

std::string Submission::Part::at(std::size_t i, std::string_view field) const {
  return path_of(i < places.size() ? path_of("outcomes", places[i]) : std::string(), field);
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::kCold:
      return "cold";
    case Status::kReady:
      return "ready";
    case Status::kQuarantined:
      return "quarantined";
    case Status::kEnded:
      return "ended";
  }
  return "";
}

Entry::Entry(StoredLearner stored, LearnerConfig config, std::shared_ptr<const AnyProblem> problem, std::size_t columns)
    : stored_(std::move(stored)), config_(std::move(config)), problem_(std::move(problem)), columns_(columns) {}

std::optional<DecidedAction> Entry::Now::decided() const {
  if (!published) return last;
  if (published->action.is_null()) return std::nullopt;
  DecidedAction decided{
      .generation = published->generation, .round = published->current, .action = published->action, .look_share = 0};
  const Json* look = published->decision.find("look_action");
  const bool client = !published->part.is_null() && published->part.find("waiting");
  if (client && look && !look->is_null()) decided.look_share = published->decision.at("share").as_number();
  return decided;
}

void Entry::set_id(std::int64_t id) {
  stored_.id = id;
  if (own.learner) own.learner->set_log(log());
}

Entry::Now Entry::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

void Entry::set(Now now) {
  {
    const std::lock_guard lock(mutex_);
    now_ = std::move(now);
  }
  wake();
}

void Entry::when_changed(std::weak_ptr<Wake> sleeper) { sleepers_.add(std::move(sleeper)); }

void Entry::wake() { sleepers_.wake(); }

}  // namespace hannan::detail::service

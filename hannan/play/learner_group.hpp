// Learners of one problem fed in step, behind the face of a single one, so that any source that does not answer
// actions can feed them. Each outcome is read once, and where it can be is summarised once (core/past.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/streams/source.hpp"

namespace hannan {

class LearnerGroup : public AnyLearner {
 public:
  explicit LearnerGroup(const AnyProblem& problem) : problem_(problem) {}

  // Before the first round.
  void join(std::unique_ptr<AnyLearner> learner) {
    for (const auto& other : learners_) learner->share(*other);
    learners_.push_back(std::move(learner));
    views_.emplace_back();
  }
  std::size_t size() const { return learners_.size(); }
  AnyLearner& operator[](std::size_t i) { return *learners_[i]; }
  const ObserveView& view(std::size_t i) const { return views_[i]; }  // of its last round

  // Gives everybody the next outcome; false at the end. A source that answers actions needs a crowd of one.
  bool fed_by(Source& source) {
    ObserveView unused;
    if (learners_.size() != 1) return source.feed(*this, unused);
    return source.feed(*learners_[0], views_[0]) && ++rounds_;
  }

  std::uint64_t rounds() const override { return rounds_; }
  std::size_t row_width() const override { return problem_.row_width(); }
  ActView act() override {
    for (const auto& learner : learners_) learner->act();
    return {};
  }
  ObserveView observe(const Json& outcome, std::string_view path) override {
    act();
    for (std::size_t i = 0; i < learners_.size(); ++i) views_[i] = learners_[i]->observe(outcome, path);
    ++rounds_;
    return {};
  }
  ObserveView observe_row(std::span<const double> row) override {
    act();
    for (std::size_t i = 0; i < learners_.size(); ++i) views_[i] = learners_[i]->observe_row(row);
    ++rounds_;
    return {};
  }

  // What a crowd has no answer to.
  const std::string& kind() const override { return name_; }
  const Json& params() const override { return params_; }
  bool adapts_multiplier() const override { return false; }
  bool switches() const override { return false; }
  Json action() override { return {}; }
  Json after() override { return {}; }
  Json last_outcome() override { return {}; }
  RunFacts facts() override { return {}; }
  std::optional<double> bound() override { return std::nullopt; }
  Json report() override { return {}; }
  Json save() override { return {}; }

 protected:
  const AnyProblem& problem_;

 private:
  std::vector<std::unique_ptr<AnyLearner>> learners_;
  std::vector<ObserveView> views_;
  std::string name_ = "crowd";
  Json params_ = Json::object();
  std::uint64_t rounds_ = 0;
};

}  // namespace hannan

// What boxes and trees share: every rule has a mixed-radix number, and where the points are few all rules
// are listed in the order of these numbers, equal ones merged.
//
// Listing costs rules times points, once, and then every call passes over the list; beyond kMostListingWork, or where
// the list is long, the class keeps the numbers themselves as codes and is searched.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "hannan/problems/classification/hypotheses.hpp"

namespace hannan::detail {

class CodedHypotheses : public Hypotheses {
 public:
  static constexpr double kMostListingWork = 5e7;     // below a second
  static constexpr std::size_t kMostFlips = 500'000;  // every call makes them all: a millisecond or two

  std::size_t points() const final { return points_; }
  const HypothesisWalk* walk() const final { return walk_ ? &*walk_ : nullptr; }
  double ln_size() const final { return std::log(walk_ ? static_cast<double>(walk_->size()) : rules()); }
  bool says(std::uint64_t code, std::size_t point) const final { return rule_says(rule(code), point); }
  bool allows(std::uint64_t code) const final { return walk_ ? code < walk_->size() : is_rule(code); }
  ClassifierRule describe(std::uint64_t code) const final { return describe_rule(rule(code)); }
  std::optional<std::uint64_t> find(const ClassifierRule& written) const final {
    const auto found = find_rule(written);
    if (!walk_ || !found) return found;
    SetPrint print;
    for (std::size_t i = 0; i < points_; ++i) {
      if (rule_says(*found, i)) print.flip(i);
    }
    return walk_->find(print);  // every rule was listed
  }
  std::vector<std::uint64_t> first(std::uint64_t limit) const final {
    std::vector<std::uint64_t> codes;
    if (!walk_) {
      for (auto r = std::optional<std::uint64_t>(0); r && codes.size() < limit; r = next(*r)) codes.push_back(*r);
    } else {
      for (std::uint64_t k = 0; k < walk_->size() && k < limit; ++k) codes.push_back(k);
    }
    return codes;
  }

  // Lists the rules if they are few; the maker of a class calls it once.
  void list(double most_work = kMostListingWork) {
    if (rules() * static_cast<double>(points_) > most_work) return;
    HypothesisWalk walk(points_);
    for (auto r = std::optional<std::uint64_t>(0); r; r = next(*r)) {
      walk.go([&](std::size_t i) { return rule_says(*r, i); });
      if (walk.stop()) listed_.push_back(*r);
      if (walk.too_long() || walk.flips() > kMostFlips) {
        listed_ = {};
        return;
      }
    }
    walk.finish();
    walk_ = std::move(walk);
  }

 protected:
  explicit CodedHypotheses(std::size_t points) : points_(points) {}

  virtual double rules() const = 0;                                         // how many, equal ones counted
  virtual std::optional<std::uint64_t> next(std::uint64_t rule) const = 0;  // 0 is the first
  virtual bool is_rule(std::uint64_t code) const = 0;
  virtual bool rule_says(std::uint64_t rule, std::size_t point) const = 0;
  virtual ClassifierRule describe_rule(std::uint64_t rule) const = 0;
  virtual std::optional<std::uint64_t> find_rule(const ClassifierRule& written) const = 0;

 private:
  std::uint64_t rule(std::uint64_t code) const { return walk_ ? listed_[code] : code; }

  std::size_t points_;
  std::optional<HypothesisWalk> walk_;
  std::vector<std::uint64_t> listed_;  // the rule of hypothesis k
};

}  // namespace hannan::detail

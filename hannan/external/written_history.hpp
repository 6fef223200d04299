// A history that is the list of distinct outcomes with their weights, by their JSON text: each is written out once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "hannan/core/archive.hpp"
#include "hannan/core/error.hpp"
#include "hannan/game/game.hpp"

namespace hannan::detail {

class WrittenHistory final : public GameHistory {
 public:
  struct Entry {
    AnyOutcome outcome;
    double weight = 0;
  };
  explicit WrittenHistory(std::shared_ptr<const Game> problem) : problem_(std::move(problem)) {}

  void add(const AnyOutcome& y, double weight) override {
    entries_.try_emplace(dump(problem_->outcome_json(y)), Entry{y, 0.0}).first->second.weight += weight;
  }
  void add_table(std::size_t, std::span<const double>) override {}  // never poured: takes_tables() is false
  void scale(double factor) override {
    for (auto& [text, entry] : entries_) entry.weight *= factor;
  }
  void clear() override { entries_.clear(); }
  void archive(Archive& a) override {
    const auto size = a.open_list("outcomes", entries_.size());
    if (a.reading()) {
      entries_.clear();
      for (std::uint64_t i = 0; i < size; ++i) {
        std::string text;
        double weight = 0;
        a.item();
        a.field("weight", weight, kSavedLosses);
        a.field("outcome", text);
        if (!entries_.try_emplace(text, Entry{parse_saved(a, text), weight}).second)
          a.refuse("outcome", "found this outcome twice");
      }
    } else {
      for (const auto& [written, entry] : entries_) {
        std::string text = written;
        double weight = entry.weight;
        a.item();
        a.field("weight", weight);
        a.field("outcome", text);
      }
    }
    a.close_list();
  }
  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  AnyOutcome parse_saved(const Archive& a, const std::string& text) const {
    AnyOutcome y;
    try {
      problem_->read_outcome(parse_json(text), "outcome", y);
    } catch (const Error& e) {
      a.refuse("outcome", e.message());
    }
    if (dump(problem_->outcome_json(y)) != text)
      a.refuse("outcome", "found an outcome that is not written as this program writes it");
    return y;
  }

  std::shared_ptr<const Game> problem_;
  std::map<std::string, Entry> entries_;
};

}  // namespace hannan::detail

// The chosen action over time: a panel per coordinate where actions are numbers or lists of them, and how often
// each was chosen. Actions of another shape (routes, classifiers) have the count only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/json.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/log_names.hpp"
#include "hannan/report/thinned.hpp"

namespace hannan::detail {

// The numbers of an action: itself, or those of a list, inner lists in order. Empty: it has another shape.
std::vector<double> coordinates_of(const Json& action);

// What the coordinates of a problem's actions are called, and in which unit they are shown.
struct ActionWords {
  std::string title = "Chosen action";
  std::string about;
  std::string unit = "value";
  double scale = 1;  // of a recorded number
  std::string one = "coordinate";
  std::vector<std::string> names;  // of coordinates; those without one are numbered: "bidder 3"
  // Numbers are places in these lists, one for each coordinate or one for all; empty: they are what they are.
  std::vector<std::vector<double>> lists;
  std::vector<std::string> choices;  // what a number names, where it is the place of a thing: "alice" of 0
  std::string currency;              // of the values, where they are prices in it
  std::string prefix;                // of a value in words, where a number alone would say nothing: "expert "
  std::string suffix;                // of a value in words, where it is no price: "\u00a0% of the value"
  bool drawn = true;                 // false: numbers that name things, such as the edges of a route
  std::string name(std::size_t coordinate) const;
  double value(std::size_t coordinate, double number) const;  // what a recorded number stands for, in `unit`
  std::string text(double value) const;                       // "3.60 USD", "7", "alice"
  std::string action_text(const std::string& json) const;     // of a whole action, for a table
};
ActionWords action_words(const std::string& problem, const Json& params, const LogNames& log);
// How its pages show actions; of a problem that is not registered here: a list of numbers.
ActionLabels labels_of(std::string_view problem);
// What the problem says of money; null where it says nothing, or is none that is registered here.
std::shared_ptr<const Money> money_of(const std::string& problem, const Json& params);

class ActionPanels {
 public:
  static constexpr std::size_t kMostPanels = 24;
  static constexpr std::size_t kMostCounted = 100'000;  // distinct actions; those that come later share one count

  void add(std::uint64_t round, const Json& action);
  std::uint64_t changes() const { return changes_; }
  const Thinned& change_path() const { return change_path_; }
  void write_panels(Json& blocks, const ActionWords& words) const;  // where there are any
  void write_counts(Json& blocks, const ActionWords& words) const;  // the most frequent ones

 private:
  Json counts_table(const ActionWords& words) const;

  std::uint64_t rounds_ = 0, changes_ = 0, uncounted_ = 0;
  Thinned change_path_;
  bool drawable_ = true;
  std::size_t coordinates_ = 0;
  std::vector<Thinned> panels_;
  std::string last_;
  std::unordered_map<std::string, std::uint64_t> counts_;
};

}  // namespace hannan::detail

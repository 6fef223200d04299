// Classifiers given outright, row by row; equal rows stay apart, because the index is their name.
#include "hannan/problems/classification/listed_hypotheses.hpp"

namespace hannan::detail {
namespace {

class TabledClass final : public ListedHypotheses {
 public:
  TabledClass(HypothesisWalk walk, std::vector<std::vector<bool>> rows)
      : ListedHypotheses(std::move(walk)), rows_(std::move(rows)) {}
  bool says(std::uint64_t code, std::size_t point) const override { return rows_[code][point]; }
  ClassifierRule describe(std::uint64_t code) const override { return ListedRule{code}; }
  std::optional<std::uint64_t> find(const ClassifierRule& rule) const override {
    const auto* listed = std::get_if<ListedRule>(&rule);
    return listed && listed->place < rows_.size() ? std::optional(listed->place) : std::nullopt;
  }

 private:
  std::vector<std::vector<bool>> rows_;
};

}  // namespace
HypothesesPtr tabled_hypotheses(const std::vector<std::vector<double>>& rows) {
  using namespace detail;
  HypothesisWalk walk(rows[0].size(), HypothesisWalk::Equals::kKept);
  std::vector<std::vector<bool>> all;
  for (const auto& row : rows) {
    std::vector<bool> says(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) says[i] = row[i] != 0;
    walk.go([&](std::size_t i) { return says[i]; });
    walk.stop();
    all.push_back(std::move(says));
  }
  return std::make_shared<TabledClass>(std::move(walk), std::move(all));
}

}  // namespace hannan::detail

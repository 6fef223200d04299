// The rivals of a classifier (label_rivals.hpp) on the same labelled points, and a classifier in words.
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/problems/classification/classification_codec.hpp"
#include "hannan/problems/classification/label_rivals.hpp"
#include "hannan/problems/classification/rule_words.hpp"

namespace hannan::detail {
namespace {

// "tree of depth 2" for trees2.
std::string one_of_class(const std::string& class_name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kWords{{{"thresholds", "threshold"},
                                                                                        {"stumps", "stump"},
                                                                                        {"rectangles", "rectangle"},
                                                                                        {"halfplanes", "halfplane"},
                                                                                        {"trees2", "tree of depth 2"},
                                                                                        {"trees3", "tree of depth 3"},
                                                                                        {"votes", "vote"}}};
  for (const auto& [name, word] : kWords) {
    if (name == class_name) return std::string(word);
  }
  return "classifier";
}

// The same label for every point: the one that came more often so far (ties: 0), or the last one; 0 at first.
class LabelRule final : public RivalRule {
 public:
  enum class By { kMajority, kLast };
  explicit LabelRule(By by) : by_(by) {}
  Json proposal() const override { return Json(label()); }
  double loss(const AnyOutcome& y) const override { return y.get<LabelledPoint>().label == label() ? 0 : 1; }
  void observe(const AnyOutcome& y) override {
    last_ = y.get<LabelledPoint>().label;
    ++(last_ == 1 ? ones_ : zeros_);
  }
  void archive(Archive& a) override {
    a.count("zeros", zeros_);
    a.count("ones", ones_);
    a.count("last", last_, 1);
  }

 private:
  std::uint32_t label() const {
    if (by_ == By::kLast) return last_;
    return ones_ > zeros_ ? 1 : 0;
  }

  By by_;
  std::uint64_t zeros_ = 0, ones_ = 0;
  std::uint32_t last_ = 0;
};

class LabelRivalGroup final : public RivalGroup {
 public:
  explicit LabelRivalGroup(const Classification& problem) : class_name_(problem.class_name()) {
    if (!class_name_.empty()) points_ = problem.table();
    for (auto& rival : label_rivals(points_)) {
      names_.push_back({rival.name, rival.about});
      members_.push_back({std::move(rival.rival), {}, 0});
    }
  }
  LabelRivalGroup(const LabelRivalGroup&) = delete;  // the rivals look at the points
  LabelRivalGroup& operator=(const LabelRivalGroup&) = delete;

  std::span<const RivalName> names() const override { return names_; }
  void play_round(const AnyOutcome& outcome, std::span<const std::vector<double>>) override {
    const auto& y = outcome.get<LabelledPoint>();
    for (auto& [rival, total, last] : members_) {
      last = rival->decide(y.point) == y.label ? 0 : 1;
      total.add(last);
      rival->observe(y);
    }
  }
  double last_loss(std::size_t i) const override { return members_[i].last; }
  double total(std::size_t i) const override { return members_[i].total.value(); }
  std::optional<AnyAction> action(std::size_t) const override { return std::nullopt; }
  std::span<const std::string_view> rule_names() const override {
    static constexpr std::array<std::string_view, 2> kNames{"majority", "last"};
    return kNames;
  }
  std::unique_ptr<RivalRule> rule(std::string_view name, Tied tied) const override {
    if (name != "majority" && name != "last") return nullptr;
    if (tied == Tied::kAll)
      throw Error(Code::kUnavailable, "found \"tied\", expected none: a label has no owners", "tied");
    return std::make_unique<LabelRule>(name == "last" ? LabelRule::By::kLast : LabelRule::By::kMajority);
  }
  Place place() const override { return Place::kWithoutClass; }
  ActionClass action_class() const override {
    return {.name = class_name_.empty() ? "predictions" : class_name_, .one = one_of_class(class_name_)};
  }

 private:
  struct Member {
    std::unique_ptr<LabelRival> rival;
    Sum total;
    double last = 0;  // loss of the last round
  };
  std::string class_name_;  // empty: predictions, without points
  PointTable points_;
  std::vector<RivalName> names_;
  std::vector<Member> members_;
};

}  // namespace

std::unique_ptr<RivalGroup> Codec<Classification>::rivals(const std::shared_ptr<const Classification>& p) {
  return std::make_unique<LabelRivalGroup>(*p);
}

std::string Codec<Classification>::action_words(const Json& action) { return rule_words(action); }

}  // namespace hannan::detail

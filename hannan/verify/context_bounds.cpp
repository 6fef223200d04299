#include "hannan/verify/context_bounds.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

constexpr const char* kMixingSays = "on every path: the total loss is at most this";
constexpr const char* kSegmentsSay = "in the mean over the learners' noise the total loss is at most this";

class ContextBounds {
 public:
  ContextBounds(const ContextBoundsInput& in, double beside) : in_(in), beside_(beside) {}

  std::vector<std::string> check(const Json::Array& found) {
    if (found.empty()) in_.claims.reject("end.certificate.bounds", "\"mixing\" applies and is missing");
    check_mixing(found.front());
    const auto expected = proven_prunings();
    if (found.size() != 1 + expected.size())
      in_.claims.reject("end.certificate.bounds", "found " + std::to_string(found.size()) + " bounds, expected " +
                                                      std::to_string(1 + expected.size()));
    std::set<std::string> seen;
    double last = -1;
    for (std::size_t i = 1; i < found.size(); ++i) {
      Fields bound(found[i], path_of("end.certificate.bounds", i));
      if (bound.word("name") != "segments") in_.claims.reject(bound.at("name"), "expected \"segments\"");
      const std::string name = bound.word("pruning");
      const auto match = expected.find(name);
      if (match == expected.end() || !seen.insert(name).second)
        in_.claims.reject(bound.at("pruning"),
                          "found \"" + name + "\", which does not apply here, or was there already");
      const double value = bound.number("value", kExtended);
      if (value < last)
        in_.claims.reject(bound.at("value"), "found a smaller one than before, expected the least first");
      last = value;
      check_segments(bound, match->second);
    }
    return said_;
  }

 private:
  void check_said(Fields& bound, const char* says) const {
    if (bound.word("side") != "upper")
      in_.claims.reject(bound.at("side"), "found a lower bound, expected an upper one");
    if (bound.word("says") != says) in_.claims.reject(bound.at("says"), "found another sentence than the one for it");
  }

  struct NamedPruning {
    RecomputedPruning pruning;
    double value = 0, wait = 0;
  };
  // Those that depend on the data alone, by name.
  std::map<std::string, NamedPruning> proven_prunings() const {
    std::map<std::string, NamedPruning> all;
    const bool adapts = in_.setting.facts().multiplies;  // ada, flipflop
    if (!adapts || in_.setting.noise.once || !in_.setting.noise.gamma || !in_.setting.noise.gamma_serves() || !in_.M)
      return all;
    all["root"] = {.pruning = root_again(in_.tree, in_.least)};
    for (std::size_t j = 0; j < in_.tree.orders(); ++j)
      all[in_.tree.orders() == 1 ? "finest" : "finest " + std::to_string(j + 1)] = {
          .pruning = finest_again(in_.tree, in_.least, j)};
    for (double penalty = 1; penalty <= 0x1p52; penalty *= 2) {
      auto pruning = best_pruning_again(in_.tree, in_.least, penalty);
      const bool last = pruning.leaves.size() == 1;
      all["penalty " + number_text(penalty)] = {.pruning = std::move(pruning)};
      if (last) break;
    }
    std::erase_if(all, [](const auto& named) { return !named.second.pruning.open; });
    for (auto& [name, named] : all) {
      const RecomputedPruning& p = named.pruning;
      const auto n = static_cast<double>(p.leaves.size());
      named.wait = static_cast<double>(in_.setting.contexts->open) * (p.leaves.front() == 0 ? n - 1 : n);
      named.value = p.loss + segments_again({.flips = in_.setting.facts().switches,
                                             .n = n,
                                             .k = static_cast<double>(p.mixing),
                                             .levels = static_cast<double>(p.levels),
                                             .orders = static_cast<double>(in_.tree.orders()),
                                             .gamma = *in_.setting.noise.gamma,
                                             .M = *in_.M,
                                             .best = p.loss,
                                             .wait = named.wait,
                                             .gap = in_.gap});
    }
    return all;
  }

  void check_mixing(const Json& found) {
    Fields bound(found, "end.certificate.bounds[0]");
    if (bound.word("name") != "mixing") in_.claims.reject(bound.at("name"), "expected \"mixing\"");
    check_said(bound, kMixingSays);
    const RecomputedMixing mixing = mixing_again(in_.tree);
    in_.claims.expect(bound.at("value"), bound.number("value"), mixing.value);
    in_.claims.expect_count(bound.at("leaves"), bound.integer("leaves"), mixing.leaves);
    if (!bound.flag("holds")) in_.claims.reject(bound.at("holds"), "found false, expected true: the bound is proven");
    if (in_.total > mixing.value && !agree(in_.total, mixing.value, in_.claims.precision()))
      in_.claims.reject(bound.at("holds"), "found true, but the total is above the bound");
    in_.claims.expect("end.mixing", beside_, mixing.value);
    bound.done();
    said_.push_back("mixing: loss <= " + fmt::format("{:.6g}", mixing.value) + ", holds");
  }

  void check_segments(Fields& bound, const NamedPruning& expected) {
    const RecomputedPruning& p = expected.pruning;
    check_said(bound, kSegmentsSay);
    in_.claims.expect(bound.at("best"), bound.number("best"), p.loss);
    in_.claims.expect_count(bound.at("n"), bound.integer("n"), p.leaves.size());
    in_.claims.expect_count(bound.at("k"), bound.integer("k"), p.mixing);
    in_.claims.expect_count(bound.at("levels"), bound.integer("levels"), p.levels);
    in_.claims.expect_plain(bound.at("wait"), bound.number("wait"), expected.wait);
    in_.claims.expect(bound.at("value"), bound.number("value", kExtended), expected.value);
    const bool given = in_.setting.noise.alpha.has_value();
    // It is about the mean; programs of version 0.3 compared the loss of the run with it.
    const bool open = bound.need("holds").is_null();
    if (!open && (given || !in_.setting.compares_means))
      in_.claims.reject(bound.at("holds"), "expected null: it is about the mean, not about this run");
    // As those compared: without a window, on the numbers of the record.
    if (!open && bound.flag("holds") != (in_.total <= bound.number("value", kExtended)))
      in_.claims.reject(bound.at("holds"), bound.flag("holds") ? "found true, but the total is above the bound"
                                                               : "found false, but the total is within the bound");
    bound.done();
    if (!said_.empty() && said_.size() < 2)  // the least
      said_.push_back("segments: loss <= " + fmt::format("{:.6g}", expected.value) + " in the mean");
  }

  const ContextBoundsInput& in_;
  double beside_;
  std::vector<std::string> said_;
};

}  // namespace

std::vector<std::string> check_context_bounds(const Json::Array& found, double mixing, const ContextBoundsInput& in) {
  return ContextBounds(in, mixing).check(found);
}

}  // namespace hannan::detail

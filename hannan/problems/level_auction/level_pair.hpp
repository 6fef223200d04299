// The best thresholds of two bidders of a level auction, all others fixed: exact, nearly flat in T.
//
// The others matter to a profile only through their levels, so the profiles fall into a few classes, and
// within a class into cells (bid of the first bidder i, bid of the second k). Given the level l of i,
// revenue is a sum over k's thresholds with coefficients that are constants or thresholds of i
// (level_search.hpp). Summed over classes and cumulated over i's bids once,
//   table_j(z) = sum over l and p of price_p * (W_{l,p}[a_{i,l+1}] - W_{l,p}[a_{i,l}])(j, z),
// price_0 = 1 and price_p = i's p-th threshold. All lists of i are walked in order. What the levels below
// a changed threshold contribute is kept; the values of the last threshold are tried side by side:
// with V_p[a] the part of W that depends on it, table = kept + sum_p price_p V_p[a], and k's best response
// to each is a running maximum, because positions within a list never fall.
// Cost: O(T) to fill the cells, O(classes s^2 m^2) to cumulate, O(s^2 m) a list, C(m,s) lists.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hannan/oracles/branch_bound.hpp"
#include "hannan/problems/level_auction/level_rule.hpp"

namespace hannan::detail {

struct LevelProfile {
  double weight;
  std::vector<int> reach;  // n bids and the phantom's
};

// A bidder's list of positions never falls: the automaton of chain_program.hpp.
struct RisingWords {
  std::size_t length, values;
  std::size_t stages() const { return length; }
  std::size_t states() const { return values; }
  std::size_t domain(std::size_t) const { return values; }
  std::size_t start() const { return 0; }
  bool accepts(std::size_t) const { return true; }
  std::size_t next(std::size_t, std::size_t state, std::size_t d) const {
    return d < state ? static_cast<std::size_t>(-1) : d;
  }
};

class LevelPair {
 public:
  static constexpr std::size_t kLanes = 4;  // last thresholds of the first bidder tried side by side
  // True where the walk is short and its tables are small.
  static bool affordable(const LevelRule& rule);
  // Elementary steps of one solve over T profiles, roughly.
  static double work(const LevelRule& rule, std::size_t profiles);

  explicit LevelPair(const LevelRule& rule);

  struct Request {
    std::span<const LevelProfile> profiles;  // the same at every call
    std::span<const double> tables;          // noise, coordinate after coordinate
    double constant;                         // evidence that the pair cannot change: W and the others' noise
    const std::vector<int>& partial;         // -1 where free; the pair may have fixed thresholds too
    std::size_t first;                       // the pair, first < second
    std::size_t second;
    std::size_t keep;
    double cut;
  };
  // As FinishingModel::finish.
  void solve(const Request& request, LeafSink& sink);
  double least() const { return least_; }  // of all completions of the last request

 private:
  struct Price {  // constant + (threshold of i, from 1; 0: none)
    double constant;
    int threshold;
    bool second_wins;
  };
  struct Group {  // profiles that agree in all bids but those of the pair
    const std::vector<int>* reach;
    std::size_t end;  // of its entries; they start where the last group's end
  };
  struct Entry {
    std::size_t cell;
    double weight;
  };
  std::size_t bids() const { return static_cast<std::size_t>(rule_.levels) + 1; }
  std::size_t width() const { return rule_.s() * rule_.choices(); }
  std::size_t lanes() const { return (rule_.choices() + kLanes - 1) / kLanes * kLanes; }
  double* row(std::size_t l, std::size_t p, std::size_t y) {
    return rows_.data() + ((l * (rule_.s() + 1) + p) * (bids() + 1) + y) * width();
  }
  double& base(std::size_t l, std::size_t p, std::size_t y) {
    return bases_[(l * (rule_.s() + 1) + p) * (bids() + 1) + y];
  }
  void group(const Request& request);
  void sort_into_classes();
  void cumulate();
  void cumulate_class(std::size_t index);
  void spread_last();
  Price price(std::size_t index, std::size_t level_i, std::size_t level_k);
  void add_level(std::size_t depth);
  void walk(std::size_t depth);
  void respond();
  void respond_in_full(std::size_t last, double least);

  LevelRule rule_;
  std::array<std::size_t, 2> grouped_{0, 0};  // the pair that the groups belong to
  std::vector<Group> groups_;
  std::vector<Entry> entries_;
  std::vector<int> class_of_;              // class code -> class, -1: none yet
  std::vector<std::size_t> codes_;         // codes in use
  std::vector<std::vector<int>> classes_;  // n+1 levels, those of the pair open
  std::vector<double> cells_;              // [class][bid of i][bid of k]
  std::vector<double> rows_;               // W: [l][p][bid of i][j, position of k]
  std::vector<double> bases_;              // revenue without k: [l][p][bid of i]
  std::vector<double> last_;               // V: [p][j, position of k][position of i's last threshold]
  std::vector<double> last_bases_;         // the same without k: [p][position]

  // The walk.
  const Request* request_ = nullptr;
  LeafSink* sink_ = nullptr;
  std::optional<Incumbents> found_;
  double least_ = 0;
  std::vector<int> full_;
  std::vector<double> list_;    // thresholds of i, list_[0] = 0 before the first
  std::vector<double> tables_;  // m * (revenue - noise) of k after each depth
  std::vector<double> heads_;   // the same without k
  std::vector<double> kept_;    // table of k and head without the last threshold of i
  std::vector<double> ahead_;   // [position of k][lane]
};

}  // namespace hannan::detail

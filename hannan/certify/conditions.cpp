// gamma and delta on explicit tables (conditions.hpp; docs/theory.md, gamma_exact and delta). Actions with equal rows
// form a class: no s separates them, so only those of least loss in the class can be hedged, all by one s. Per class
// one programme is kept and solved for the outcomes in turn, each from the basis of the last.
#include "hannan/certify/conditions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "hannan/certify/hedge_program.hpp"

namespace hannan::detail {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

using RowList = std::vector<std::vector<double>>;
using Ranks = std::vector<std::vector<std::size_t>>;

// Every entry replaced by its rank among the distinct values of its column, and the least gap between
// two of those. Ranks compare exactly where the entries themselves carry rounding.
struct RankedEntries {
  Ranks ranks;
  double least_gap = kInfinite;
};

// O(columns * rows log rows). Entries closer than kSameEntry to their neighbour in order have one rank.
RankedEntries rank_entries(const RowList& rows) {
  RankedEntries result{.ranks = Ranks(rows.size(), std::vector<std::size_t>(rows.empty() ? 0 : rows.front().size()))};
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; !rows.empty() && i < rows.front().size(); ++i) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a][i] < rows[b][i]; });
    std::size_t rank = 0;
    for (std::size_t n = 0; n < order.size(); ++n) {
      const double gap = n == 0 ? 0 : rows[order[n]][i] - rows[order[n - 1]][i];
      if (gap > kSameEntry) {
        ++rank;
        result.least_gap = std::min(result.least_gap, gap);
      }
      result.ranks[order[n]][i] = rank;
    }
  }
  return result;
}

// The actions that share a row of Gamma, in increasing order. Within a class no s can tell two actions
// apart, so only those with the class's least loss can be hedged, and all of them by the same s.
using RowClass = std::vector<std::size_t>;

// Classes in the order of their first action, so that witnesses are the same on every machine.
std::vector<RowClass> classes_of(const Ranks& ranks) {
  std::map<std::vector<std::size_t>, std::size_t> place;
  std::vector<RowClass> classes;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const auto [at, added] = place.try_emplace(ranks[k], classes.size());
    if (added) classes.emplace_back();
    classes[at->second].push_back(k);
  }
  return classes;
}

class GammaSearch {
 public:
  GammaSearch(const ConditionTables& tables, GammaQuery query)
      : tables_(tables), query_(query), ranks_(rank_entries(tables.gamma_rows).ranks), classes_(classes_of(ranks_)) {
    if (query.answer == GammaQuery::Answer::kTable) result_.table.assign(tables.losses.size(), {});
    for (const RowClass& row_class : classes_) {
      least_.push_back(tables.losses[row_class.front()]);
      for (std::size_t k : row_class)
        for (std::size_t y = 0; y < outcomes(); ++y) least_.back()[y] = std::min(least_.back()[y], tables.losses[k][y]);
    }
  }

  // A maximum that is infinite cannot be exceeded: the search ends. A table wants every entry.
  GammaResult run(const Watch& watch) {
    for (std::size_t row_class = 0; row_class < classes_.size(); ++row_class) {
      if (watch) watch(row_class, classes_.size());
      if (!wants_table() && result_.gamma == kInfinite) break;
      visit(row_class);
    }
    return std::move(result_);
  }

 private:
  std::size_t outcomes() const { return tables_.losses.empty() ? 0 : tables_.losses.front().size(); }
  bool wants_table() const { return query_.answer == GammaQuery::Answer::kTable; }

  // One programme a class: its matrix, the differences of rows, is the same for all outcomes, and only the right side
  // (needs) changes. Without a table an outcome that a known hedge vector of no larger norm serves is passed over.
  void visit(std::size_t row_class) {
    HedgeProgram program(differences(row_class), query_);
    std::map<std::vector<double>, HedgeVector> solved;
    for (std::size_t y = 0; y < outcomes(); ++y) {
      const std::vector<double> needs = needs_of(row_class, y);
      if (wants_table()) {
        auto at = solved.find(needs);
        if (at == solved.end()) at = solved.emplace(needs, program.cheapest(needs)).first;
        record(row_class, y, at->second);
      } else {
        const bool below = program.known_within(needs, result_.gamma);
        record(row_class, y, below ? HedgeVector{.norm = 0, .s = {}, .proof = {}} : program.cheapest(needs));
        if (result_.gamma == kInfinite) return;
      }
    }
  }

  // Row of the class less that of each other class; equal ranks give an exact 0, whatever rounding the entries carry.
  RowList differences(std::size_t row_class) const {
    const std::size_t own = classes_[row_class].front();
    RowList rows;
    for (std::size_t rival = 0; rival < classes_.size(); ++rival) {
      if (rival == row_class) continue;
      const std::size_t other = classes_[rival].front();
      auto& row = rows.emplace_back(ranks_[own].size(), 0.0);
      for (std::size_t i = 0; i < row.size(); ++i)
        if (ranks_[own][i] != ranks_[other][i]) row[i] = tables_.gamma_rows[own][i] - tables_.gamma_rows[other][i];
    }
    return rows;
  }

  std::vector<double> needs_of(std::size_t row_class, std::size_t y) const {
    std::vector<double> needs;
    needs.reserve(classes_.size());
    for (std::size_t rival = 0; rival < classes_.size(); ++rival) {
      if (rival == row_class) continue;
      const double need = least_[row_class][y] - least_[rival][y];
      needs.push_back(std::abs(need) <= kSameEntry ? 0 : need);
    }
    return needs;
  }

  // `hedge` is the price for the class's best actions; the others cannot be hedged at all.
  void record(std::size_t row_class, std::size_t y, const HedgeVector& hedge) {
    for (std::size_t k : classes_[row_class]) {
      const bool beaten_by_twin = tables_.losses[k][y] > least_[row_class][y] + kSameEntry;
      const double price = beaten_by_twin ? kInfinite : hedge.norm;
      if (wants_table()) result_.table[k].push_back(price);
      if (price > result_.gamma) {
        result_.gamma = price;
        result_.witness = {.action = k,
                           .outcome = y,
                           .s = beaten_by_twin ? std::vector<double>{} : hedge.s,
                           .rivals = beaten_by_twin ? better_twin(row_class, y) : rivals_of(row_class, y, hedge.proof)};
      }
    }
  }

  // Of the class, the action with the least loss: same row, so nothing can tell the two apart.
  std::vector<Rival> better_twin(std::size_t row_class, std::size_t y) const {
    return {{cheapest_of(row_class, y), 1.0}};
  }

  // The first of equal ones.
  std::size_t cheapest_of(std::size_t row_class, std::size_t y) const {
    return *std::min_element(classes_[row_class].begin(), classes_[row_class].end(),
                             [&](std::size_t a, std::size_t b) { return tables_.losses[a][y] < tables_.losses[b][y]; });
  }

  // The rivals of a proof, in the order of differences(); those that the proof does not need are left out.
  // h counts rivals as differences() lists them: all classes but the own one, in order.
  std::vector<Rival> rivals_of(std::size_t row_class, std::size_t y, const std::vector<double>& proof) const {
    std::vector<Rival> rivals;
    std::size_t h = 0;
    for (std::size_t rival = 0; rival < classes_.size() && h < proof.size(); ++rival) {
      if (rival == row_class) continue;
      if (proof[h] > kSameEntry) rivals.push_back({cheapest_of(rival, y), proof[h]});
      ++h;
    }
    return rivals;
  }

  const ConditionTables& tables_;
  GammaQuery query_;
  Ranks ranks_;
  std::vector<RowClass> classes_;
  RowList least_;  // per class and outcome, the least loss within the class
  GammaResult result_{.gamma = 0, .witness = std::nullopt, .table = {}};
};

}  // namespace

GammaResult exact_gamma(const ConditionTables& tables, GammaQuery query, const Watch& watch) {
  assert(tables.gamma_rows.size() == tables.losses.size());
  return GammaSearch(tables, query).run(watch);
}

// delta: the least gap between two different entries of a column; 0 where two actions share a row.
double admissibility(const std::vector<std::vector<double>>& gamma_rows) {
  const RankedEntries ranked = rank_entries(gamma_rows);
  return classes_of(ranked.ranks).size() < gamma_rows.size() ? 0 : ranked.least_gap;
}

}  // namespace hannan::detail

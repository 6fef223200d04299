// Buyers with price lists: exact money by ItemPricing::money, bounds by what each buyer pays at most (weight > 0) or at
// least (weight < 0) at every position of one free item, averaged over the free items that the buyer wants. The
// formulas are in price_list_search.hpp. Rounding: a buyer accepts prices up to its value (1 + 1e-9), so bounds use the
// same slack, twice where two utilities are compared.
#include "hannan/problems/item_pricing/price_list_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/shaped_tables.hpp"
#include "hannan/problems/item_pricing/pricing_search.hpp"

namespace hannan::detail {

// Weights below kForgottenWeight are dropped, as in all discounted histories.
void PriceListSearch::History::scale(double factor) {
  for (auto& [buyer, weight] : buyers) weight *= factor;
  std::erase_if(buyers, [](const auto& entry) { return std::abs(entry.second) < kForgottenWeight; });
  for (auto& table : tables) {
    for (double& value : table) value *= factor;
  }
}

void PriceListSearch::History::clear() {
  buyers.clear();
  for (auto& table : tables) std::fill(table.begin(), table.end(), 0.0);
  warm = {};
}

// Buyers in the order of the map, so that equal histories are equal bytes.
void PriceListSearch::History::archive(Archive& a) {
  archive_tables(a, "tables", tables);
  warm.archive(a);
  const auto count = a.open_list("buyers", buyers.size());
  const auto items = tables.size();
  constexpr SavedRange kMoneySaved{ItemPricing::kValues.lo, ItemPricing::kValues.hi};
  const bool unit = demand == ItemPricing::Demand::kUnitDemand;
  const auto fields = [&](Buyer& buyer, double& weight) {
    a.item();
    a.field("weight", weight);
    a.field("fee", buyer.fee, kMoneySaved);
    if (unit) return a.list("values", buyer.values, {items, items}, kMoneySaved);
    a.count("bundle", buyer.bundle, (std::uint64_t{1} << items) - 1);
    a.field("value", buyer.value, kMoneySaved);
  };
  if (a.reading()) {
    buyers.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      Buyer buyer;
      double weight = 0;
      fields(buyer, weight);
      if (!buyers.emplace(std::move(buyer), weight).second) a.refuse("weight", "found this buyer twice");
    }
  } else {
    for (auto& [held, weight] : buyers) {
      Buyer buyer = held;
      fields(buyer, weight);
    }
  }
  a.close_list();
}

PriceListSearch::History PriceListSearch::empty(const ItemPricing& p) const {
  History h{.buyers = {}, .tables = {}, .demand = p.demand(), .warm = {}};
  for (std::size_t c = 0; c < p.coordinates(); ++c) h.tables.emplace_back(p.domain(c), 0.0);
  return h;
}

void PriceListSearch::add(const ItemPricing& p, History& h, const ItemPricing::Outcome& y, double weight) const {
  h.warm.advance();
  for (const Buyer& buyer : y) {
    // One who can never pay changes no action's total.
    if (p.most_money(buyer) > 0) h.buyers[buyer] += weight;
  }
}

void PriceListSearch::add_table(const ItemPricing&, History& h, std::size_t item,
                                std::span<const double> values) const {
  for (std::size_t z = 0; z < values.size(); ++z) h.tables[item][z] += values[z];
}

Answer<ItemPricing::Action> PriceListSearch::best(const ItemPricing& p, Evidence<History> e, std::size_t keep) const {
  PriceListModel model(p, e);
  const SearchRequest request{.keep = keep, .limits = {.nodes = nodes}, .hints = e.data.warm.hints(e.scale)};
  const SearchResult found = branch_bound(model, request);
  e.data.warm.remember(e.scale, found.pool);
  return priced_answer(p, found, keep);
}

// Holds pointers to the buyers of both histories: the model lives within one call of best().
PriceListModel::PriceListModel(const ItemPricing& p, const Evidence<PriceListSearch::History>& e)
    : p_(p), tables_(e.data.tables) {
  if (e.scale == 0) {
    for (const auto& [buyer, weight] : e.data.buyers) buyers_.push_back({&buyer, weight});
    return;
  }
  for (std::size_t c = 0; c < tables_.size(); ++c) {
    for (std::size_t z = 0; z < tables_[c].size(); ++z) tables_[c][z] += e.scale * e.noise.tables[c][z];
  }
  // Noise that comes as data: a buyer of both must be bounded with the sign of the sum.
  for (const auto& [buyer, weight] : e.data.buyers) {
    const auto also = e.noise.buyers.find(buyer);
    buyers_.push_back({&buyer, weight + (also == e.noise.buyers.end() ? 0.0 : e.scale * also->second)});
  }
  for (const auto& [buyer, weight] : e.noise.buyers) {
    if (!e.data.buyers.contains(buyer)) buyers_.push_back({&buyer, e.scale * weight});
  }
}

// out[z] = the most (weight > 0), or the least (weight < 0), that the buyer can pay with item j at its z-th price, over
// all prices of the other free items of its bundle: from all at their lowest, 0, up to all at their tops.
void PriceListModel::reach_bundle(const Weighted& who, const std::vector<int>& partial, std::size_t j,
                                  std::span<double> out) const {
  const Buyer& buyer = *who.buyer;
  double fixed = buyer.fee, tops = 0;  // of the free items other than j
  for (std::uint32_t left = buyer.bundle; left != 0; left &= left - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(left));
    if (c == j) continue;
    if (partial[c] >= 0) {
      fixed += price(c, partial[c]);
    } else {
      tops += p_.prices()[c].top();
    }
  }
  const double most = buyer.value * (1 + PriceList::kSlack);
  for (std::size_t z = 0; z < out.size(); ++z) {
    const double least = fixed + price(j, static_cast<int>(z));
    const bool sure = least + tops <= most;  // it buys whatever the others cost
    if (who.weight < 0) {
      out[z] = sure ? least : 0.0;
    } else {
      out[z] = least > most ? 0.0 : std::min(most, least + tops);
    }
  }
}

// The same for a buyer of one item. It takes the item of most utility: with j at z it has at least `floor`, so another
// free item is bought only at a price that leaves as much, the highest of which is what it pays at most.
void PriceListModel::reach_unit(const Weighted& who, const std::vector<int>& partial, std::size_t j,
                                std::span<double> out) const {
  const Buyer& buyer = *who.buyer;
  std::fill(out.begin(), out.end(), 0.0);
  if (who.weight < 0) return;  // it may pay nothing
  const double slack = PriceList::kSlack * *std::max_element(buyer.values.begin(), buyer.values.end());
  double sure = 0;  // utility that the fixed items give
  for (std::size_t c = 0; c < partial.size(); ++c) {
    if (partial[c] >= 0) sure = std::max(sure, buyer.values[c] - price(c, partial[c]) - buyer.fee);
  }
  // Twice the slack: once for the tie, once for what was sure.
  const auto highest = [&](std::size_t c, double utility) {
    // limit >= 0 = p_0, so upper_bound has an element before it.
    const double limit = buyer.values[c] - buyer.fee - utility + 2 * slack;
    if (limit < 0) return 0.0;
    const auto prices = p_.prices()[c].prices();
    return *(std::upper_bound(prices.begin(), prices.end(), limit) - 1) + buyer.fee;
  };
  for (std::size_t z = 0; z < out.size(); ++z) {
    const double asked = price(j, static_cast<int>(z)), own = buyer.values[j] - asked - buyer.fee;
    const double floor = std::max(sure, own);
    if (own >= sure - 2 * slack) out[z] = asked + buyer.fee;
    for (std::size_t c = 0; c < partial.size(); ++c) {
      if (c == j) continue;
      if (partial[c] < 0) {
        out[z] = std::max(out[z], highest(c, floor));
      } else if (buyer.values[c] - price(c, partial[c]) - buyer.fee >= floor - 2 * slack) {
        out[z] = std::max(out[z], price(c, partial[c]) + buyer.fee);
      }
    }
  }
}

// Each buyer adds to the tables of the free items that it may buy, then every entry gets the least that the other
// tables can add: bounds[c][d] is the least total of all completions with c at d, if the tables were the truth.
void PriceListModel::bound(const std::vector<int>& partial, BoundTable& bounds) const {
  std::vector<std::size_t> free;
  double total = 0;
  for (std::size_t c = 0; c < partial.size(); ++c) {
    if (partial[c] >= 0) {
      total += tables_[c][static_cast<std::size_t>(partial[c])];
      continue;
    }
    free.push_back(c);
    std::copy(tables_[c].begin(), tables_[c].end(), bounds[c].begin());
  }
  const bool unit = p_.demand() == ItemPricing::Demand::kUnitDemand;
  std::vector<int> full = partial;
  std::vector<double> paid;
  std::vector<std::size_t> touched;
  for (const Weighted& who : buyers_) {
    touched.clear();
    for (const std::size_t c : free) {
      if (unit || (who.buyer->bundle >> c & 1U) != 0) touched.push_back(c);
    }
    if (touched.empty()) {
      // The bundle is fixed: any prices of the others will do.
      for (const std::size_t c : free) full[c] = 0;
      total -= who.weight * p_.money(full, *who.buyer);
      continue;
    }
    // The mean of valid bounds is one: 1/|F| of each goes into the table of its item.
    const double share = who.weight / static_cast<double>(touched.size());
    for (const std::size_t j : touched) {
      paid.resize(domain(j));
      if (touched.size() == 1) {
        for (const std::size_t c : free) full[c] = 0;
        for (std::size_t z = 0; z < paid.size(); ++z) {
          full[j] = static_cast<int>(z);
          paid[z] = p_.money(full, *who.buyer);
        }
      } else if (unit) {
        reach_unit(who, partial, j, paid);
      } else {
        reach_bundle(who, partial, j, paid);
      }
      for (std::size_t z = 0; z < paid.size(); ++z) bounds[j][z] -= share * paid[z];
    }
  }
  std::vector<double> least;
  for (const std::size_t c : free) {
    least.push_back(*std::min_element(bounds[c].begin(), bounds[c].end()));
    total += least.back();
  }
  for (std::size_t f = 0; f < free.size(); ++f) {
    for (double& entry : bounds[free[f]]) entry += total - least[f];
  }
}

// O(items + buyers * items).
double PriceListModel::value(const std::vector<int>& full) const {
  double total = 0;
  for (std::size_t c = 0; c < tables_.size(); ++c) total += tables_[c][static_cast<std::size_t>(full[c])];
  for (const Weighted& who : buyers_) total -= who.weight * p_.money(full, *who.buyer);
  return total;
}

// No closed form for prices in money: one evaluation a price, O(prices * buyers).
void PriceListModel::line(const std::vector<int>& full, std::size_t c, std::span<double> out) const {
  std::vector<int> moved = full;
  for (std::size_t z = 0; z < out.size(); ++z) {
    moved[c] = static_cast<int>(z);
    out[z] = value(moved);
  }
}

}  // namespace hannan::detail

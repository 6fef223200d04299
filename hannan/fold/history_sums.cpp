// Linearity does the work: history(a and b) = history(a) + history(b), number by number, so that exact sums of the
// histories of single outcomes, rounded once at the end, do not depend on how a log was cut. `one_` is emptied and
// filled again for each outcome, which keeps its memory.
#include "hannan/fold/history_sums.hpp"

#include <cmath>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/fold/history_walk.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostParts = 64;  // of one sum: 40 doubles reach over the whole range of doubles

// An exact sum is written as the doubles whose sum it is, most of the time one; reading adds them again, without loss.
Json sum_json(const ExactSums& sums, std::size_t at) {
  const auto parts = sums.written(at);
  if (parts.empty()) return Json(0);
  return parts.size() == 1 ? Json(parts[0]) : Json(parts);
}

constexpr Interval kSummed{kSavedNumbers.lo, kSavedNumbers.hi};

}  // namespace

Json sums_json(const ExactSums& sums) {
  Json::Array all;
  all.reserve(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) all.push_back(sum_json(sums, i));
  return Json(std::move(all));
}

// Adds and does not replace: a part is merged as it is read.
void add_sums(const Json& json, const std::string& path, ExactSums& into) {
  const auto& list = to_list(json, path);
  if (list.size() != into.size())
    throw Error(Code::kBadState,
                "found " + std::to_string(list.size()) + " sums, expected " + std::to_string(into.size()), path);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_number()) {
      into.add(i, to_number(list[i], path_of(path, i), kSummed));
      continue;
    }
    const auto parts = to_numbers(list[i], path_of(path, i), kSummed);
    if (parts.size() > kMostParts) throw Error(Code::kBadState, "found a sum of too many numbers", path_of(path, i));
    for (const double part : parts) into.add(i, part);
  }
}

// The history of no outcome says how many numbers there are and which lists begin empty: layout_.
HistorySums::HistorySums(std::shared_ptr<const GameOracle> oracle)
    : oracle_(std::move(oracle)), one_(oracle_->empty()) {
  LayoutWalk walk;
  one_->archive(walk);
  layout_ = std::move(walk.layout);
  numbers_ = ExactSums(layout_.numbers.size());
}

// The history of one outcome is its contribution, because histories are linear in the weighted outcomes.
void HistorySums::add(const AnyOutcome& y, double weight) {
  one_->clear();
  one_->add(y, weight);
  TermWalk walk({.layout = layout_, .numbers = numbers_, .lists = lists_});
  one_->archive(walk);
}

// Any order of additions gives the same bits: sums are exact.
void HistorySums::add(const HistorySums& other) {
  numbers_.add(other.numbers_);
  for (const auto& [name, theirs] : other.lists_) {
    auto& ours = lists_[name];
    ours.field = theirs.field;
    for (const auto& [text, item] : theirs.items) {
      const auto [at, fresh] = ours.items.try_emplace(text, item);
      if (!fresh) at->second.sums.add(item.sums);
    }
  }
}

std::size_t HistorySums::keys() const {
  std::size_t count = 0;
  for (const auto& [name, list] : lists_) count += list.items.size();
  return count;
}

Json HistorySums::json() const {
  Json lists = Json::array();
  for (const auto& [name, list] : lists_) {
    Json items = Json::array();
    for (const auto& [text, item] : list.items)
      items.push_back(Json::object({{"key", item.key}, {"sums", sums_json(item.sums)}}));
    lists.push_back(Json::object({{"name", name}, {"field", list.field}, {"items", std::move(items)}}));
  }
  return Json::object({{"numbers", sums_json(numbers_)}, {"lists", std::move(lists)}});
}

void HistorySums::add(const Json& json, const std::string& path) {
  // Whatever is wrong with sums from a file is a bad state, with the place in it.
  try {
    Fields in(json, path);
    add_sums(in.need("numbers"), in.at("numbers"), numbers_);
    const auto& lists = in.list("lists");
    for (std::size_t i = 0; i < lists.size(); ++i) {
      Fields list(lists[i], path_of(in.at("lists"), i));
      auto& ours = lists_[list.word("name")];
      const std::string field = list.choice("field", {"weight", "weights", "sums"});
      if (!ours.field.empty() && ours.field != field)
        throw Error(Code::kBadState, "found \"" + field + "\", expected \"" + ours.field + "\" as before",
                    list.at("field"));
      ours.field = field;
      const auto& items = list.list("items");
      for (std::size_t k = 0; k < items.size(); ++k) {
        Fields item(items[k], path_of(list.at("items"), k));
        const Json& key = item.need("key");
        // history() completes the key to an object of the archive.
        if (!key.is_object())
          throw Error(Code::kBadState, "found " + dump(key) + ", expected an object", item.at("key"));
        const std::size_t size = item.list("sums").size();
        if (field == "weight" && size != 1)
          throw Error(Code::kBadState, "found " + std::to_string(size) + " sums, expected one", item.at("sums"));
        const auto [at, fresh] = ours.items.try_emplace(dump(key));
        if (fresh) at->second = {.key = key, .sums = ExactSums(size)};
        add_sums(item.need("sums"), item.at("sums"), at->second.sums);
        item.done();
      }
      list.done();
    }
    in.done();
  } catch (const Error& e) {
    throw Error(Code::kBadState, e.message(), e.at());
  }
}

// Through the history's own reader, which refuses what is no state of it: numbers that were changed do not become sums.
std::unique_ptr<GameHistory> HistorySums::history(const std::string& path) const {
  auto history = oracle_->empty();
  FillWalk walk(layout_, numbers_);
  history->archive(walk);
  Json state = walk.take();
  for (const auto& [name, list] : lists_) {
    // Keyed lists are the lists that are empty in the empty history; nothing else may be written over.
    const Json* place = state.find(name);
    if (!place || !place->is_array() || place->size() > 0)
      throw Error(Code::kBadState, "found sums of a list \"" + name + "\", which this history does not have", path);
    Json::Array items;
    for (const auto& [text, held] : list.items) {
      Json item = held.key;
      Json::Array sums;
      for (std::size_t i = 0; i < held.sums.size(); ++i) sums.emplace_back(held.sums.value(i));
      item.set(list.field, list.field == "weight" ? sums.at(0) : Json(std::move(sums)));
      items.push_back(std::move(item));
    }
    state.set(name, Json(std::move(items)));
  }
  JsonReader reader(state, path);
  history->archive(reader);
  return history;
}

}  // namespace hannan::detail

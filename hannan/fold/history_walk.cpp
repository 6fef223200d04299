// A number is known by its place in the order in which the archive names its fields, which is the same for every
// history of one oracle: next_ counts numbers, lists_ counts lists of objects. Carries repeat the places of the numbers
// that they belong to. A history that has more numbers than the empty one is refused, since its places mean something
// else.
#include "hannan/fold/history_walk.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void refuse_shape(const std::string& name) {
  throw Error(Code::kUnavailable,
              "the oracle's history has a field \"" + name +
                  "\" that is no sum of outcomes, so that parts of it cannot be added up; choose another oracle",
              "oracle");
}

}  // namespace

void HistoryWalk::field(const char* name, std::string&) { refuse_shape(name); }

void HistoryWalk::refuse(const char* name, const std::string&) const { refuse_shape(name); }

// In an object "carries" the numbers belong, one by one, to those that the object around it began with: carry_ starts
// at the first of these and runs beside them until that object is closed.
void HistoryWalk::open(const char* name) {
  if (!carry_ && std::string_view(name) == "carries") {
    carry_ = opened_.back();
    carries_depth_ = opened_.size();
  }
  opened_.push_back(next_);
}

void HistoryWalk::close() {
  opened_.pop_back();
  if (carry_ && opened_.size() == carries_depth_) carry_.reset();
}

std::uint64_t HistoryWalk::open_list(const char* name, std::uint64_t size) {
  listed(name, size, lists_++);
  return size;
}

void HistoryWalk::number(const char* name, double& value, SavedRange) { take(name, Shape::kNumber, {&value, 1}); }

void HistoryWalk::numbers(const char* name, std::vector<double>& values, SavedSize, SavedRange) {
  if (!carry_ && std::string_view(name).ends_with("carries"))
    return carried({name, Shape::kList, list_}, values, list_size_);
  take(name, Shape::kList, values);
}

// Outside of carries: list_ and list_size_ remember the last list, for the list of carries that may follow it.
void HistoryWalk::take(const char* name, Shape shape, std::span<double> values) {
  if (carry_) {
    carried({name, shape, *carry_}, values, values.size());
    *carry_ += values.size();
    return;
  }
  if (shape == Shape::kList) {
    list_ = next_;
    list_size_ = values.size();
  }
  summed({name, shape, next_}, values);
  next_ += values.size();
}

// One outcome's history goes into the sums: a list entry by entry, a number only if it starts at 0.
void TermWalk::summed(const Place& place, std::span<double> values) {
  if (place.first + values.size() > into_.numbers.size()) refuse_shape(place.name);
  if (place.shape == Shape::kList) return into_.numbers.add(place.first, values);
  // A number that is not 0 in the empty history is a constant of the oracle, not a sum: it is left as it is.
  if (into_.layout.numbers[place.first] == 0) into_.numbers.add(place.first, values[0]);
}

// Carries are added to the sum that they belong to: exact sums need no carries of their own.
void TermWalk::carried(const Place& place, std::span<double> values, std::size_t) {
  if (place.first + values.size() > into_.numbers.size()) refuse_shape(place.name);
  into_.numbers.add(place.first, values);
}

void TermWalk::listed(const char* name, std::uint64_t size, std::size_t ordinal) {
  if (ordinal >= into_.layout.lists.size()) refuse_shape(name);
  // A list that is empty in the empty history is keyed: its items are sums by key (an outcome, say) and not by place.
  if (into_.layout.lists[ordinal] == 0 && size > 0) keyed_ = name;
}

// Only fields of the item itself are summed (depth 0), one a key; all others make the key.
bool TermWalk::take_terms(const char* name, std::span<const double> values) {
  const std::string_view field(name);
  if (depth_ > 0 || (field != "weight" && field != "weights" && field != "sums")) return false;
  if (!field_.empty()) refuse_shape(name);
  field_ = field;
  terms_.assign(values.begin(), values.end());
  return true;
}

void TermWalk::number(const char* name, double& value, SavedRange range) {
  if (!key_) return HistoryWalk::number(name, value, range);
  if (!take_terms(name, {&value, 1})) key_->field(name, value);
}

void TermWalk::numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) {
  if (!key_) return HistoryWalk::numbers(name, values, size, range);
  if (!take_terms(name, values)) key_->list(name, values);
}

void TermWalk::whole(const char* name, std::uint64_t& value, std::uint64_t most) {
  if (key_) key_->count(name, value, most);
}

void TermWalk::field(const char* name, std::string& value) {
  if (!key_) return HistoryWalk::field(name, value);
  key_->field(name, value);
}

void TermWalk::open(const char* name) {
  if (!key_) return HistoryWalk::open(name);
  ++depth_;
  key_->open(name);
}

void TermWalk::close() {
  if (!key_) return HistoryWalk::close();
  --depth_;
  key_->close();
}

std::uint64_t TermWalk::open_list(const char* name, std::uint64_t size) {
  if (!key_) return HistoryWalk::open_list(name, size);
  ++depth_;
  return key_->open_list(name, size);
}

// A new item of a keyed list: the one before it is complete.
void TermWalk::item() {
  if (depth_ > 0) return key_->item();
  if (keyed_.empty()) return;
  finish_item();
  key_.emplace();
}

void TermWalk::close_list() {
  if (depth_ > 0) {
    --depth_;
    return key_->close_list();
  }
  finish_item();
  keyed_.clear();
}

// Adds the item's terms to the sums under its key. Keys compare as their JSON text.
void TermWalk::finish_item() {
  if (!key_) return;
  if (field_.empty()) refuse_shape(keyed_);
  auto& list = into_.lists[keyed_];
  if (list.field.empty()) list.field = field_;
  Json key = key_->take();
  const auto [at, fresh] = list.items.try_emplace(dump(key));
  if (fresh) at->second = {.key = std::move(key), .sums = ExactSums(terms_.size())};
  if (list.field != field_ || at->second.sums.size() != terms_.size()) refuse_shape(field_);
  at->second.sums.add(0, terms_);
  field_.clear();
  key_.reset();
}

void FillWalk::open(const char* name) {
  HistoryWalk::open(name);
  writer_.open(name);
}

void FillWalk::close() {
  HistoryWalk::close();
  writer_.close();
}

std::uint64_t FillWalk::open_list(const char* name, std::uint64_t size) {
  HistoryWalk::open_list(name, size);
  return writer_.open_list(name, size);
}

void FillWalk::write(const Place& place, std::vector<double> values) {
  if (place.shape == Shape::kNumber) {
    writer_.field(place.name, values[0]);
  } else {
    writer_.list(place.name, values);
  }
}

// Writes the exact sum, rounded once, where the history of one pass would have its running sum.
void FillWalk::summed(const Place& place, std::span<double> values) {
  std::vector<double> rounded;
  for (std::size_t i = place.first; i < place.first + values.size(); ++i)
    rounded.push_back(layout_.numbers[i] != 0 ? layout_.numbers[i] : sums_.value(i));
  write(place, std::move(rounded));
}

// Writes what rounding left of the sums: the history goes on as if it had carried along.
void FillWalk::carried(const Place& place, std::span<double>, std::size_t size) {
  std::vector<double> rests;
  for (std::size_t i = place.first; i < place.first + size; ++i) rests.push_back(sums_.carry(i));
  write(place, std::move(rests));
}

}  // namespace hannan::detail

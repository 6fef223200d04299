// Walks over the archive of a history and finds which sum each of its numbers belongs to (history_sums.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/fold/history_sums.hpp"
#include "hannan/io/json_archive.hpp"

namespace hannan::detail {

// The archive looks as if it were written to. Numbers are counted in the order in which they stand.
class HistoryWalk : public Archive {
 public:
  bool reading() const override { return false; }
  using Archive::field;
  void field(const char* name, std::string& value) override;
  void open(const char* name) override;
  void close() override;
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override {}
  void close_list() override {}
  [[noreturn]] void refuse(const char* name, const std::string& what) const override;

 protected:
  enum class Shape { kNumber, kList };
  struct Place {
    const char* name;
    Shape shape;
    std::size_t first;  // of the sums that the numbers belong to
  };
  virtual void summed(const Place& place, std::span<double> values) = 0;
  // `size` is that of the list it belongs to; there may be no carries yet.
  virtual void carried(const Place& place, std::span<double> values, std::size_t size) = 0;
  virtual void listed(const char* name, std::uint64_t size, std::size_t ordinal) = 0;

  bool has(const char*) const override { return true; }
  void number(const char* name, double& value, SavedRange range) override;
  void whole(const char*, std::uint64_t&, std::uint64_t) override {}  // of hints: nothing was found yet
  void numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) override;

 private:
  void take(const char* name, Shape shape, std::span<double> values);

  std::size_t next_ = 0;                  // the sum of the next number
  std::size_t list_ = 0, list_size_ = 0;  // the last list: its first sum, and how many
  std::size_t lists_ = 0;                 // lists of objects so far
  std::vector<std::size_t> opened_{0};    // the first sum of each open object
  std::optional<std::size_t> carry_;      // inside an object of carries: the sum of its next number
  std::size_t carries_depth_ = 0;
};

// What the empty history has.
class LayoutWalk final : public HistoryWalk {
 public:
  HistorySums::Layout layout;

 protected:
  void summed(const Place&, std::span<double> values) override {
    layout.numbers.insert(layout.numbers.end(), values.begin(), values.end());
  }
  void carried(const Place&, std::span<double>, std::size_t) override {}
  void listed(const char*, std::uint64_t size, std::size_t) override { layout.lists.push_back(size); }
};

// What a history of one outcome adds to the sums.
class TermWalk final : public HistoryWalk {
 public:
  struct Into {
    const HistorySums::Layout& layout;
    ExactSums& numbers;
    std::map<std::string, HistorySums::KeyedList>& lists;
  };
  explicit TermWalk(const Into& into) : into_(into) {}

  using HistoryWalk::field;
  void field(const char* name, std::string& value) override;
  void open(const char* name) override;
  void close() override;
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override;
  void close_list() override;

 protected:
  void summed(const Place& place, std::span<double> values) override;
  void carried(const Place& place, std::span<double> values, std::size_t size) override;
  void listed(const char* name, std::uint64_t size, std::size_t ordinal) override;
  void number(const char* name, double& value, SavedRange range) override;
  void whole(const char* name, std::uint64_t& value, std::uint64_t most) override;
  void numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) override;

 private:
  bool take_terms(const char* name, std::span<const double> values);
  void finish_item();

  Into into_;
  std::string keyed_;              // the name of the keyed list that is open; empty: none
  std::optional<JsonWriter> key_;  // of the item that is open
  std::size_t depth_ = 0;          // of objects and lists inside the item
  std::string field_;              // that is summed, if the item has given it
  std::vector<double> terms_;
};

// Writes the archive of a history that has these sums; its keyed lists stay empty.
class FillWalk final : public HistoryWalk {
 public:
  FillWalk(const HistorySums::Layout& layout, const ExactSums& numbers) : layout_(layout), sums_(numbers) {}
  Json take() { return writer_.take(); }

  void open(const char* name) override;
  void close() override;
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override { writer_.item(); }
  void close_list() override { writer_.close_list(); }

 protected:
  void summed(const Place& place, std::span<double> values) override;
  void carried(const Place& place, std::span<double> values, std::size_t size) override;
  void listed(const char*, std::uint64_t, std::size_t) override {}
  void whole(const char* name, std::uint64_t& value, std::uint64_t most) override { writer_.count(name, value, most); }

 private:
  void write(const Place& place, std::vector<double> values);

  const HistorySums::Layout& layout_;
  const ExactSums& sums_;
  JsonWriter writer_;
};

}  // namespace hannan::detail

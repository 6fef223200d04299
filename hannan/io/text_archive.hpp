// A saved state as text, without a JSON value of all of it in between: large states take the memory of one element.
//
// Writing gives the bytes that dump() gives of what JsonWriter makes. Reading takes the text apart where it is asked
// for: a list whose elements are objects is parsed one element at a time. Cost: O(text) for each list and object that
// is walked, at every depth above its elements.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/io/json_archive.hpp"

namespace hannan::detail {

// Takes pieces of a text, in order; a piece is valid during the call.
using TextSink = std::function<void(std::string_view)>;

// The fields that are archived are those of one object; finish() ends it. `sink` outlives it.
class TextWriter final : public Archive {
 public:
  explicit TextWriter(const TextSink& sink);
  bool reading() const override { return false; }
  using Archive::field;
  void field(const char* name, std::string& value) override;
  void open(const char* name) override;
  void close() override;
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override;
  void close_list() override;
  [[noreturn]] void refuse(const char* name, const std::string& what) const override;

  void finish();

 protected:
  bool has(const char*) const override { return true; }
  void number(const char* name, double& value, SavedRange) override;
  void whole(const char* name, std::uint64_t& value, std::uint64_t) override;
  void numbers(const char* name, std::vector<double>& values, SavedSize, SavedRange) override;

 private:
  void add_name(const char* name);
  void add_number(double value);
  void flush_some();

  const TextSink& sink_;
  std::string text_;                // not given to the sink yet
  std::vector<bool> begun_{false};  // by open object: a field is in it
  std::vector<bool> item_open_;     // by open list: an element is being written
};

// The text of one object. Throws kNotJson where it is none, and kBadState as JsonReader does. `text` outlives it.
class TextReader final : public Archive {
 public:
  TextReader(std::string_view text, std::string path);
  bool reading() const override { return true; }
  using Archive::field;
  void field(const char* name, std::string& value) override;
  void open(const char* name) override;
  void close() override;
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override;
  void close_list() override;
  [[noreturn]] void refuse(const char* name, const std::string& what) const override;

 protected:
  bool has(const char* name) const override;
  void number(const char* name, double& value, SavedRange range) override;
  void whole(const char* name, std::uint64_t& value, std::uint64_t most) override;
  void numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) override;

 private:
  // An object or list that is walked as text.
  struct Level {
    std::string path;
    std::vector<std::pair<std::string, std::string_view>> fields;  // of an object
    std::string_view rest;                                         // of a list: behind the last element that was taken
    std::size_t next = 0;                                          // of a list: the number of the element to come
  };
  // An element of a list, which is parsed, or a single field.
  struct Element {
    Element(Json value, std::string path) : json(std::move(value)), reader(json, std::move(path)) {}
    Element(const Element&) = delete;  // the reader points into it
    Element& operator=(const Element&) = delete;
    Json json;
    JsonReader reader;
  };
  const std::string_view* find(const char* name) const;
  std::string_view need(const char* name) const;
  Element single(const char* name) const;

  std::vector<Level> stack_;
  std::unique_ptr<Element> element_;  // of the innermost list
  std::size_t element_depth_ = 0;     // objects and lists that are open in it
};

}  // namespace hannan::detail

// Saved state as JSON: the two archives behind save and load.
#pragma once

#include <string>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

class JsonWriter final : public Archive {
 public:
  JsonWriter() : stack_{Json::object()} {}
  bool reading() const override { return false; }
  using Archive::field;
  void field(const char* name, std::string& value) override { put(name, Json(value)); }
  void open(const char* name) override;
  void close() override;
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override;
  void close_list() override;
  [[noreturn]] void refuse(const char* name, const std::string& what) const override;

  Json take() { return std::move(stack_.front()); }

 protected:
  bool has(const char*) const override { return true; }
  void number(const char* name, double& value, SavedRange) override { put(name, Json(value)); }
  void whole(const char* name, std::uint64_t& value, std::uint64_t) override { put(name, Json(value)); }
  void numbers(const char* name, std::vector<double>& values, SavedSize, SavedRange) override {
    put(name, Json(values));
  }

 private:
  void put(const char* name, Json value) { stack_.back().set(name, std::move(value)); }

  std::vector<Json> stack_;         // objects being filled, innermost last
  std::vector<std::string> names_;  // of the open objects and lists
  std::vector<bool> item_open_;     // per open list: is an element being filled
};

// Throws kBadState with the path of the first field that does not fit.
class JsonReader final : public Archive {
 public:
  JsonReader(const Json& state, std::string path);
  bool reading() const override { return true; }
  using Archive::field;
  void field(const char* name, std::string& value) override;
  void open(const char* name) override;
  void close() override { stack_.pop_back(); }
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override;
  void close_list() override;
  [[noreturn]] void refuse(const char* name, const std::string& what) const override;

 protected:
  bool has(const char* name) const override { return stack_.back().json->find(name) != nullptr; }
  void number(const char* name, double& value, SavedRange range) override;
  void whole(const char* name, std::uint64_t& value, std::uint64_t most) override;
  void numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) override;

 private:
  friend class TextReader;  // reads elements of a list through it

  struct Level {
    const Json* json;
    std::string path;
    std::size_t next = 0;  // in lists: the element to come
    bool item_open = false;
  };
  const Json& need(const char* name) const;

  std::vector<Level> stack_;
};

}  // namespace hannan::detail

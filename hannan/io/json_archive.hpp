// Saved state as JSON: the two archives behind save and load.
#pragma once

#include <string>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/io/json.hpp"

namespace hannan {

class JsonWriter final : public Archive {
 public:
  JsonWriter() : stack_{Json::object()} {}
  bool reading() const override { return false; }
  void field(const char* name, double& value) override { put(name, Json(value)); }
  void field(const char* name, std::uint64_t& value) override { put(name, Json(value)); }
  void field(const char* name, std::vector<double>& values) override { put(name, Json(values)); }
  void field(const char* name, std::string& value) override { put(name, Json(value)); }
  void open(const char* name) override;
  void close() override;
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override;
  void close_list() override;

  Json take() { return std::move(stack_.front()); }

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
  void field(const char* name, double& value) override;
  void field(const char* name, std::uint64_t& value) override;
  // A list that is filled already keeps its length: a state of another size does not fit.
  void field(const char* name, std::vector<double>& values) override;
  void field(const char* name, std::string& value) override;
  void open(const char* name) override;
  void close() override { stack_.pop_back(); }
  std::uint64_t open_list(const char* name, std::uint64_t size) override;
  void item() override;
  void close_list() override;

 private:
  struct Level {
    const Json* json;
    std::string path;
    std::size_t next = 0;  // in lists: the element to come
    bool item_open = false;
  };
  const Json& need(const char* name) const;

  std::vector<Level> stack_;
};

}  // namespace hannan

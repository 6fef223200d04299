#include "hannan/io/json_archive.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan {

void JsonWriter::open(const char* name) {
  names_.emplace_back(name);
  stack_.push_back(Json::object());
}

void JsonWriter::close() {
  Json done = std::move(stack_.back());
  stack_.pop_back();
  stack_.back().set(names_.back(), std::move(done));
  names_.pop_back();
}

std::uint64_t JsonWriter::open_list(const char* name, std::uint64_t size) {
  names_.emplace_back(name);
  stack_.push_back(Json::array());
  item_open_.push_back(false);
  return size;
}

void JsonWriter::item() {
  if (item_open_.back()) {
    Json done = std::move(stack_.back());
    stack_.pop_back();
    stack_.back().push_back(std::move(done));
  }
  item_open_.back() = true;
  stack_.push_back(Json::object());
}

void JsonWriter::close_list() {
  if (item_open_.back()) {
    Json done = std::move(stack_.back());
    stack_.pop_back();
    stack_.back().push_back(std::move(done));
  }
  item_open_.pop_back();
  close();
}

JsonReader::JsonReader(const Json& state, std::string path) {
  if (!state.is_object()) throw Error(Code::kBadState, "found " + describe(state) + ", expected an object", path);
  stack_.push_back({&state, std::move(path)});
}

const Json& JsonReader::need(const char* name) const {
  const Json* found = stack_.back().json->find(name);
  if (!found) throw Error(Code::kBadState, "this field of a saved state is missing", path_of(stack_.back().path, name));
  return *found;
}

void JsonReader::field(const char* name, double& value) {
  const Json& json = need(name);
  const std::string at = path_of(stack_.back().path, name);
  try {
    value = to_number(json, at, kExtended);
  } catch (const Error& e) {
    throw Error(Code::kBadState, e.message(), e.at());
  }
}

void JsonReader::field(const char* name, std::uint64_t& value) {
  const Json& json = need(name);
  try {
    value = static_cast<std::uint64_t>(to_integer(json, path_of(stack_.back().path, name), kNatural));
  } catch (const Error& e) {
    throw Error(Code::kBadState, e.message(), e.at());
  }
}

void JsonReader::field(const char* name, std::vector<double>& values) {
  const std::string at = path_of(stack_.back().path, name);
  std::vector<double> read;
  try {
    read = to_numbers(need(name), at, kExtended);
  } catch (const Error& e) {
    throw Error(Code::kBadState, e.message(), e.at());
  }
  if (!values.empty() && read.size() != values.size()) {
    throw Error(Code::kBadState,
                "found " + std::to_string(read.size()) + " numbers, expected " + std::to_string(values.size()), at);
  }
  values = std::move(read);
}

void JsonReader::field(const char* name, std::string& value) {
  const Json& json = need(name);
  if (!json.is_string())
    throw Error(Code::kBadState, "found " + describe(json) + ", expected a string", path_of(stack_.back().path, name));
  value = json.as_string();
}

void JsonReader::open(const char* name) {
  const Json& json = need(name);
  std::string at = path_of(stack_.back().path, name);
  if (!json.is_object()) throw Error(Code::kBadState, "found " + describe(json) + ", expected an object", at);
  stack_.push_back({&json, std::move(at)});
}

std::uint64_t JsonReader::open_list(const char* name, std::uint64_t) {
  const Json& json = need(name);
  std::string at = path_of(stack_.back().path, name);
  if (!json.is_array()) throw Error(Code::kBadState, "found " + describe(json) + ", expected an array", at);
  stack_.push_back({&json, std::move(at)});
  return json.size();
}

void JsonReader::item() {
  if (stack_.back().item_open) {
    stack_.pop_back();
  }
  Level& list = stack_.back();
  const std::size_t i = list.next++;
  const Json& json = (*list.json)[i];
  std::string at = path_of(list.path, i);
  if (!json.is_object()) throw Error(Code::kBadState, "found " + describe(json) + ", expected an object", at);
  stack_.push_back({.json = &json, .path = std::move(at), .next = 0, .item_open = true});
}

void JsonReader::close_list() {
  if (stack_.back().item_open) stack_.pop_back();
  stack_.pop_back();
}

}  // namespace hannan

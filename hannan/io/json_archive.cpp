// Writing keeps a stack of open objects and lists; an element of a list is an object that is closed by the next item()
// or by close_list(). Reading walks the same way through a value and throws kBadState with the path of the first field
// that does not fit: lengths are checked before anything is copied.
#include "hannan/io/json_archive.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {

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

// An element begins, so the one before it ends.
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

// Checks are made when reading; one that fails when writing is a fault of the program.
void JsonWriter::refuse(const char* name, const std::string& what) const {
  throw Error(Code::kInternal, "a state is being written, and one of its checks fails: " + what, name);
}

JsonReader::JsonReader(const Json& state, std::string path) {
  if (!state.is_object()) throw Error(Code::kBadState, "found " + describe(state) + ", expected an object", path);
  stack_.push_back({&state, std::move(path)});
}

// The field in the object that is open now.
const Json& JsonReader::need(const char* name) const {
  const Json* found = stack_.back().json->find(name);
  if (!found) throw Error(Code::kBadState, "this field of a saved state is missing", path_of(stack_.back().path, name));
  return *found;
}

void JsonReader::refuse(const char* name, const std::string& what) const {
  const std::string& path = stack_.back().path;
  throw Error(Code::kBadState, what, *name == '\0' ? path : path_of(path, name));
}

namespace {

// Whatever is wrong with a value of a state, the state is what does not fit.
template <class Read>
auto as_state(Read&& read) {
  try {
    return read();
  } catch (const Error& e) {
    throw Error(Code::kBadState, e.message(), e.at());
  }
}

}  // namespace

void JsonReader::number(const char* name, double& value, SavedRange range) {
  const Json& json = need(name);
  value = as_state([&] { return to_number(json, path_of(stack_.back().path, name), {range.lo, range.hi}); });
}

// most is at most 2^53, so that the conversion to a signed number is exact.
void JsonReader::whole(const char* name, std::uint64_t& value, std::uint64_t most) {
  const Json& json = need(name);
  value = as_state([&] {
    return static_cast<std::uint64_t>(
        to_integer(json, path_of(stack_.back().path, name), {0, static_cast<std::int64_t>(most)}));
  });
}

void JsonReader::numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) {
  const Json& json = need(name);
  // The length first: a list that does not fit is not copied.
  if (json.is_array() && (json.size() < size.least || json.size() > size.most)) {
    const std::string least = std::to_string(size.least), most = std::to_string(size.most);
    refuse(name, "found " + std::to_string(json.size()) + " numbers, expected " +
                     (size.least == size.most ? most : least + " to " + most));
  }
  values = as_state([&] { return to_numbers(json, path_of(stack_.back().path, name), {range.lo, range.hi}); });
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

// The size that was written; the caller checks it before it makes as many elements.
std::uint64_t JsonReader::open_list(const char* name, std::uint64_t) {
  const Json& json = need(name);
  std::string at = path_of(stack_.back().path, name);
  if (!json.is_array()) throw Error(Code::kBadState, "found " + describe(json) + ", expected an array", at);
  stack_.push_back({&json, std::move(at)});
  return json.size();
}

// The caller asks for as many elements as open_list() said, so that the index is within the array.
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

}  // namespace hannan::detail

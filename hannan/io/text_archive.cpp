// Writing: commas go before every field and element but the first. Reading: levels are objects and lists of which only
// the places of their parts are known; what is asked for is parsed then, and JsonReader checks it.
#include "hannan/io/text_archive.hpp"

#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/core/text.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json_span.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10U;  // chosen: small beside any state that needs pieces

}  // namespace

TextWriter::TextWriter(const TextSink& sink) : sink_(sink), text_("{") { text_.reserve(kPieceBytes + 1024); }

void TextWriter::flush_some() {
  if (text_.size() < kPieceBytes) return;
  sink_(text_);
  text_.clear();
}

void TextWriter::add_name(const char* name) {
  if (begun_.back()) text_ += ',';
  begun_.back() = true;
  text_ += '"';
  text_ += name;  // of a field of the program's own: plain letters
  text_ += "\":";
}

void TextWriter::add_number(double value) {
  if (std::isinf(value)) {
    text_ += value > 0 ? "\"inf\"" : "\"-inf\"";
  } else {
    append_number(text_, value);
  }
}

void TextWriter::number(const char* name, double& value, SavedRange) {
  add_name(name);
  add_number(value);
  flush_some();
}

void TextWriter::whole(const char* name, std::uint64_t& value, std::uint64_t) {
  add_name(name);
  add_number(static_cast<double>(value));
  flush_some();
}

void TextWriter::numbers(const char* name, std::vector<double>& values, SavedSize, SavedRange) {
  add_name(name);
  char before = '[';
  for (const double value : values) {
    text_ += before;
    before = ',';
    add_number(value);
    flush_some();
  }
  text_ += values.empty() ? "[]" : "]";
}

void TextWriter::field(const char* name, std::string& value) {
  add_name(name);
  text_ += dump(Json(value));
  flush_some();
}

void TextWriter::open(const char* name) {
  add_name(name);
  text_ += '{';
  begun_.push_back(false);
}

void TextWriter::close() {
  text_ += '}';
  begun_.pop_back();
}

std::uint64_t TextWriter::open_list(const char* name, std::uint64_t size) {
  add_name(name);
  text_ += '[';
  item_open_.push_back(false);
  return size;
}

// An element begins, so the one before it ends.
void TextWriter::item() {
  if (item_open_.back()) {
    begun_.pop_back();
    text_ += "},";
  }
  item_open_.back() = true;
  begun_.push_back(false);
  text_ += '{';
  flush_some();
}

void TextWriter::close_list() {
  if (item_open_.back()) {
    begun_.pop_back();
    text_ += '}';
  }
  item_open_.pop_back();
  text_ += ']';
}

// As JsonWriter's: checks are made when reading.
void TextWriter::refuse(const char* name, const std::string& what) const {
  throw Error(Code::kInternal, "a state is being written, and one of its checks fails: " + what, name);
}

void TextWriter::finish() {
  text_ += '}';
  sink_(text_);
  text_.clear();
}

TextReader::TextReader(std::string_view text, std::string path) {
  stack_.push_back({.path = std::move(path), .fields = object_fields(text), .rest = {}});
}

const std::string_view* TextReader::find(const char* name) const {
  for (const auto& [known, value] : stack_.back().fields) {
    if (known == name) return &value;
  }
  return nullptr;
}

std::string_view TextReader::need(const char* name) const {
  if (const std::string_view* found = find(name)) return *found;
  throw Error(Code::kBadState, "this field of a saved state is missing", path_of(stack_.back().path, name));
}

TextReader::Element TextReader::single(const char* name) const {
  return {Json::object({{name, parse_json(need(name))}}), stack_.back().path};
}

bool TextReader::has(const char* name) const { return element_ ? element_->reader.has(name) : find(name) != nullptr; }

void TextReader::refuse(const char* name, const std::string& what) const {
  if (element_) element_->reader.refuse(name, what);
  const std::string& path = stack_.back().path;
  throw Error(Code::kBadState, what, *name == '\0' ? path : path_of(path, name));
}

void TextReader::number(const char* name, double& value, SavedRange range) {
  element_ ? element_->reader.number(name, value, range) : single(name).reader.number(name, value, range);
}

void TextReader::whole(const char* name, std::uint64_t& value, std::uint64_t most) {
  element_ ? element_->reader.whole(name, value, most) : single(name).reader.whole(name, value, most);
}

void TextReader::numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) {
  element_ ? element_->reader.numbers(name, values, size, range)
           : single(name).reader.numbers(name, values, size, range);
}

void TextReader::field(const char* name, std::string& value) {
  element_ ? element_->reader.field(name, value) : single(name).reader.field(name, value);
}

void TextReader::open(const char* name) {
  if (element_) {
    element_->reader.open(name);
    ++element_depth_;
    return;
  }
  const std::string_view text = need(name);
  std::string path = path_of(stack_.back().path, name);
  if (!text.starts_with('{'))
    throw Error(Code::kBadState, "found " + describe(parse_json(text)) + ", expected an object", path);
  stack_.push_back({.path = std::move(path), .fields = object_fields(text), .rest = {}});
}

void TextReader::close() {
  if (!element_) return stack_.pop_back();
  element_->reader.close();
  --element_depth_;
}

// The elements are counted by walking over them once.
std::uint64_t TextReader::open_list(const char* name, std::uint64_t size) {
  if (element_) {
    ++element_depth_;
    return element_->reader.open_list(name, size);
  }
  const std::string_view text = need(name);
  std::string path = path_of(stack_.back().path, name);
  if (!text.starts_with('['))
    throw Error(Code::kBadState, "found " + describe(parse_json(text)) + ", expected an array", path);
  std::uint64_t count = 0;
  std::string_view rest = text;
  for (std::string_view one; next_item(rest, one);) ++count;
  stack_.push_back({.path = std::move(path), .fields = {}, .rest = text});
  return count;
}

void TextReader::item() {
  if (element_ && element_depth_ > 0) return element_->reader.item();
  Level& list = stack_.back();
  std::string_view text;
  next_item(list.rest, text);  // the caller asks for as many as open_list() said
  std::string path = path_of(list.path, list.next++);
  element_.reset();  // before the next one is made
  element_ = std::make_unique<Element>(parse_json(text), std::move(path));
}

void TextReader::close_list() {
  if (element_ && element_depth_ > 0) {
    --element_depth_;
    return element_->reader.close_list();
  }
  element_.reset();
  stack_.pop_back();
}

}  // namespace hannan::detail

// The form that is digested: {"name":value,...,} with the fields sorted, [value,...,] for lists; a comma stands behind
// every part. A frame is an open object or list; what is inside an element or a nested object is put together there and
// goes into the frame around it when it closes.
#include "hannan/io/digest_archive.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/core/text.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

// Takes one field of the outermost object, or of none collects the names of all.
class DigestWriter final : public Archive {
 public:
  DigestWriter(Digest& digest, std::string_view wanted) : digest_(digest), wanted_(wanted) {}
  std::vector<std::string> names;  // of the outermost object

  bool reading() const override { return false; }
  using Archive::field;
  void field(const char* name, std::string& value) override {
    if (begin(name)) end(dump(Json(value)));
  }
  void open(const char* name) override {
    if (begin(name)) frames_.emplace_back();
    ++depth_;
  }
  void close() override {
    --depth_;
    if (taking_) end(closed());
  }
  std::uint64_t open_list(const char* name, std::uint64_t size) override {
    if (begin(name)) lists_.push_back({.text = "[", .item_open = false, .outermost = depth_ == 0});
    ++depth_;
    return size;
  }
  void item() override {
    if (depth_ == 1) interruption_point();  // a state of many segments takes seconds
    if (!taking_) return;
    end_item();
    lists_.back().item_open = true;
    frames_.emplace_back();
    ++depth_;
  }
  void close_list() override {
    end_item();
    --depth_;
    if (!taking_) return;
    List list = std::move(lists_.back());
    lists_.pop_back();
    list.text += ']';
    end(std::move(list.text));
  }
  [[noreturn]] void refuse(const char* name, const std::string& what) const override {
    throw Error(Code::kInternal, "a state is being written, and one of its checks fails: " + what, name);
  }

 protected:
  bool has(const char*) const override { return true; }
  void number(const char* name, double& value, SavedRange) override {
    if (begin(name)) end(number_of(value));
  }
  void whole(const char* name, std::uint64_t& value, std::uint64_t) override {
    if (begin(name)) end(number_of(static_cast<double>(value)));
  }
  void numbers(const char* name, std::vector<double>& values, SavedSize, SavedRange) override {
    if (!begin(name)) return;
    std::string text = "[";
    for (const double value : values) {
      if (std::isinf(value)) {
        text += number_of(value);
      } else {
        append_number(text, value);
      }
      text += ',';
    }
    text += ']';
    end(std::move(text));
  }

 private:
  using Frame = std::vector<std::pair<std::string, std::string>>;  // the fields of an object
  struct List {
    std::string text;
    bool item_open = false;
    bool outermost = false;  // its elements are digested as they come
  };
  static std::string number_of(double value) { return dump(Json(value)); }

  // True: the field that begins is wanted.
  bool begin(const char* name) {
    if (depth_ == 0) {
      taking_ = wanted_ == name && !wanted_.empty();
      if (wanted_.empty()) names.emplace_back(name);
      return taking_;
    }
    if (!taking_) return false;
    names_.push_back(name);
    return true;
  }
  void end(std::string text) {
    if (depth_ == 0) {
      digest_.add(text);
      return;
    }
    frames_.back().emplace_back(names_.back(), std::move(text));
    names_.pop_back();
  }
  std::string closed() {
    Frame fields = std::move(frames_.back());
    frames_.pop_back();
    std::sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text = "{";
    for (const auto& [name, value] : fields) text.append(dump(Json(name))).append(":").append(value).append(",");
    text += '}';
    return text;
  }
  void end_item() {
    if (!taking_ || !lists_.back().item_open) return;
    List& list = lists_.back();
    list.item_open = false;
    --depth_;
    list.text.append(closed()).append(",");
    if (!list.outermost) return;
    digest_.add(list.text);
    list.text.clear();
  }

  Digest& digest_;
  std::string_view wanted_;
  bool taking_ = false;
  std::size_t depth_ = 0;  // objects, lists and elements that are open within the outermost object
  std::vector<Frame> frames_;
  std::vector<List> lists_;
  std::vector<const char*> names_;  // of the fields that are being made, by depth
};

}  // namespace

void add_archived(Digest& digest, const std::function<void(Archive&)>& archive) {
  DigestWriter all(digest, {});
  archive(all);
  std::sort(all.names.begin(), all.names.end());
  digest.add("{");
  for (const std::string& name : all.names) {
    digest.add(dump(Json(name)));
    digest.add(":");
    DigestWriter one(digest, name);
    archive(one);
    digest.add(",");
  }
  digest.add("}");
}

}  // namespace hannan::detail

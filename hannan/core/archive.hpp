// One description of a state serves writing it and reading it back.
//
// A class that can be saved has `void archive(Archive& a)` naming its fields; the archive either
// copies them out or fills them in. Implementations live in io/.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace hannan {

class Archive {
 public:
  virtual ~Archive() = default;
  virtual bool reading() const = 0;
  virtual void field(const char* name, double& value) = 0;
  virtual void field(const char* name, std::uint64_t& value) = 0;
  virtual void field(const char* name, std::vector<double>& values) = 0;
  virtual void field(const char* name, std::string& value) = 0;
  // Fields between open and close stand in an object of their own; items, in an element of a list.
  virtual void open(const char* name) = 0;
  virtual void close() = 0;
  virtual std::uint64_t open_list(const char* name, std::uint64_t size) = 0;  // the size, read or written
  virtual void item() = 0;                                                    // the next element
  virtual void close_list() = 0;

  template <std::integral T>
  void count(const char* name, T& value) {
    auto wide = static_cast<std::uint64_t>(value);
    field(name, wide);
    value = static_cast<T>(wide);
  }
  template <class T>
    requires std::is_enum_v<T>
  void choice(const char* name, T& value) {
    auto wide = static_cast<std::uint64_t>(value);
    field(name, wide);
    value = static_cast<T>(wide);
  }
};

// Outcomes and actions that are plain numbers; a problem with richer ones adds its own overload.
inline void archive(Archive& a, double& value) { a.field("value", value); }
inline void archive(Archive& a, std::vector<double>& values) { a.field("values", values); }
inline void archive(Archive& a, std::vector<int>& values) {
  std::vector<double> numbers(values.begin(), values.end());
  a.field("values", numbers);
  values.clear();
  for (const double v : numbers) values.push_back(v > -1e9 && v < 1e9 ? static_cast<int>(v) : 0);
}
template <std::integral T>
void archive(Archive& a, T& value) {
  a.count("value", value);
}

}  // namespace hannan

// Signs and codes of currencies as they stand before or behind an amount: $, €, zł, CHF, US$.
//
// A mark stands for one code or for several ($ is that of USD, CAD, AUD and others). Two marks agree where they share a
// code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail {

// The codes that a mark may stand for, in capital letters; none where it is no mark. A code of ISO 4217 stands for
// itself, in small letters too.
std::vector<std::string_view> codes_of_mark(std::string_view mark);

// What is left of the currencies that all marks seen so far may stand for.
class CurrencySet {
 public:
  // False where the mark (or the code) shares no code with what came before; then nothing changes.
  bool narrow(std::string_view mark);
  // The only code that is left; empty where none was seen or several are left.
  std::string only() const { return codes_.size() == 1 ? codes_.front() : std::string(); }
  bool empty() const { return codes_.empty(); }
  const std::string& first() const { return first_; }  // the mark that came first

 private:
  std::vector<std::string> codes_;  // empty: no mark was seen
  std::string first_;
};

}  // namespace hannan::detail

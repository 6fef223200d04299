// Columns of a log that tell who won or what was paid, and that nothing was said of.
//
// A log of bids is one of second prices only where the person who knows it says so: a column called winner, price or
// sold_for, or one with cells such as "Awarded", shows that the log knows more than its bids, and the question what
// winners pay is asked (auction_facts.hpp). Names are compared in lower case, letters alone, so that soldPrice, "Sold
// price" and sold_price are one. A name with the word price is left alone where it is another price: a reserve, an
// opening bid, a list price, an estimate, or the bid itself.
//
// Cells are looked at in the first kRowsLooked rows; names once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/bidlog/row.hpp"

namespace hannan::detail {

// By its name alone.
bool names_payment(std::string_view column);
// "Awarded", "won", "LOST": what became of a bid.
bool tells_winner(std::string_view cell);

class PaymentColumns {
 public:
  static constexpr std::uint64_t kRowsLooked = 256;

  // `names` are those of the header; a column that a flag names is not looked at, but for a column of contexts.
  PaymentColumns(const std::vector<std::string>& names, const LogColumns& columns);

  // One more row; cell_of(c) is the text of its column c. Found columns are added to `found`, each once.
  template <class CellOf>
  void look(const CellOf& cell_of, std::vector<std::string>& found) {
    if (rows_ == 0) {
      for (const std::size_t c : by_name_) found.push_back(names_[c]);
    }
    if (++rows_ > kRowsLooked) return;
    for (std::size_t i = 0; i < open_.size();) {
      if (!tells_winner(cell_of(open_[i]))) {
        ++i;
        continue;
      }
      found.push_back(names_[open_[i]]);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> by_name_;  // found by their names
  std::vector<std::size_t> open_;     // not named by a flag, and not found yet
  std::uint64_t rows_ = 0;
};

}  // namespace hannan::detail

// Names and cells that tell of winners or payments: a column is noted by the first of either, and each cell is looked
// at once.
#include "hannan/bidlog/payment_columns.hpp"

#include <algorithm>
#include <array>

namespace hannan::detail {
namespace {

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The letters of a name in lower case: "Sold Price" is soldprice.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (is_letter(c)) letters += lowered(c);
  }
  return letters;
}

// Its words in lower case: of "isWon", "is_won" and "is won" they are is and won.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool upper = text[i] >= 'A' && text[i] <= 'Z';
    const bool after_lower = i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z';
    if (!words.back().empty() && (!is_letter(text[i]) || (upper && after_lower))) words.emplace_back();
    if (is_letter(text[i])) words.back() += lowered(text[i]);
  }
  return words;
}

template <std::size_t N>
bool holds_any(const std::string& text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

template <std::size_t N>
bool is_any(const std::string& word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 12> kParts{"winner",  "winning", "award",  "hammer",  "clearing",  "paid",
                                                  "payment", "sold",    "settle", "adjudic", "knockdown", "successful"};
constexpr std::array<std::string_view, 6> kWords{"win", "wins", "won", "pay", "pays", "charged"};
// Prices that are known before the bids, and the bid itself.
constexpr std::array<std::string_view, 20> kOtherPrices{
    "reserve", "open", "start", "list",  "floor",  "limit",   "min",    "max",    "ceil",      "estim",
    "budget",  "bid",  "ask",   "offer", "buynow", "catalog", "curren", "retail", "increment", "initial"};
constexpr std::array<std::string_view, 15> kFates{"won",    "win",        "winner",       "winning",     "lost",
                                                  "lose",   "loser",      "awarded",      "notawarded",  "sold",
                                                  "unsold", "successful", "unsuccessful", "adjudicated", "outbid"};

}  // namespace

bool names_payment(std::string_view column) {
  const std::string letters = letters_of(column);
  if (holds_any(letters, kParts)) return letters.find("paymentterm") == std::string::npos;
  const auto words = words_of(column);
  if (std::any_of(words.begin(), words.end(), [](const std::string& word) { return is_any(word, kWords); }))
    return true;
  return letters.find("price") != std::string::npos && !holds_any(letters, kOtherPrices);
}

bool tells_winner(std::string_view cell) {
  // Longer than every word of kFates: a long text is not looked at letter by letter.
  constexpr std::size_t kLongest = 16;
  return cell.size() >= 3 && cell.size() <= kLongest && is_any(letters_of(cell), kFates);
}

PaymentColumns::PaymentColumns(const std::vector<std::string>& names, const LogColumns& columns) : names_(names) {
  std::vector<std::string> named{columns.round,
                                 columns.who,
                                 columns.bid,
                                 columns.item,
                                 columns.segment,
                                 columns.quantity,
                                 columns.time,
                                 columns.sort,
                                 columns.opening,
                                 columns.paid,
                                 columns.won.substr(0, columns.won.find('=')),
                                 columns.outside,
                                 columns.choice,
                                 columns.value,
                                 columns.currency_column};
  named.insert(named.end(), columns.columns.begin(), columns.columns.end());
  for (const auto& [column, value] : columns.where) named.push_back(column);
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (std::find(named.begin(), named.end(), names[c]) != named.end()) continue;
    (names_payment(names[c]) ? by_name_ : open_).push_back(c);
  }
}

}  // namespace hannan::detail

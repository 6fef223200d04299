// The tables of signs and codes, and the search in them.
//
// Marks are compared byte by byte, codes without regard to case. Words in the tables have three letters and one space,
// so word k begins at 4 k.
#include "hannan/io/currency_marks.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "hannan/core/small_letters.hpp"

namespace hannan::detail {
namespace {

// ISO 4217, those in circulation and those that the euro replaced, in alphabetical order.
constexpr std::string_view kCodes =
    "AED AFN ALL AMD ANG AOA ARS ATS AUD AWG AZN BAM BBD BDT BEF BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD "
    "CDF CHF CLP CNY COP CRC CUP CVE CZK DEM DJF DKK DOP DZD EGP ERN ESP ETB EUR FIM FJD FKP FRF GBP GEL GHS GIP GMD "
    "GNF GRD GTQ GYD HKD HNL HRK HTG HUF IDR IEP ILS INR IQD IRR ISK ITL JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD "
    "KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NLG NOK NPR NZD "
    "OMR PAB PEN PGK PHP PKR PLN PTE PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP "
    "SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL";

struct Sign {
  std::string_view mark, codes;  // codes with a space between them
};
constexpr std::array<Sign, 49> kSigns{{
    {"$",
     "USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD BRL BBD BMD BND BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD UYU XCD"},
    {"US$", "USD"},
    {"U$S", "USD"},
    {"C$", "CAD NIO"},
    {"CA$", "CAD"},
    {"CAD$", "CAD"},
    {"A$", "AUD"},
    {"AU$", "AUD"},
    {"NZ$", "NZD"},
    {"S$", "SGD"},
    {"HK$", "HKD"},
    {"NT$", "TWD"},
    {"MX$", "MXN"},
    {"R$", "BRL"},
    {"€", "EUR"},
    {"£", "GBP EGP FKP GIP SHP LBP SYP"},
    {"¥", "JPY CNY"},
    {"￥", "JPY CNY"},
    {"JP¥", "JPY"},
    {"CN¥", "CNY"},
    {"円", "JPY"},
    {"元", "CNY"},
    {"₹", "INR"},
    {"Rs", "INR PKR LKR NPR MUR"},
    {"Rs.", "INR PKR LKR NPR MUR"},
    {"₩", "KRW KPW"},
    {"₽", "RUB"},
    {"руб", "RUB"},
    {"руб.", "RUB"},
    {"₺", "TRY"},
    {"TL", "TRY"},
    {"₪", "ILS"},
    {"₫", "VND"},
    {"฿", "THB"},
    {"₴", "UAH"},
    {"₱", "PHP"},
    {"₦", "NGN"},
    {"zł", "PLN"},
    {"kr", "SEK NOK DKK ISK"},
    {"kr.", "SEK NOK DKK ISK"},
    {"Kč", "CZK"},
    {"Ft", "HUF"},
    {"lei", "RON MDL"},
    {"лв", "BGN"},
    {"Fr", "CHF"},
    {"Fr.", "CHF"},
    {"SFr", "CHF"},
    {"SFr.", "CHF"},
    {"R", "ZAR"},
}};

// Words of three letters; a list is one or more of them.
std::vector<std::string_view> split(std::string_view words) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < words.size(); at += 4) out.push_back(words.substr(at, 3));
  return out;
}

}  // namespace

// All currencies that a mark may stand for, the likeliest first; none where it is not known.
std::vector<std::string_view> codes_of_mark(std::string_view mark) {
  if (mark.size() == 3 && std::ranges::all_of(mark, [](char c) {
        const char small = small_letter(c);
        return small >= 'a' && small <= 'z';
      })) {
    static const std::vector<std::string_view> kAll = split(kCodes);
    for (const std::string_view code : kAll) {
      if (small_letters(code) == small_letters(mark)) return {code};
    }
  }
  for (const Sign& sign : kSigns) {
    if (sign.mark == mark) return split(sign.codes);
  }
  return {};
}

// Keeps the currencies that all marks so far may stand for; false, and no change, where a mark contradicts them.
bool CurrencySet::narrow(std::string_view mark) {
  const auto found = codes_of_mark(mark);
  std::vector<std::string> codes(found.begin(), found.end());
  if (codes.empty()) codes.emplace_back(mark);  // a unit of the user's own
  if (codes_.empty()) {
    codes_ = std::move(codes);
    first_ = mark;
    return true;
  }
  std::vector<std::string> both;
  std::ranges::copy_if(codes_, std::back_inserter(both),
                       [&](const std::string& code) { return std::ranges::find(codes, code) != codes.end(); });
  if (both.empty()) return false;
  codes_ = std::move(both);
  return true;
}

}  // namespace hannan::detail

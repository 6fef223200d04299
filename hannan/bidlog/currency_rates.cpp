// What currencies are worth in that of the figures.
#include <string>
#include <vector>

#include "hannan/bidlog/row.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {

std::map<std::string, double, std::less<>> read_rates(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  CsvReader reader(unzipped(std::move(bytes), name), name, CsvOptions{.separator = ','});
  std::map<std::string, double, std::less<>> rates;
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    double rate = 0;
    const bool two = cells.size() == 2;
    if (two && read_number(trimmed(cells[1]), rate) == Reading::kFinite && rate > 0) {
      if (rates.emplace(trimmed(cells[0]), rate).second) continue;
      throw Error(Code::kMalformed, "found " + dump(Json(cells[0])) + " twice, expected each currency once",
                  reader.where(0));
    }
    if (two && rates.empty() && reader.line() == 1) continue;  // a header
    throw Error(Code::kMalformed, "found a line that is no rate, expected a currency and a number above 0: EUR,1.08",
                reader.where(0));
  }
  if (rates.empty()) throw Error(Code::kEmpty, "found no rate, expected lines such as EUR,1.08", name);
  return rates;
}

}  // namespace hannan::detail

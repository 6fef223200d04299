// Opens tables of outcomes; one that is opened twice is read twice, each time from its beginning.
#include "played_table.hpp"

#include "hannan/core/error.hpp"
#include "live_input.hpp"

namespace hannan::detail::cli {

std::vector<ContextColumn> zoned_columns(const DataFlags& data) {
  std::vector<ContextColumn> columns = parse_context_columns(data.by, "--by");
  for (ContextColumn& column : columns) column.times.zone = zone_seconds(data.log.zone, "--zone");
  for (ContextColumn& column : proposal_columns(data.proposed)) columns.push_back(std::move(column));
  return columns;
}

std::unique_ptr<ContextTable> open_context_table(const TableRequest& request) {
  const std::string& path = request.data.path;
  return std::make_unique<ContextTable>(live_input(path), input_name(path),
                                        ContextRequest{.columns = zoned_columns(request.data),
                                                       .time = request.data.log.timestamp,
                                                       .drop = request.drop,
                                                       .seen = request.times});
}

std::unique_ptr<Table> open_whole_table(const TableRequest& request) {
  if (request.picks()) return open_context_table(request);
  return open_table(live_input(request.data.path), input_name(request.data.path));
}

std::unique_ptr<Table> open_warm_table(const TableRequest& request, std::vector<double>& seen) {
  const DataFlags& data = request.data;
  std::unique_ptr<Table> table = open_whole_table(request);
  std::vector<double> row;
  for (std::uint64_t t = 0; t < data.warm; ++t) {
    if (!table->next(row)) {
      throw Error(Code::kEmpty,
                  "found " + std::to_string(t) + " rows, expected more than the first " + std::to_string(data.warm) +
                      ", which are not played",
                  "--warm");
    }
    seen.insert(seen.end(), row.begin(), row.end());
  }
  return table;
}

std::unique_ptr<Table> open_played_table(const TableRequest& request) {
  std::vector<double> unused;
  return request.data.cold ? open_warm_table(request, unused) : open_whole_table(request);
}

}  // namespace hannan::detail::cli

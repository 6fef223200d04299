// Tables of outcomes as flags say they are read, and their rows at the beginning: rehearsed, seen for prices, or both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data.hpp"
#include "hannan/io/table.hpp"
#include "hannan/streams/context_table.hpp"

namespace hannan::detail::cli {

// How the columns of a table are read: those of --by, --timestamp and --drop are no numbers of its rows.
struct TableRequest {
  const DataFlags& data;
  const std::vector<std::string>& drop;
  std::shared_ptr<SeenTimes> times;
  bool picks() const { return data.names_columns() || !data.log.timestamp.empty() || !drop.empty(); }
};

// The columns of --by, with hours and days of --zone.
std::vector<ContextColumn> zoned_columns(const DataFlags& data);
// Also for tables without --by where columns are to be left out: it is the one that picks columns by name.
std::unique_ptr<ContextTable> open_context_table(const TableRequest& request);
std::unique_ptr<Table> open_whole_table(const TableRequest& request);
// A table of outcomes behind its warm rows, whose numbers go to `seen`. Throws kEmpty where there are not so many.
std::unique_ptr<Table> open_warm_table(const TableRequest& request, std::vector<double>& seen);
// The table that is played, with the rows that are rehearsed before; without them where --cold leaves them out.
std::unique_ptr<Table> open_played_table(const TableRequest& request);

}  // namespace hannan::detail::cli

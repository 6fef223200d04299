// Names in CSV files that spreadsheets open.
#pragma once

#include <string>
#include <string_view>

namespace hannan::detail {

// Text as a cell of a CSV file, quoted where need be. Spreadsheets run a cell that starts with = + - @, a tab or a
// carriage return as a formula; such text, and such text behind apostrophes, gets an apostrophe before it.
std::string text_cell(std::string_view text);
// The text of such a cell: takes the apostrophe off again.
std::string_view cell_text(std::string_view cell);

}  // namespace hannan::detail

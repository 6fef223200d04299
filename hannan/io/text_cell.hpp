// Cells of CSV files, as every command writes them: the reader of this program and any other reader of CSV give back
// the text that was written.
#pragma once

#include <string>
#include <string_view>

namespace hannan::detail {

// A cell of this very text, in quotes where it holds a separator, a quote or a line end, or has blanks at its ends:
// for what the program makes itself (numbers, JSON).
std::string csv_cell(std::string_view text);
// Names and other text from outside, in the same way. Spreadsheets run a cell that starts with = + - @, a tab or a
// carriage return as a formula; such text, and such text behind apostrophes, gets an apostrophe before it.
std::string text_cell(std::string_view text);
// The text of such a cell: takes the apostrophe off again.
std::string_view cell_text(std::string_view cell);

}  // namespace hannan::detail

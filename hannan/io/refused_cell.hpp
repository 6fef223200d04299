// A cell of text in a table of numbers: dates are recognised, and the message says how to leave their column out.
#pragma once

#include <string>
#include <string_view>

namespace hannan::detail {

// Three numbers with the same -, / or . between them, a year of four digits first or last: 2024-01-31, 31.1.2024,
// 1/31/2024; a time may follow behind a space or a T.
bool looks_like_date(std::string_view cell);

// Throws kNotANumber: what was found and, for text, which flags leave the column out. `column` is its name in the
// header; empty: there is none.
[[noreturn]] void refuse_text_cell(std::string_view cell, std::string_view column, const std::string& at);

}  // namespace hannan::detail

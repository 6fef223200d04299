// The tables of a finished plan, the same ones in tables.md and on the page.
#pragma once

#include <string>
#include <vector>

#include "hannan/report/blocks.hpp"
#include "hannan/report/experiment_results.hpp"

namespace hannan::detail {

// A table for each measure that the plan asks for, then every cell in detail. A measure that is not known here is
// shown as unavailable.
std::vector<PageTable> tables_of(const ResultTable& table);

// tables.md.
std::string tables_markdown(const ExperimentResults& results);

}  // namespace hannan::detail

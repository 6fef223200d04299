// The pieces a page is made of, as data: hannan/report/page/page.js draws them.
//
//   facts     names and values                         table   a heading and rows
//   verdict   good, bad or open, in words              fold    blocks that are closed at first
//   chart     series over rounds                       charts  small ones side by side
//   text      a paragraph                            points  statements with a sentence each
//   download  a file to save                           chosen  when each of a few choices was the one in use
// The first screen of a comparison has blocks of its own: verdict_blocks.hpp, gain_charts.hpp.
//
// Words are written here, where the numbers are; text is plain, never HTML.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/io/amount_text.hpp"
#include "hannan/io/json.hpp"
#include "hannan/report/thinned.hpp"

namespace hannan::detail {

// About seven digits: more than a screen shows, and half the bytes.
double rounded(double value);
// 0 for what is only rounding beside numbers as large as `scale`: sums that should cancel leave 1e-16 of it.
double cleared(double value, double scale);
std::string shown(const Json& value);                              // a number for people, anything else as JSON
std::string counted(std::uint64_t count, const std::string& one);  // "3 rounds", "1 round"
std::string shortened(const std::string& text);                    // to a line or two

struct PageSeries {
  std::string name;
  std::vector<double> at;  // empty: those of the chart
  std::vector<std::optional<double>> values;
  std::optional<std::size_t> ink;  // colour and dash; one thing has the same in every chart. Left out: its place
  enum class Look { kLine, kPoints, kFaint } look = Look::kLine;  // points: what came; faint: what is only beside it
};
PageSeries series_of(std::string name, const std::vector<ThinnedPoint>& points);

struct PageChart {
  enum class Line { kStraight, kStep };
  enum class Axis { kLinear, kLogarithmic, kTime };  // of seconds since 1970
  enum class AxisStart { kZero, kData };             // where the y axis begins
  std::string title;
  std::string about;  // below the title
  std::string now;    // the last value in words, where it is the one to use
  std::string alt;    // what it shows, from the data, for those who do not see it
  std::string x_name = "round";
  std::string y_name;
  Line line = Line::kStraight;
  Axis x_axis = Axis::kLinear;
  AxisStart axis_start = AxisStart::kZero;
  std::vector<double> at;  // shared by series without their own
  std::vector<PageSeries> series;
};

using PageRow = std::vector<std::string>;
struct PageTable {
  std::string title, about;
  PageRow header;
  std::vector<PageRow> rows;
};

Json text_block(const std::string& text);
Json facts_block(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts);
enum class Verdict { kGood, kBad, kOpen };
Json verdict_block(Verdict verdict, const std::string& text, const std::vector<std::string>& details);
Json chart_block(const PageChart& chart);
Json charts_block(const std::string& title, const std::string& about, const std::vector<PageChart>& charts);
Json table_block(const PageTable& table);
// A part that is closed at first; `about` says in one sentence what is in it.
Json fold_block(const std::string& title, const std::string& about, Json blocks);
// Short statements, each with a sentence that explains it.
Json points_block(const std::string& title, const std::vector<std::pair<std::string, std::string>>& points);

// A button that saves `text` as a file of this name.
struct PageFile {
  std::string name, button, text;
};
Json download_block(const PageFile& file);
// One row a choice: the stretches of the data, in shares of it from 0 to 1, in which it was used.
struct ChosenRow {
  std::string name, share;
  std::vector<std::pair<double, double>> stretches;
};
Json chosen_block(const std::string& title, const std::string& about, const std::vector<ChosenRow>& rows);

// A JSON object as facts, one line a field; nested ones with dots.
Json object_block(const std::string& title, const Json& object);

}  // namespace hannan::detail

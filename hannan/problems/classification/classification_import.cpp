// Points and labels of `classification` out of a file.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "hannan/core/error.hpp"
#include "hannan/io/labelled_table.hpp"
#include "hannan/problems/classification/boosting.hpp"
#include "hannan/problems/classification/classification_codec.hpp"

namespace hannan::detail {

namespace {

// Unless told otherwise: pairs of values are what trees cost, and with depth 3 cuts times pairs.
// Chosen: they keep a call of the search below a second on tables of some tens of columns.
constexpr std::size_t kTreeBins = 32, kDeepTreeBins = 8;

// The options that say how to read the file; everything else stays a parameter of the problem.
constexpr std::array<std::string_view, 11> kOptions{"label", "labels", "positive", "drop",   "decided", "bins",
                                                    "learn", "stumps", "skip",     "header", "format"};

bool is_option(std::string_view name) { return std::find(kOptions.begin(), kOptions.end(), name) != kOptions.end(); }

// On the command line a column or label such as 58 arrives as a number.
std::string to_text(const Json& value, std::string_view path) {
  return value.is_number() ? number_text(value.as_number()) : to_word(value, path);
}

bool ends_as_libsvm(std::string name) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name.ends_with(".libsvm") || name.ends_with(".svm") || name.ends_with(".txt");
}

// Labels stand in a column of the file or in a second file. LIBSVM has its label in front of each row, so the options
// about label columns are refused there.
LabelledTable read_table(Fields& options, const std::string& file) {
  const std::string format = options.choice("format", {"csv", "libsvm"}, ends_as_libsvm(file) ? "libsvm" : "csv");
  std::optional<std::string> positive;
  if (const Json* named = options.maybe("positive")) positive = to_text(*named, options.at("positive"));
  const Json* labels = options.maybe("labels");
  if (format == "libsvm" && labels)
    throw Error(Code::kUsage, "found labels beside a LIBSVM file, expected one of them: it has labels", "labels");
  const Json* decided = options.maybe("decided");
  if (format == "libsvm" && decided)
    throw Error(Code::kUsage, "found a column of decisions and a LIBSVM file, expected CSV: LIBSVM has no such column",
                "decided");
  if (format == "libsvm") return read_libsvm(bytes_of_file(file), file, positive);
  LabelledCsv csv{.label = {}, .positive = positive};
  if (decided) csv.decided = to_text(*decided, options.at("decided"));
  if (labels) {
    const std::string name = to_word(*labels, options.at("labels"));
    const Json* column = options.maybe("label");
    csv.labels = LabelFile{.name = name,
                           .column = column ? to_text(*column, options.at("label")) : std::string(),
                           .open = [name] { return bytes_of_file(name); }};
  } else {
    csv.label = to_text(options.need("label"), options.at("label"));
  }
  if (const Json* drop = options.maybe("drop")) {
    if (!drop->is_array()) csv.drop.push_back(to_text(*drop, options.at("drop")));
    for (std::size_t i = 0; drop->is_array() && i < drop->size(); ++i)
      csv.drop.push_back(to_text((*drop)[i], path_of(options.at("drop"), i)));
  }
  csv.skip = static_cast<std::size_t>(options.integer("skip", kNatural, 0));
  if (options.choice("header", {"first", "none"}, "first") == "none") csv.header = LabelledCsv::Header::kNone;
  return read_labelled_csv(bytes_of_file(file), file, csv);
}

// 0: as many values as there are.
// The option first; without it the usual number for trees, and none for classes whose cost does not depend on pairs.
std::size_t bins_of(Fields& options, const Json& params) {
  if (const Json* bins = options.maybe("bins")) {
    if (bins->is_string() && bins->as_string() == "none") return 0;
    return static_cast<std::size_t>(to_integer(*bins, options.at("bins"), {2, 1'000'000}));
  }
  const Json* name = params.find("hypotheses");
  if (name && *name == Json(kDeepTrees)) return kDeepTreeBins;
  return name && *name == Json(kTrees) ? kTreeBins : 0;
}

// How the votes are learned: from so many rows, and so many stumps at most.
struct Learning {
  std::size_t rows = 0, stumps = 0;
};
// A number below 1 is a share of the rows, from 1 on it is their number. Rows that votes are learned from are not
// played: they would be judged on what they were fitted to.
Learning learning_of(Fields& options, std::size_t rows, const Json& params) {
  const Json* name = params.find("hypotheses");
  if (!name || *name != Json(kVotes)) {
    for (const char* option : {"learn", "stumps"}) {
      if (options.has(option))
        throw Error(Code::kUsage, "found it with another class, expected hypotheses=votes: others learn nothing before",
                    options.at(option));
    }
    return {};
  }
  // A fifth of the rows: chosen; the rest is played.
  constexpr double kShare = 0.2;
  const double share = options.number("learn", {0, 1e9}, kShare);
  const double wanted = share < 1 ? std::floor(share * static_cast<double>(rows)) : std::floor(share);
  if (!(wanted >= 1) || wanted >= static_cast<double>(rows)) {
    throw Error(Code::kOutOfRange,
                "found " + number_text(wanted) + " of " + std::to_string(rows) +
                    " rows to learn from, expected some, and some to play",
                options.at("learn"));
  }
  return {.rows = static_cast<std::size_t>(wanted),
          .stumps = static_cast<std::size_t>(options.integer("stumps", {1, 1000}, kUsualStumps))};
}

// The vote of stumps learned from the first rows.
std::vector<WeightedStumpRule> learned_votes(const PointTable& points, std::span<const LabelledPoint> rows,
                                             std::size_t stumps) {
  const FeatureCuts cuts(points);
  const ColumnSums columns(cuts);
  std::vector<WeightedStumpRule> votes;
  for (const WeightedStump& vote : boosted_stumps({.cuts = cuts, .columns = columns}, rows, stumps))
    votes.push_back({.stump = {.cut = cuts.describe(vote.cut), .says = vote.one ? 1 : 0}, .weight = vote.weight});
  return votes;
}

// Moves the rows out of the table; the labels and decisions stay.
PointTable points_of(LabelledTable& table) {
  PointTable points(std::move(table.rows));
  const auto& columns = table.columns;
  if (std::any_of(columns.begin(), columns.end(), [](const auto& column) { return !column.categories.empty(); })) {
    for (const auto& column : columns) points.categories.push_back(column.categories);
  }
  // Names serve people; columns that share one are called by their places.
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() && !sorted.front().empty())
    points.names = std::move(names);
  return points;
}

}  // namespace

// Steps in this order, because each needs the one before: options apart from parameters, rows, bins, equal rows merged
// into points, votes, outcomes. What is left in `params` is a problem that no longer refers to the file.
Imported Codec<Classification>::import(Json params, const std::string& file) {
  Imported imported;
  Json options = Json::object();
  for (const auto& [name, value] : params.as_object()) (is_option(name) ? options : imported.params).set(name, value);
  for (const std::string_view name : {"points", "predictions", "categories", "names", "votes"}) {
    if (params.find(name))
      throw Error(Code::kUsage, "found " + std::string(name) + " beside a file of points, expected one of the two",
                  "--param");
  }
  Fields fields(options, "--param");
  const std::size_t bins = bins_of(fields, imported.params);
  LabelledTable table = read_table(fields, file);
  const Learning learning = learning_of(fields, table.rows.size(), imported.params);
  fields.done();
  PointTable points = points_of(table);
  if (bins > 0) bin_columns(points, bins);
  // Rounds refer to points by place: equal rows, also those made equal by bins, are one point.
  const auto place_of = merge_equal_rows(points);
  write_points(points, imported.params);
  if (learning.rows > 0) {
    std::vector<LabelledPoint> past;
    for (std::size_t i = 0; i < learning.rows; ++i) past.push_back({place_of[i], table.labels[i]});
    write_votes(learned_votes(points, past, learning.stumps), points, imported.params);
  }
  imported.outcomes.reserve(place_of.size());
  for (std::size_t i = learning.rows; i < place_of.size(); ++i) {
    imported.outcomes.push_back(Json::object({{"point", place_of[i]}, {"label", table.labels[i]}}));
    if (!table.decisions.empty()) imported.logged.push_back(table.decisions[i] == table.labels[i] ? 0 : 1);
  }
  return imported;
}

}  // namespace hannan::detail

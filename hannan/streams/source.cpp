// A source reads, checks and digests one outcome at a time and keeps none. skip() does the same without making the
// outcome where that can be left out, so that the digest of a resumed run is that of one that was not stopped.
#include "hannan/streams/source.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/lines.hpp"
#include "hannan/streams/row_reader.hpp"

namespace hannan::detail {
namespace {

// Rows of a table: the shape is checked once, each row as it is read, so that an error names file, line and column.
class TableSource final : public Source {
 public:
  TableSource(std::unique_ptr<Table> table, const Game& game, ContextView contexts)
      : table_(std::move(table)), contexts_(std::move(contexts)), rows_(game) {
    if (rows_.width() == 0) {
      throw Error(Code::kUnavailable,
                  "an outcome of \"" + std::string(game.kind()) +
                      "\" is not a row of numbers; give JSON lines, one outcome a line",
                  table_->where(0));
    }
    if (table_->columns() != rows_.width()) {
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(table_->columns()) + " columns, expected " + std::to_string(rows_.width()),
                  table_->where(0));
    }
    // Otherwise an empty cell is refused by the table itself.
    if (rows_.wants_gaps()) table_->allow_gaps();
  }

  std::span<const std::string> context() const override {
    return contexts_.values ? contexts_.values() : std::span<const std::string>();
  }
  std::uint64_t context_not_numbers() const override { return contexts_.values ? contexts_.not_numbers() : 0; }
  bool next(AnyOutcome& outcome) override {
    if (!skip()) return false;
    rows_.read(row_, outcome);
    return true;
  }
  // Checks and digests the row as next() does, and makes no outcome of it.
  bool skip() override {
    if (!table_->next(row_)) return false;
    rows_.check(
        row_, [this](std::size_t j) { return table_->where(j); },
        [this](std::size_t j) { return j < table_->names().size() ? table_->names()[j] : std::string(); });
    digest(bytes_of(row_));
    return true;
  }

 private:
  // The numbers as little-endian bytes, whatever the machine's own order: saved states move between machines.
  std::string_view bytes_of(std::span<const double> row) {
    if constexpr (std::endian::native == std::endian::little)
      return {reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)};
    bytes_.clear();
    for (const double value : row) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>((bits >> shift) & 0xFFU);
    }
    return bytes_;
  }

  std::unique_ptr<Table> table_;
  ContextView contexts_;
  RowReader rows_;
  std::vector<double> row_;
  std::string bytes_;
};

// One outcome a line. The digest is of the line's bytes, so that the same file gives the same digest whatever the
// numbers look like; empty lines are passed over and do not count.
class JsonLinesSource final : public Source {
 public:
  JsonLinesSource(std::unique_ptr<ByteSource> bytes, const std::string& name, const Game& game,
                  std::vector<ContextColumn> columns = {})
      : lines_(unzipped(std::move(bytes), name), name), game_(game), columns_(std::move(columns)) {}

  std::span<const std::string> context() const override { return context_; }
  std::uint64_t context_not_numbers() const override { return not_numbers_; }

  bool next(AnyOutcome& outcome) override {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (line.find_first_not_of(" \t") == std::string_view::npos);
    Json json;
    try {
      json = parse_json(line);
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), lines_.where() + ": " + e.at());
    }
    const Json* given = &json;
    if (!columns_.empty()) given = &read_cells(json);
    try {
      game_.read_outcome(*given, "outcome", outcome);
    } catch (const Error& e) {  // in a file it is the data that is wrong, not the call
      // The commonest mistake with such files gets its own answer.
      if (columns_.empty() && json.is_object() && json.find("context") && json.find("outcome"))
        throw Error(Code::kUnknownField, "found a context, expected --by with the names of its columns",
                    lines_.where() + ": context");
      throw Error(Code::kBadOutcome, e.message(), lines_.where() + ": " + e.at());
    }
    digest(line);
    return true;
  }
  bool skip() override { return next(passed_); }

 private:
  // Takes the context of the line; gives its outcome.
  const Json& read_cells(const Json& json) {
    try {
      Fields fields(json, "");
      read_context(fields.need("context"), columns_.size(), "context", context_);
      const Json& outcome = fields.need("outcome");
      fields.done();
      bool all = true;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto value = context_cell(columns_[i], context_[i]);
        all = all && value;
        context_[i] = value.value_or("");
      }
      if (!all) ++not_numbers_;
      return outcome;
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), lines_.where() + ": " + e.at());
    }
  }

  LineReader lines_;
  const Game& game_;
  std::vector<ContextColumn> columns_;
  std::vector<std::string> context_;
  std::uint64_t not_numbers_ = 0;
  AnyOutcome passed_;
};

// Outcomes that other code makes one by one (logs of bids, lists); `where` says where the last one came from.
class MadeSource final : public Source {
 public:
  MadeSource(std::function<bool(Json&)> make, std::function<std::string()> where, const Game& game,
             ContextView contexts)
      : make_(std::move(make)), where_(std::move(where)), game_(game), contexts_(std::move(contexts)) {}

  std::span<const std::string> context() const override {
    return contexts_.values ? contexts_.values() : std::span<const std::string>();
  }
  std::uint64_t context_not_numbers() const override { return contexts_.values ? contexts_.not_numbers() : 0; }

  bool next(AnyOutcome& outcome) override {
    if (!make_(json_)) return false;
    try {
      game_.read_outcome(json_, "outcome", outcome);
    } catch (const Error& e) {
      throw Error(Code::kBadOutcome, e.message(), where_());
    }
    digest(dump(json_));
    return true;
  }
  bool skip() override { return next(passed_); }

 private:
  std::function<bool(Json&)> make_;
  std::function<std::string()> where_;
  const Game& game_;
  ContextView contexts_;
  Json json_;
  AnyOutcome passed_;
};

// A simulated stream; with segments the experts of a round change places by the law of its context. A stream that
// answers the learner is told each action, and so cannot be skipped ahead.
class SimulatedSource final : public Source {
 public:
  SimulatedSource(std::unique_ptr<LossStream> stream, const Game& game, const SegmentSpec& segments)
      : stream_(std::move(stream)), game_(game), row_(stream_->experts()) {
    if (segments.by.empty()) return;
    if (stream_->adaptive())
      throw Error(Code::kUnavailable, "found a stream that answers the learner, expected another for segments",
                  "stream");
    segments_.emplace(segments);
  }

  std::span<const std::string> context() const override {
    return segments_ ? segments_->context() : std::span<const std::string>();
  }

  bool next(AnyOutcome& outcome) override {
    if (!skip()) return false;
    game_.read_row(row_, outcome);
    return true;
  }
  bool skip() override {
    if (round_ == stream_->rounds()) return false;
    stream_->losses(++round_, row_);
    if (!segments_) return true;
    segments_->round(round_);
    const auto turn = static_cast<std::ptrdiff_t>(segments_->turn(row_.size()));
    // Expert k gets the loss of expert k - turn.
    std::rotate(row_.rbegin(), row_.rbegin() + turn, row_.rend());
    return true;
  }
  bool answers_actions() const override { return stream_->adaptive(); }
  void saw(const Json& action) override { stream_->saw(round_, static_cast<std::size_t>(action.as_number())); }

 private:
  std::unique_ptr<LossStream> stream_;
  const Game& game_;
  std::optional<SimulatedSegments> segments_;
  std::vector<double> row_;
  std::uint64_t round_ = 0;
};

}  // namespace

std::unique_ptr<Source> table_source(std::unique_ptr<Table> table, const Game& game) {
  return std::make_unique<TableSource>(std::move(table), game, ContextView{});
}

std::unique_ptr<Source> table_source(std::unique_ptr<Table> table, const Game& game, ContextView contexts) {
  return std::make_unique<TableSource>(std::move(table), game, std::move(contexts));
}

// The view points at the table, which the source owns from here on.
std::unique_ptr<Source> table_source(std::unique_ptr<ContextTable> table, const Game& game) {
  const ContextTable* of = table.get();
  ContextView contexts{[of] { return of->context(); }, [of] { return of->not_numbers(); }};
  return std::make_unique<TableSource>(std::move(table), game, std::move(contexts));
}

std::unique_ptr<Source> json_lines_source(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                          const Game& game) {
  return std::make_unique<JsonLinesSource>(std::move(bytes), name, game);
}

std::unique_ptr<Source> json_lines_source(std::unique_ptr<ByteSource> bytes, const std::string& name, const Game& game,
                                          std::vector<ContextColumn> columns) {
  return std::make_unique<JsonLinesSource>(std::move(bytes), name, game, std::move(columns));
}

// The place that `where` reports is the number of the outcome last given out, from 1.
std::unique_ptr<Source> listed_source(std::vector<Json> outcomes, const std::string& name, const Game& game) {
  auto at = std::make_shared<std::size_t>(0);
  const auto next = [list = std::make_shared<std::vector<Json>>(std::move(outcomes)), at](Json& outcome) {
    if (*at == list->size()) return false;
    outcome = (*list)[(*at)++];
    return true;
  };
  return made_source(next, [name, at] { return name + ": outcome " + std::to_string(*at); }, game);
}

std::unique_ptr<Source> made_source(std::function<bool(Json&)> next, std::function<std::string()> where,
                                    const Game& game) {
  return std::make_unique<MadeSource>(std::move(next), std::move(where), game, ContextView{});
}

std::unique_ptr<Source> made_source(std::function<bool(Json&)> next, std::function<std::string()> where,
                                    const Game& game, ContextView contexts) {
  return std::make_unique<MadeSource>(std::move(next), std::move(where), game, std::move(contexts));
}

std::unique_ptr<Source> simulated_source(std::unique_ptr<LossStream> stream, const Game& game) {
  return simulated_source(std::move(stream), game, {});
}

std::unique_ptr<Source> simulated_source(std::unique_ptr<LossStream> stream, const Game& game,
                                         const SegmentSpec& segments) {
  return std::make_unique<SimulatedSource>(std::move(stream), game, segments);
}

// By the ending of the name alone, since the input may be a pipe that cannot be looked at twice.
bool looks_like_json_lines(const std::string& path) {
  for (const std::string_view ending : {".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"}) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace hannan::detail

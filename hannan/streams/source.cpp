#include "hannan/streams/source.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/lines.hpp"

namespace hannan {
namespace {

class TableSource final : public Source {
 public:
  TableSource(std::unique_ptr<Table> table, const AnyProblem& problem)
      : table_(std::move(table)),
        problem_(problem),
        width_(problem.row_width()),
        range_(problem.row_range()),
        scalar_(width_ == 1 && range_.hi != 1) {
    if (width_ == 0) {
      throw Error(Code::kUnavailable,
                  "an outcome of \"" + std::string(problem.kind()) +
                      "\" is not a row of numbers; give JSON lines, one outcome a line",
                  table_->where(0));
    }
    if (table_->columns() != width_) {
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(table_->columns()) + " columns, expected " + std::to_string(width_),
                  table_->where(0));
    }
  }

  bool feed(AnyLearner& learner, ObserveView& view) override {
    if (!skip()) return false;
    view = learner.observe_row(row_);
    return true;
  }
  bool skip() override {
    if (!table_->next(row_)) return false;
    // Counted without leaving the loop, so that it becomes vectors; who broke the rule is looked for only then.
    std::uint64_t outside = 0;
    for (const double value : row_) outside += !(value >= range_.lo) | !(value <= range_.hi);
    for (std::size_t j = 0; j < row_.size() && (outside > 0 || scalar_); ++j) {
      if (row_[j] >= range_.lo && row_[j] <= range_.hi && (!scalar_ || row_[j] == std::floor(row_[j]))) continue;
      throw Error(Code::kLossRange,
                  "found " + number_text(row_[j]) + ", expected " + (scalar_ ? "a whole number" : "a number") +
                      " in [" + number_text(range_.lo) + "," + number_text(range_.hi) + "]",
                  table_->where(j));
    }
    digest(bytes_of(row_));
    return true;
  }
  bool next(Json& outcome) override {
    if (!skip()) return false;
    outcome = problem_.outcome_of_row(row_);
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
  const AnyProblem& problem_;
  std::size_t width_;
  Interval range_;
  bool scalar_;  // the outcome is an index, not a list
  std::vector<double> row_;
  std::string bytes_;
};

// Outcomes that come as JSON: whoever says which is next says all.
class JsonSource : public Source {
 public:
  bool feed(AnyLearner& learner, ObserveView& view) override {
    Json outcome;
    if (!next(outcome)) return false;
    view = learner.observe(outcome, "outcome");
    return true;
  }
  bool skip() override {
    Json unused;
    return next(unused);
  }
};

class JsonLinesSource final : public JsonSource {
 public:
  JsonLinesSource(std::unique_ptr<ByteSource> bytes, const std::string& name, const AnyProblem& problem)
      : lines_(unzipped(std::move(bytes), name), name), problem_(problem) {}

  bool next(Json& outcome) override {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (line.find_first_not_of(" \t") == std::string_view::npos);
    try {
      outcome = parse_json(line);
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), lines_.where() + ": " + e.at());
    }
    try {
      problem_.check_outcome(outcome, "outcome");
    } catch (const Error& e) {  // in a file it is the data that is wrong, not the call
      throw Error(Code::kBadOutcome, e.message(), lines_.where() + ": " + e.at());
    }
    digest(line);
    return true;
  }

 private:
  LineReader lines_;
  const AnyProblem& problem_;
};

class MadeSource final : public JsonSource {
 public:
  MadeSource(std::function<bool(Json&)> make, std::function<std::string()> where, const AnyProblem& problem)
      : make_(std::move(make)), where_(std::move(where)), problem_(problem) {}

  bool next(Json& outcome) override {
    if (!make_(outcome)) return false;
    try {
      problem_.check_outcome(outcome, "outcome");
    } catch (const Error& e) {
      throw Error(Code::kBadOutcome, e.message(), where_());
    }
    digest(dump(outcome));
    return true;
  }

 private:
  std::function<bool(Json&)> make_;
  std::function<std::string()> where_;
  const AnyProblem& problem_;
};

class SimulatedSource final : public Source {
 public:
  explicit SimulatedSource(std::unique_ptr<LossStream> stream) : stream_(std::move(stream)), row_(stream_->experts()) {}

  bool feed(AnyLearner& learner, ObserveView& view) override {
    if (!skip()) return false;
    const auto action = stream_->adaptive() ? static_cast<std::size_t>(learner.action().as_number()) : 0;
    view = learner.observe_row(row_);
    if (stream_->adaptive()) stream_->saw(round_, action);
    return true;
  }
  bool answers_actions() const override { return stream_->adaptive(); }
  bool skip() override {
    if (round_ == stream_->rounds()) return false;
    stream_->losses(++round_, row_);
    return true;
  }
  bool next(Json& outcome) override {
    if (!skip()) return false;
    outcome = Json(row_);
    return true;
  }

 private:
  std::unique_ptr<LossStream> stream_;
  std::vector<double> row_;
  std::uint64_t round_ = 0;
};

}  // namespace

std::unique_ptr<Source> table_source(std::unique_ptr<Table> table, const AnyProblem& problem) {
  return std::make_unique<TableSource>(std::move(table), problem);
}

std::unique_ptr<Source> json_lines_source(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                          const AnyProblem& problem) {
  return std::make_unique<JsonLinesSource>(std::move(bytes), name, problem);
}

std::unique_ptr<Source> listed_source(std::vector<Json> outcomes, const std::string& name, const AnyProblem& problem) {
  auto at = std::make_shared<std::size_t>(0);
  const auto next = [list = std::make_shared<std::vector<Json>>(std::move(outcomes)), at](Json& outcome) {
    if (*at == list->size()) return false;
    outcome = (*list)[(*at)++];
    return true;
  };
  return made_source(next, [name, at] { return name + ": outcome " + std::to_string(*at); }, problem);
}

std::unique_ptr<Source> made_source(std::function<bool(Json&)> next, std::function<std::string()> where,
                                    const AnyProblem& problem) {
  return std::make_unique<MadeSource>(std::move(next), std::move(where), problem);
}

std::unique_ptr<Source> simulated_source(std::unique_ptr<LossStream> stream) {
  return std::make_unique<SimulatedSource>(std::move(stream));
}

bool looks_like_json_lines(const std::string& path) {
  for (const std::string_view ending : {".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"}) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace hannan

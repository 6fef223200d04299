// One source for each kind of file, chosen by the first bytes. Memory: one row, whatever the length; cells are valid
// until the next row.
#include "hannan/forecasts/named_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/core/text.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/lines.hpp"
#include "hannan/io/named_columns.hpp"
#include "hannan/io/npy.hpp"

namespace hannan::detail {

class NamedRows::Source {
 public:
  virtual ~Source() = default;
  virtual const std::vector<std::string>& names() const = 0;
  virtual bool next(std::vector<std::string_view>& cells) = 0;
  virtual std::string where(std::size_t column) const = 0;
  virtual std::size_t line() const = 0;
  virtual std::size_t place(const std::string& name, const std::string& flag) const {
    const auto found = std::ranges::find(names(), name);
    if (found != names().end()) return static_cast<std::size_t>(found - names().begin());
    std::string all;
    for (std::size_t c = 0; c < names().size() && c < 40; ++c)
      all += (c ? ", \"" : "\"") + printable(names()[c]) + "\"";
    throw Error(Code::kUnknownName,
                "found no column \"" + printable(name) + "\" (" + flag + "), expected one of " + all +
                    (names().size() > 40 ? " ..." : "") + near_hint(name, names()),
                flag);
  }
};

namespace {

class CsvRows final : public NamedRows::Source {
 public:
  CsvRows(std::unique_ptr<ByteSource> source, const std::string& path)
      : rows_(std::move(source), path, {.csv = {}, .no_rows = "found nothing, expected a header and rows"}) {
    double number = 0;
    const auto is_number = [&](const std::string& name) { return read_number(name, number) == Reading::kFinite; };
    if (std::ranges::all_of(rows_.names(), is_number))
      throw Error(Code::kMissingField, "found numbers in the first row, expected the names of the columns",
                  path + ":1");
  }
  const std::vector<std::string>& names() const override { return rows_.names(); }
  // Spreadsheets leave rows behind that hold nothing but separators.
  bool next(std::vector<std::string_view>& cells) override {
    do {
      if (!rows_.next()) return false;
      rows_.check_width();
      cells = rows_.cells();
    } while (std::ranges::all_of(cells, [](std::string_view cell) { return trimmed(cell).empty(); }));
    return true;
  }
  std::string where(std::size_t column) const override { return rows_.where(column); }
  std::size_t line() const override { return rows_.line(); }
  std::size_t place(const std::string& name, const std::string& flag) const override {
    return rows_.place_of(name, {.by = flag, .hint = {}});
  }

 private:
  NamedColumns rows_;
};

class JsonRows final : public NamedRows::Source {
 public:
  JsonRows(std::unique_ptr<ByteSource> source, const std::string& path) : lines_(std::move(source), path) {
    if (!read()) throw Error(Code::kEmpty, "found nothing, expected an object a line", path);
    for (const auto& [name, value] : object_.as_object()) names_.push_back(name);
  }
  const std::vector<std::string>& names() const override { return names_; }
  bool next(std::vector<std::string_view>& cells) override {
    if (!std::exchange(pending_, false) && !read()) return false;
    texts_.assign(names_.size(), {});
    for (const auto& [name, value] : object_.as_object()) {
      const auto found = std::ranges::find(names_, name);
      if (found == names_.end())
        throw Error(Code::kUnknownField,
                    "found \"" + printable(name) + "\", which the first object does not have, expected its names",
                    lines_.where());
      texts_[static_cast<std::size_t>(found - names_.begin())] = text_of(name, value);
    }
    cells.assign(texts_.begin(), texts_.end());
    return true;
  }
  std::string where(std::size_t column) const override { return lines_.where() + ", \"" + names_[column] + "\""; }
  std::size_t line() const override { return lines_.number(); }

 private:
  // The next line that is not empty.
  bool read() {
    for (std::string_view line; lines_.next(line);) {
      if (trimmed(line).empty()) continue;
      try {
        object_ = parse_json(line);
      } catch (const Error& e) {
        throw Error(e.code(), e.message(), lines_.where());
      }
      if (object_.is_object()) return true;
      throw Error(Code::kWrongType, "found a line that is no object, expected an object with the names of columns",
                  lines_.where());
    }
    return false;
  }
  std::string text_of(const std::string& name, const Json& value) const {
    if (value.is_null()) return {};
    if (value.is_number()) return number_text(value.as_number());
    if (value.is_string()) return value.as_string();
    throw Error(Code::kWrongType, "found another value of \"" + printable(name) + "\", expected a number, text or null",
                lines_.where());
  }

  LineReader lines_;
  Json object_;
  bool pending_ = true;  // object_ has not been handed out
  std::vector<std::string> names_, texts_;
};

class NpyRows final : public NamedRows::Source {
 public:
  NpyRows(std::unique_ptr<ByteSource> source, const std::string& path) : rows_(std::move(source), path) {
    rows_.allow_gaps();
    for (std::size_t c = 0; c < rows_.columns(); ++c) names_.push_back(std::to_string(c));
  }
  const std::vector<std::string>& names() const override { return names_; }
  bool next(std::vector<std::string_view>& cells) override {
    if (!rows_.next(row_)) return false;
    ++line_;
    texts_.clear();
    for (const double one : row_) texts_.push_back(std::isnan(one) ? std::string() : number_text(one));
    cells.assign(texts_.begin(), texts_.end());
    return true;
  }
  std::string where(std::size_t column) const override { return rows_.where(column); }
  std::size_t line() const override { return line_; }

 private:
  NpyReader rows_;
  std::vector<double> row_;
  std::size_t line_ = 0;
  std::vector<std::string> names_, texts_;
};

}  // namespace

NamedRows::NamedRows(const std::string& path) : path_(path) {
  std::unique_ptr<PeekedSource> plain = unzipped(bytes_of_file(path), path);
  if (plain->peek(kNpyMagic.size()) == kNpyMagic) {
    source_ = std::make_unique<NpyRows>(std::move(plain), path);
  } else if (trimmed(plain->peek(64)).starts_with('{')) {
    source_ = std::make_unique<JsonRows>(std::move(plain), path);
  } else {
    source_ = std::make_unique<CsvRows>(std::move(plain), path);
  }
}

NamedRows::~NamedRows() = default;

const std::vector<std::string>& NamedRows::names() const { return source_->names(); }
bool NamedRows::next(std::vector<std::string_view>& cells) { return source_->next(cells); }
std::string NamedRows::where(std::size_t column) const { return source_->where(column); }
std::size_t NamedRows::line() const { return source_->line(); }

std::size_t NamedRows::place(const std::string& name, const std::string& flag) const {
  return name.empty() ? kNoColumn : source_->place(name, flag);
}

}  // namespace hannan::detail

// The flags of a command as data: the parser, the help, the manual pages and the completion are all made from it.
// The library that parses it is seen by parse.cpp alone.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hannan::detail::cli {

// Where the value of a flag goes. What is not given on the command line stays as it is.
using Destination = std::variant<bool*, std::string*, std::vector<std::string>*, double*, std::uint64_t*, unsigned*,
                                 std::optional<double>*, std::optional<std::uint64_t>*>;

// A name that a flag takes and what it means.
struct NamedValue {
  std::string name, about;
};

// A switch (bool), an option with a value, or a positional argument (a name without a dash).
// A list takes several values at once; one that is `again` takes one value each time it is given.
struct Flag {
  std::string names;  // "-d,--data", "--json", "problem"
  Destination to;
  std::string about;

  enum class Limit { kNone, kPositive, kNotNegative, kRange };
  Limit limit = Limit::kNone;
  std::uint64_t lowest = 0, highest = 0;  // of kRange
  std::vector<std::string> choices;       // checked; empty: any text
  std::vector<NamedValue> values;         // shown, not checked: the command says itself what is wrong
  std::string group, default_text;
  char separator = 0;
  bool is_required = false, is_repeated = false;
  bool is_given = false;  // set by the parser

  Flag& required();
  Flag& optional();
  Flag& show_default();
  Flag& again();
  Flag& split_at(char c);  // one value may hold several, parted by c
  Flag& in_group(std::string name);
  Flag& one_of(std::vector<std::string> names_allowed);
  Flag& such_as(std::vector<NamedValue> known);
  Flag& range(std::uint64_t lo, std::uint64_t hi);
  Flag& positive();
  Flag& not_negative();

  bool is_switch() const { return std::holds_alternative<bool*>(to); }
  bool is_positional() const { return names[0] != '-'; }
  bool is_whole() const;
  bool is_real() const;
  bool is_list() const { return std::holds_alternative<std::vector<std::string>*>(to); }
  std::string long_name() const;   // "--data"; "-c" where there is only that; "problem"
  std::string value_word() const;  // "TEXT", "UINT" or "FLOAT"; empty for switches
};

// One command of the program. Its `define` function adds the flags and sets `run`, which gives the exit status, or
// `program`.
struct Command {
  std::string name, about;
  enum class Visibility { kListed, kHidden } visibility = Visibility::kListed;
  std::deque<Flag> flags;             // references to them stay good
  std::string explained;              // the group whose flags `hannan help logs` explains
  std::string notes, see;             // before and after the examples of the help
  std::vector<std::string> examples;  // lines for a shell
  std::function<int()> run;
  std::shared_ptr<void> values;  // where flags put their values, if `run` does not keep them
  std::string program;  // in place of `run`: the program beside this one that takes the same flags (program_beside.hpp)

  Flag& add(std::string names, Destination to, std::string flag_about);
  Flag& flag(std::string_view long_name);
  bool is_listed() const { return visibility == Visibility::kListed; }
  bool given(std::string_view long_name) { return flag(long_name).is_given; }
};

struct Program {
  std::string name, about, footer, version;
  std::vector<Command> commands;
};

}  // namespace hannan::detail::cli

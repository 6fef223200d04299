// States: child_ null (not started, or ended after a failure) or running and greeted. asked_ counts calls since the
// last greeting and is the id that the answer must repeat, so that a program that answers twice, or late, is noticed.
#include "hannan/external/external_program.hpp"

#include <charconv>
#include <utility>

#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

constexpr std::string_view kPlain = "external:";
constexpr std::string_view kTimed = "external@";
constexpr std::string_view kAt = "oracle program";
// Eleven days: chosen, to keep the conversion to the clock's units far from overflow.
constexpr double kMostSeconds = 1e6;

// external:COMMAND with the usual limit of time, or external@SECONDS:COMMAND.
ChildProcess::Setting parse_name(std::string_view name, std::string_view path) {
  ChildProcess::Setting setting;
  if (name.starts_with(kPlain)) {
    setting.command = name.substr(kPlain.size());
  } else {
    const std::string_view rest = name.substr(kTimed.size());
    const auto colon = std::min(rest.find(':'), rest.size());
    const char* end = rest.data() + colon;
    const auto [stop, wrong] = std::from_chars(rest.data(), end, setting.seconds);
    if (colon == rest.size() || wrong != std::errc() || stop != end ||
        !(setting.seconds > 0 && setting.seconds <= kMostSeconds)) {
      throw Error(Code::kOutOfRange,
                  "found \"" + std::string(name) +
                      "\", expected external@SECONDS:COMMAND with seconds "
                      "above 0 and at most 1000000",
                  std::string(path));
    }
    setting.command = rest.substr(colon + 1);
  }
  if (setting.command.find_first_not_of(' ') == std::string::npos || setting.command.find('\0') != std::string::npos) {
    throw Error(Code::kUsage, "found no command, expected external:COMMAND, for instance external:python3 oracle.py",
                std::string(path));
  }
  return setting;
}

// A plain command takes the shell's place, so that its end, its signals and its closed streams are seen
// at once; what needs a shell (a list, a pipeline, a variable set in front) keeps it.
std::string for_shell(const std::string& command) {
  const auto word = command.substr(0, command.find(' ', command.find_first_not_of(' ')));
  const bool plain = command.find_first_of(";&|(){}<>`\n") == std::string::npos && word.find('=') == std::string::npos;
  return plain ? "exec " + command : command;
}

// Long answers are cut: a message is one line.
std::string quoted_line(const std::string& line) {
  constexpr std::size_t kMost = 120;
  return line.empty() ? "an empty line" : dump(Json(line.size() > kMost ? line.substr(0, kMost) + "..." : line));
}

}  // namespace

bool is_external(std::string_view oracle) { return oracle.starts_with(kPlain) || oracle.starts_with(kTimed); }

void check_external_name(std::string_view name, std::string_view path) { parse_name(name, path); }

// Started and greeted at once, so that a command that does not work is refused before any round is played.
ExternalProgram::ExternalProgram(std::string name, Json problem, std::string_view path)
    : name_(std::move(name)),
      setting_(parse_name(name_, path)),
      hello_(dump(Json::object({{"hello", "hannan oracle"}, {"version", 1}, {"problem", std::move(problem)}}))) {
  start();
  claims_ = greet();
}

// Ends the program: after an answer that broke the protocol nothing it says can be relied on.
void ExternalProgram::refuse(Code code, const std::string& message) {
  const std::string words = child_ ? child_->last_words() : std::string();
  child_.reset();
  throw Error(code, message + (words.empty() ? "" : "; its standard error ends with " + words), std::string(kAt));
}

void ExternalProgram::start() {
  try {
    auto setting = setting_;
    setting.command = for_shell(setting.command);
    child_ = std::make_unique<ChildProcess>(std::move(setting));
  } catch (const ChildFailure& e) {
    refuse(Code::kOracleStart, "could not start \"" + setting_.command + "\": " + e.what());
  }
}

// Failures of the process become errors of the oracle, by what was under way.
std::string ExternalProgram::exchange(const std::string& line) {
  using Kind = ChildFailure::Kind;
  try {
    return child_->exchange(line);
  } catch (const ChildFailure& e) {
    child_.reset();
    const Code code = e.kind() == Kind::kTimeout   ? Code::kOracleTimeout
                      : e.kind() == Kind::kTooLong ? Code::kOracleAnswer
                      : asked_ == 0                ? Code::kOracleStart
                                                   : Code::kOracleEnded;
    const std::string limit =
        e.kind() == Kind::kTimeout ? " (the limit is " + number_text(setting_.seconds) + " s a call)" : "";
    throw Error(code,
                "\"" + setting_.command + "\", " + (asked_ == 0 ? "hello" : "call " + std::to_string(asked_)) + ": " +
                    e.what() + limit,
                std::string(kAt));
  }
}

// The first line of each start. A program that says it is not ready is an error, and so is one that says anything else.
ExternalProgram::Claims ExternalProgram::greet() {
  asked_ = 0;
  const std::string line = exchange(hello_);
  try {
    const Json json = parse_json(line);
    Fields in(json, "ready line");
    if (!in.flag("ready"))
      refuse(Code::kOracleStart,
             "found " + quoted_line(line) + ": the program says that it is not ready for this problem");
    const Claims claims{.takes_negative_weights = in.flag("signed", false), .exact = in.flag("exact", false)};
    in.done();
    return claims;
  } catch (const Error& e) {
    if (e.code() == Code::kOracleStart) throw;
    refuse(Code::kOracleStart, "found " + quoted_line(line) +
                                   ", expected {\"ready\":true}, maybe with \"signed\" and \"exact\": " + e.message());
  }
}

// A program that ended is started again, once for each question, and must claim what it claimed before.
ExternalProgram::Reply ExternalProgram::ask(const std::string& data) {
  if (!child_) {
    start();
    if (greet() != claims_)
      refuse(Code::kOracleAnswer, "started again, the program claims another \"signed\" or \"exact\" than before");
  }
  ++asked_;
  const std::string line = exchange("{\"id\":" + std::to_string(asked_) + ",\"data\":" + data + "}");
  const std::string found = "call " + std::to_string(asked_) + ": found " + quoted_line(line);
  try {
    const Json json = parse_json(line);
    Fields in(json, "answer");
    const auto id = in.integer("id");
    if (std::cmp_not_equal(id, asked_)) {
      refuse(Code::kOracleAnswer,
             found + ", expected id " + std::to_string(asked_) + ": one line of answer to each line, in order");
    }
    Reply reply{.action = in.need("action"), .floor = std::nullopt};
    if (const Json* floor = in.maybe("floor"); floor && !floor->is_null())
      reply.floor = to_number(*floor, in.at("floor"));
    in.done();
    return reply;
  } catch (const Error& e) {
    if (e.code() == Code::kOracleAnswer) throw;
    refuse(Code::kOracleAnswer, found + ", expected {\"id\":" + std::to_string(asked_) +
                                    ",\"action\":...}, maybe with \"floor\": " + e.message());
  }
}

}  // namespace hannan::detail

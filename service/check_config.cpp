// Each part is looked at by the functions that a start calls, up to what would change something, so that both agree.
// A part that fails does not keep the others from being looked at, unless they need it.
#include "service/check_config.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"
#include "service/host.hpp"
#include "service/inspect_store.hpp"
#include "service/journal.hpp"
#include "service/learner_config.hpp"
#include "service/listen_address.hpp"
#include "service/open_files.hpp"

namespace hannan::detail::service {
namespace {

constexpr const char* kTokensVariable = "HANNAN_TOKENS";
constexpr double kLeastFree = 0.05;  // of a disk, below which it is said

class Findings {
 public:
  // `look` says what is good, or throws.
  void check(std::string_view flag, const std::function<std::string()>& look) {
    try {
      fmt::print("ok {}: {}\n", flag, look());
    } catch (const Error& e) {
      if (status_ == 0) status_ = exit_status(e.code());
      fmt::print("error {}: {}\n", flag, e.what());
    } catch (const std::exception& e) {  // of the file system
      if (status_ == 0) status_ = exit_status(Code::kCannotRead);
      fmt::print("error {}: {}\n", flag, e.what());
    }
  }
  static void warn(std::string_view flag, const std::string& what) { fmt::print("warning {}: {}\n", flag, what); }
  int status() const { return status_; }

 private:
  int status_ = 0;
};

std::unique_ptr<Tokens> read_tokens(const cli::ServeFlags& flags, std::vector<std::string>& warnings) {
  const std::string lines = take_variable(kTokensVariable);
  if (!flags.tokens.empty()) {
    auto tokens = std::make_unique<Tokens>(flags.tokens);
    if (tokens->size() == 0)
      warnings.emplace_back("there is no token in the file of --tokens: all requests are refused");
    return tokens;
  }
  if (lines.empty()) return std::make_unique<Tokens>();
  return std::make_unique<Tokens>(Tokens::Lines{.text = lines, .from = kTokensVariable});
}

Address database_of(const cli::ServeFlags& flags) {
  const auto given = flags.database_given ? std::optional(flags.database) : std::nullopt;
  return read_address({.flag = "--db", .given = given, .variable = "HANNAN_DB", .otherwise = "hannan.db"});
}

// None where neither the flag nor the variable says one.
std::optional<Address> copy_from_of(const cli::ServeFlags& flags) {
  const auto given = flags.copy_given ? std::optional(flags.copy_from) : std::nullopt;
  Address address =
      read_address({.flag = "--copy-from", .given = given, .variable = "HANNAN_COPY_FROM", .otherwise = {}});
  if (!given && address.text.empty()) return std::nullopt;
  return address;
}

std::string checked_socket(const std::string& path) {
  const std::string at = "--listen unix:" + path;
  if (path.empty())
    throw Error(Code::kUsage, "found no path after unix:, expected one, such as unix:hannan.sock", "--listen");
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    throw Error(
        Code::kUsage,
        fmt::format("found a path of {} bytes, expected fewer than {}", path.size(), sizeof(sockaddr_un::sun_path)),
        at);
  }
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder) || ::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error(Code::kCannotWrite, "found no folder that may be written, expected one for the socket", at);
  struct stat found = {};
  if (::lstat(path.c_str(), &found) == 0 && !S_ISSOCK(found.st_mode))
    throw Error(Code::kCannotWrite, "found a file that is no socket, expected a name that is free", at);
  return "the local socket " + path;
}

// Without binding it: whether the port is free is seen by a start alone.
std::string checked_listen(const std::string& listen, const Tokens* tokens) {
  if (listen.starts_with("unix:")) return checked_socket(listen.substr(5));
  const auto [host, port] = split_address(listen);
  in_addr four = {};
  in6_addr six = {};
  bool loopback = false;
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) {
    loopback = (ntohl(four.s_addr) >> 24U) == 127;
  } else if (::inet_pton(AF_INET6, host.c_str(), &six) == 1) {
    loopback = IN6_IS_ADDR_LOOPBACK(&six) != 0;
  } else {
    throw Error(Code::kUsage, "found \"" + host + "\", expected an IP address, or localhost", "--listen");
  }
  if (!loopback && tokens) check_tokened(*tokens);
  return fmt::format("{}, which {}", listen,
                     loopback ? "this machine alone reaches" : "other machines reach, with tokens");
}

// As a start makes them: each from its stored configuration, with the memory that is counted for it.
std::string checked_learners(const std::vector<StoredLearner>& learners, const cli::ServeFlags& flags) {
  double bytes = 0;
  std::size_t live = 0, ended = 0, sets = 0;
  for (const StoredLearner& stored : learners) {
    if (stored.status == kSetStatus) {
      ++sets;
      continue;
    }
    if (stored.status == "ended") {
      ++ended;
      continue;
    }
    ++live;
    try {
      if (stored.status == kCombinerStatus) {
        HostedCombiner(parse_json(stored.config), {});
        continue;
      }
      bytes += estimated_bytes(*make_learner(parse_json(stored.config), ExternalOracles::kAllowed).problem);
    } catch (const Error& e) {
      throw Error(e.code(),
                  std::string("found a stored learner that this program cannot make (") + e.message() +
                      "), expected one of its version",
                  stored.name);
    }
  }
  constexpr double kMiB = 1U << 20U;
  if (live > flags.learners)
    Findings::warn("--max-learners", fmt::format("the log has {} learners, so no new one is taken", live));
  if (bytes > static_cast<double>(flags.memory_mib) * kMiB)
    Findings::warn("--memory",
                   fmt::format("the learners of the log take {:.0f} MiB, so no new one is taken", bytes / kMiB));
  return fmt::format("{} learners of {:.1f} MiB, {} that were ended, {} sets of floors", live, bytes / kMiB, ended,
                     sets);
}

void check_space(const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::absolute(path).parent_path();
  const auto space = std::filesystem::space(folder, error);
  if (error || space.capacity == 0) return;
  const double free = static_cast<double>(space.available) / static_cast<double>(space.capacity);
  if (free < kLeastFree) Findings::warn("--db", fmt::format("{:.1f} % of the disk are free", 100 * free));
}

void check_database(Findings& findings, const cli::ServeFlags& flags) {
  std::vector<StoredLearner> learners;
  bool copies = false;
  findings.check("--db", [&] {
    const Address address = database_of(flags);
    if (!address.warning.empty()) Findings::warn("--db", address.warning);
    InspectedStore found = inspect_store(address.text, static_cast<Shard>(flags.shards));
    if (!is_postgres(address.text)) check_space(address.text);
    if (found.is_in_use) Findings::warn("--db", "another process is at work on " + found.name);
    learners = std::move(found.learners);
    return found.name + (found.is_made ? "" : ", which a start makes");
  });
  findings.check("--copy-from", [&]() -> std::string {
    const auto address = copy_from_of(flags);
    if (!address) return "nothing is copied";
    copies = true;
    const InspectedStore found = inspect_store(address->text, 0);
    if (!found.is_made) throw Error(Code::kCannotRead, "found no log there, expected one to copy", address->from);
    if (!learners.empty())
      throw Error(Code::kUsage, "found learners in the database that is copied to, expected an empty one", "--db");
    learners = found.learners;
    return found.name;
  });
  findings.check(copies ? "learners to copy" : "learners", [&] { return checked_learners(learners, flags); });
}

}  // namespace

void check_tokened(const Tokens& tokens) {
  if (tokens.required()) return;
  throw Error(Code::kUsage,
              "found an address that other machines reach and no --tokens, expected a loopback address or tokens",
              "--listen");
}

ServiceSecrets read_secrets(const cli::ServeFlags& flags) {
  ServiceSecrets secrets;
  secrets.tokens = read_tokens(flags, secrets.warnings);
  secrets.database = database_of(flags);
  secrets.copy_from = copy_from_of(flags);
  if (!secrets.database.warning.empty()) secrets.warnings.push_back(secrets.database.warning);
  if (secrets.copy_from && !secrets.copy_from->warning.empty()) secrets.warnings.push_back(secrets.copy_from->warning);
  return secrets;
}

int check_config(const cli::ServeFlags& flags) {
  Findings findings;
  findings.check("--log-level", [&] {
    level_of(flags.log_level);
    return flags.log_level;
  });
  std::unique_ptr<Tokens> tokens;
  findings.check("--tokens", [&] {
    std::vector<std::string> warnings;
    tokens = read_tokens(flags, warnings);
    for (const auto& warning : warnings) Findings::warn("--tokens", warning);
    return tokens->required() ? fmt::format("{} lines", tokens->size()) : "none are asked for";
  });
  findings.check("--listen", [&] { return checked_listen(flags.listen, tokens.get()); });
  findings.check("--host", [&]() -> std::string {
    const auto hosts = known_hosts(flags.listen, flags.hosts);
    return hosts.empty() ? "every name" : fmt::format("{}", fmt::join(hosts, ", "));
  });
  findings.check("--url", [&]() -> std::string {
    const std::string url = node_url(flags.url, flags.listen, flags.listen);
    return url.empty() ? "none" : url;
  });
  check_database(findings, flags);
  if (const std::size_t most = possible_connections(flags.connections); most < flags.connections)
    Findings::warn("--connections", fmt::format("at most {}, because no more files may be open (ulimit -n)", most));
  return findings.status();
}

}  // namespace hannan::detail::service

// Price floors: the last thing that may fail, because ad servers give up a file that is not there. They are read by
// pages that hold no token, so what is public needs none.
#include <utility>

#include "hannan/bidlog/price_floors.hpp"
#include "hannan/core/digest.hpp"
#include "hannan/io/gzip.hpp"
#include "service/codes.hpp"
#include "service/floor_set.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kWorthPacking = 256;  // bytes; a shorter file gains nothing

enum class Freshness { kFresh, kStale };

// Under what the floors of a learner here are kept: its number, which no learner of the same name has after it.
std::string kept_key(LogName log) { return "#" + std::to_string(log.learner); }

// How long a file may be kept, and by whom: what needs a token is not for caches that others read.
struct CacheTime {
  std::uint64_t seconds = 0;
  bool shared = true;
};

// Prebid knows two forms of the file.
int schema_of(const Target& target) {
  const std::string schema = target.value("schema", "1");
  if (schema != "1" && schema != "2")
    throw Error(Code::kUnknownName, "found schema " + schema + ", expected 1 or 2", "schema");
  return schema == "1" ? 1 : 2;
}

// With ETag, cache time, and packed where the client takes that. The tag is of the content.
Reply floors_reply(const Request& request, const Json& file, CacheTime cache, Freshness freshness) {
  Reply reply;
  reply.body = dump(file);
  Digest digest;
  digest.add(reply.body);
  const bool packed = reply.body.size() >= kWorthPacking && accepts_gzip(request.header("accept-encoding"));
  const std::string tag = digest.hex() + (packed ? ".gz" : "");
  reply.headers = {
      {"ETag", quoted(tag)},
      {"Cache-Control", (cache.shared ? "public, max-age=" : "private, max-age=") + std::to_string(cache.seconds)},
      {"Access-Control-Allow-Origin", "*"},
      {"Vary", "Accept-Encoding"}};
  if (freshness == Freshness::kStale) add_warning(reply, "110 - \"Response is Stale\"");
  if (names_tag(request.header("if-none-match"), tag)) {
    reply.status = 304;
    reply.body.clear();
  } else if (packed) {
    reply.headers.emplace_back("Content-Encoding", "gzip");
    reply.body = gzipped(reply.body);
  }
  return reply;
}

Json of_schema(const Json& one, int schema) { return schema == 1 ? one : floors_of_schema_two(one); }

}  // namespace

// From what was published wherever possible: such files are asked for often, by pages that would go without floors
// otherwise.
void Api::floors(Call& call) {
  const auto entry = host_.find(call.name);
  const int schema = schema_of(call.target);
  const CacheTime age{.seconds = entry->config().floors_age,
                      .shared = entry->config().public_floors || !tokens_.required()};
  const auto now = entry->now();
  if (entry->columns() > 0) return floors_by_segment(call, entry, schema);
  if (const auto decided = now.decided()) {
    const auto freshness = now.status == Status::kReady ? Freshness::kFresh : Freshness::kStale;
    const Json file = of_schema(floors_of_decision(*entry, *decided), schema);
    return call.respond(floors_reply(call.request, file, age, freshness));
  }
  // Not loaded yet: its turn comes now.
  host_.with(
      entry,
      [entry](HostedLearner& learner) {
        const Published seen = learner.publish();
        if (seen.action.is_null()) refuse_no_decision();
        return floors_of_decision(*entry, {seen.generation, seen.current, seen.action});
      },
      [entry, call, schema, age](const Json& one, const std::exception_ptr& failure) {
        if (!failure) return call.respond(floors_reply(call.request, of_schema(one, schema), age, Freshness::kFresh));
        try {  // it was found to be damaged just now
          const auto last = entry->now().decided();
          if (!last) std::rethrow_exception(failure);
          const Json file = of_schema(floors_of_decision(*entry, *last), schema);
          call.respond(floors_reply(call.request, file, age, Freshness::kStale));
        } catch (...) {
          call.respond(error_reply(std::current_exception()));
        }
      });
}

// Computed by the writer once a position and kept; while it cannot be computed, the last file is served with a warning.
void Api::floors_by_segment(Call& call, const EntryPointer& entry, int schema) {
  const CacheTime age{.seconds = entry->config().floors_age,
                      .shared = entry->config().public_floors || !tokens_.required()};
  const auto now = entry->now();
  const std::string key = kept_key(entry->log());
  auto kept = kept_floors_.find(key);
  if (kept && kept->generation != entry->log().generation) kept = nullptr;
  const auto reply_with = [call, age, schema](const KeptFloors& floors, Freshness freshness) {
    call.respond(floors_reply(call.request, of_schema(floors.one, schema), age, freshness));
  };
  const auto current = [](const KeptFloors& floors, std::uint64_t generation, std::uint64_t position) {
    return floors.generation == generation && floors.position == position;
  };
  if (now.status == Status::kReady && kept && current(*kept, now.published->generation, now.published->position))
    return reply_with(*kept, Freshness::kFresh);
  try {
    host_.with(
        entry,
        [this, key, current](HostedLearner& learner) {
          // Of many requests at once the first computes them.
          const auto there = kept_floors_.find(key);
          if (there && current(*there, learner.log().generation, learner.position())) return Json();
          auto fresh = std::make_shared<KeptFloors>();
          fresh->generation = learner.log().generation;
          fresh->position = learner.position();
          fresh->one = floors_of_segments(learner);
          kept_floors_.keep(key, std::move(fresh));
          return Json();
        },
        [this, entry, call, schema, key, reply_with, kept](const Json&, const std::exception_ptr& failure) {
          if (!failure) return reply_with(*kept_floors_.find(key), Freshness::kFresh);
          if (kept) return reply_with(*kept, Freshness::kStale);
          if (entry->now().status == Status::kQuarantined) return past_floors(call, entry, schema);
          call.respond(error_reply(failure));
        });
  } catch (const Error&) {
    if (!kept) throw;
    reply_with(*kept, Freshness::kStale);
  }
}

// Of a quarantined learner with contexts, of whose segments nothing is in memory: built from its log once, as far as
// its rows come out again, and kept.
void Api::past_floors(const Call& call, const EntryPointer& entry, int schema) {
  const std::string key = kept_key(entry->log());
  try {
    host_.with_past(
        entry, entry->log().generation,
        [this, key](HostedLearner& learner, const std::string& why) {
          if (learner.position() == 0) throw Error(Code::kInternal, "the learner is quarantined: " + why, "name");
          auto last = std::make_shared<KeptFloors>();
          last->generation = learner.log().generation;
          last->position = learner.position();
          last->one = floors_of_segments(learner);
          kept_floors_.keep(key, std::move(last));
          return Json();
        },
        [this, entry, call, schema, key](const Json&, const std::exception_ptr& failure) {
          if (failure) return call.respond(error_reply(failure));
          const CacheTime age{.seconds = entry->config().floors_age,
                              .shared = entry->config().public_floors || !tokens_.required()};
          const Json file = of_schema(kept_floors_.find(key)->one, schema);
          call.respond(floors_reply(call.request, file, age, Freshness::kStale));
        });
  } catch (...) {
    call.respond(error_reply(std::current_exception()));
  }
}

// The set and all its learners are checked before it is written; learners of other nodes are asked there first.
void Api::make_floor_set(Call& call) {
  check_learner_name(call.id);
  tokens_.check(Scope::kAdmin, call.request.header("authorization"), call.id);
  if (call.id.ends_with(".json"))
    throw Error(Code::kOutOfRange, "found a name that ends in .json, expected one without: the file is called so",
                "set");
  const FloorSet set = read_floor_set(parse_json(call.request.body));
  // Who shows the floors of learners must be allowed to read them.
  for (const auto& name : set.learners()) tokens_.check(Scope::kRead, call.request.header("authorization"), name);
  gather_floors(call, set, [this, set](const Call& with, const FloorSources& from) {
    check_floor_set(set, from);
    host_.make_set(with.id, set.json(), [with, set](Host::Made made, const std::exception_ptr& failure) {
      with.respond(failure ? error_reply(failure) : json_reply(set.json(), made == Host::Made::kNew ? 201 : 200));
    });
  });
}

void Api::floor_set(Call& call) {
  tokens_.check(Scope::kRead, call.request.header("authorization"), call.id);
  call.respond(json_reply(host_.find_set(call.id)));
}

void Api::end_floor_set(Call& call) {
  tokens_.check(Scope::kAdmin, call.request.header("authorization"), call.id);
  host_.end_set(call.id, [call](bool, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    Reply reply;
    reply.status = 204;
    call.respond(std::move(reply));
  });
}

// The file itself, made anew from what is published at every request.
void Api::floor_set_file(Call& call) {
  const FloorSet set = read_floor_set(host_.find_set(call.id));
  if (!set.is_public) tokens_.check(Scope::kRead, call.request.header("authorization"), call.id);
  const int schema = schema_of(call.target);
  gather_floors(call, set, [this, set, schema](const Call& with, const FloorSources& from) {
    answer_set_file(with, set, schema, from);
  });
}

// Calls itself again after each learner that had to be loaded, on the writer's thread; ends when all are published.
void Api::answer_set_file(const Call& call, const FloorSet& set, int schema, const FloorSources& from) {
  // Those that are not loaded yet are loaded first, one after the other.
  for (const auto& name : set.learners()) {
    const auto entry = from.far.contains(name) ? nullptr : from.find(name);
    if (!entry || entry->now().published || entry->now().status == Status::kQuarantined) continue;
    return host_.with(
        entry, [](HostedLearner&) { return Json(); },
        [this, entry, call, set, schema, from](const Json&, const std::exception_ptr& failure) {
          if (failure && entry->now().status != Status::kQuarantined) return call.respond(error_reply(failure));
          try {
            answer_set_file(call, set, schema, from);
          } catch (...) {
            call.respond(error_reply(std::current_exception()));
          }
        });
  }
  const FloorsFile file = floors_of_set(set, schema, from);
  const CacheTime age{.seconds = set.max_age, .shared = set.is_public || !tokens_.required()};
  Reply reply = floors_reply(call.request, file.json, age, file.stale ? Freshness::kStale : Freshness::kFresh);
  if (!file.missing.empty())
    add_warning(reply, "199 - \"the rules of learners that were ended or no longer fit the set are left out\"");
  call.respond(std::move(reply));
}

}  // namespace hannan::detail::service

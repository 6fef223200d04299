// The digest that seals saved states and parts: over all other fields, sorted by name at every depth, so that their
// order does not matter. It finds damage and edits by mistake; it is no signature.
#include "hannan/runtime/state_digest.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/digest_archive.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {
namespace {

constexpr std::string_view kDigest = "digest";

void add(Digest& digest, const Json& value);

// Fields by name, so that their order does not matter.
void add_object(Digest& digest, const Json::Object& object, std::string_view without) {
  std::vector<const Json::Field*> fields;
  for (const auto& field : object) {
    if (field.first != without) fields.push_back(&field);
  }
  std::sort(fields.begin(), fields.end(),
            [](const Json::Field* a, const Json::Field* b) { return a->first < b->first; });
  digest.add("{");
  for (const Json::Field* field : fields) {
    digest.add(dump(Json(field->first)));
    digest.add(":");
    add(digest, field->second);
    digest.add(",");
  }
  digest.add("}");
}

void add(Digest& digest, const Json& value) {
  if (value.is_object()) return add_object(digest, value.as_object(), {});
  if (!value.is_array()) return digest.add(dump(value));
  digest.add("[");
  for (const Json& item : value.as_array()) {
    add(digest, item);
    digest.add(",");
  }
  digest.add("]");
}

// Of all fields but the digest itself.
std::string digest_of(const Json& state) {
  Digest digest;
  add_object(digest, state.as_object(), kDigest);
  return digest.hex();
}

}  // namespace

Json sealed(const Json& state) {
  Json whole = Json::object();
  for (const auto& [name, value] : state.as_object()) {
    if (name != kDigest) whole.set(name, value);
  }
  return whole.set(kDigest, digest_of(state));
}

// The form of add_object() above, with the field in its place among the others.
std::string digest_with(const Json& rest, std::string_view name, const std::function<void(Archive&)>& archive) {
  std::vector<std::string> names{std::string(name)};
  for (const auto& [known, value] : rest.as_object()) names.push_back(known);
  std::sort(names.begin(), names.end());
  Digest digest;
  digest.add("{");
  for (const std::string& one : names) {
    digest.add(dump(Json(one)));
    digest.add(":");
    if (one == name) {
      add_archived(digest, archive);
    } else {
      add(digest, rest.at(one));
    }
    digest.add(",");
  }
  digest.add("}");
  return digest.hex();
}

void check_digest(const Json& state) {
  const Json* found = state.find(kDigest);
  if (!found) return;
  const std::string expected = digest_of(state);
  if (found->is_string() && found->as_string() == expected) return;
  throw Error(Code::kBadState,
              "found the digest " + describe(*found) + ", expected \"" + expected +
                  "\": the state was changed after it was saved; use it as it was saved",
              "state.digest");
}

void check_state(const Json& state) {
  Fields fields(state, "state");
  check_digest(state);
  const auto version = fields.integer("version");
  if (version != static_cast<std::int64_t>(kStateVersion)) {
    throw Error(Code::kBadState,
                "found state version " + std::to_string(version) + ", expected " + std::to_string(kStateVersion),
                "state.version");
  }
  for (const char* part : {"problem", "learner", "state"}) fields.need(part);
  fields.maybe("data");     // the digest of its outcomes, for those who have them
  fields.maybe("files");    // and of the files that the run has written so far
  fields.maybe("warm");     // rounds that the run rehearses
  fields.maybe("columns");  // the names of the columns of its outcomes
  fields.maybe("digest");
  fields.done();
}

}  // namespace hannan::detail

// JavaScript for the page: where a field of the floors is found in a bid request of Prebid.js.
#include <algorithm>
#include <array>
#include <string_view>

#include "hannan/bidlog/map_floors.hpp"
#include "hannan/contexts/context_columns.hpp"

namespace hannan::detail {
namespace {

// The fields that Prebid.js knows itself (docs.prebid.org, dev-docs/modules/floors).
constexpr std::array<std::string_view, 5> kBuiltIn{"gptSlot", "adUnitCode", "size", "domain", "mediaType"};

// Fields that Prebid Server knows, where OpenRTB has them.
struct ServerField {
  std::string_view field, path;
};
constexpr std::array<ServerField, 6> kServer{{{"siteDomain", "site.domain"},
                                              {"pubDomain", "site.publisher.domain"},
                                              {"bundle", "app.bundle"},
                                              {"channel", "ext.prebid.channel.name"},
                                              {"country", "device.geo.country"},
                                              {"deviceType", "device.devicetype"}}};

// The value at a dotted path of OpenRTB, or of a name in the page's own data; undefined where it is missing.
std::string place(const std::string& path) {
  std::string text = "request.ortb2";
  std::string rest = path;
  if (path.find('.') == std::string::npos) rest = "site.ext.data." + path;
  if (rest.starts_with("imp.")) {
    text += "Imp";
    rest = rest.substr(4);
  }
  for (std::size_t at = 0; at <= rest.size();) {
    const std::size_t end = std::min(rest.find('.', at), rest.size());
    text += "?.[" + dump(Json(rest.substr(at, end - at))) + "]";
    at = end + 1;
  }
  return text;
}

// The same replacements as in keys.
std::string as_key(const std::string& value) {
  return "(request) => String(" + value + " ?? \"\").replace(/[|*]/g, \"_\")";
}

// Now, on the clocks of the zone, if they are read as those of UTC.
std::string now(int zone) {
  return zone == 0 ? "new Date()"
                   : "new Date(Date.now() + " + std::to_string(1000 * static_cast<std::int64_t>(zone)) + ")";
}

std::string function_of(const std::string& field, const std::string& column, int zone) {
  if (column.empty()) return "(request, bid) => (bid && bid.bidderCode) || (request && request.bidder)";
  const ContextColumn parsed = parse_context_columns({column}, "--by").front();
  switch (parsed.kind) {
    case ContextColumn::Kind::kHour:
      return "() => String(" + now(zone) + ".getUTCHours()).padStart(2, \"0\")";
    case ContextColumn::Kind::kWeekday:
      if (parsed.text == "@day") return "() => " + now(zone) + ".toISOString().slice(0, 10)";
      if (parsed.text == "@month") return "() => " + now(zone) + ".toISOString().slice(0, 7)";
      return "() => String(" + now(zone) + ".getUTCDay() || 7)";
    case ContextColumn::Kind::kCuts: {
      std::string cuts;
      for (const double cut : parsed.cuts) cuts += (cuts.empty() ? "" : ", ") + number_text(cut);
      return "(request) => ((x) => Number.isFinite(x) ? String([" + cuts +
             "].filter((cut) => cut <= x).length) : \"\")(Number(" + place(parsed.column) + " ?? NaN))";
    }
    case ContextColumn::Kind::kPlain:
      break;
  }
  const auto server = std::find_if(kServer.begin(), kServer.end(), [&](const auto& s) { return s.field == field; });
  return as_key(place(server == kServer.end() ? column : std::string(server->path)));
}

}  // namespace

std::string floor_functions(const std::vector<std::string>& fields, const std::vector<std::string>& columns, int zone) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (std::find(kBuiltIn.begin(), kBuiltIn.end(), fields[i]) != kBuiltIn.end()) continue;
    text += "  " + dump(Json(fields[i])) + ": " + function_of(fields[i], i < columns.size() ? columns[i] : "", zone) +
            ",\n";
  }
  return text.empty() ? text : "additionalSchemaFields: {\n" + text + "}\n";
}

}  // namespace hannan::detail

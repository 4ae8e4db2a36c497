#include "jobs/sums/ever.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "jobs/sums/asked.h"

namespace trawl {

namespace {

constexpr size_t kMostNames = 100;

int64_t CountOf(const Json& object, const char* name) {
  const arrow::Result<int64_t> count = object.is_object() ? GetInt(object, name) : arrow::Result<int64_t>(0);
  return count.ok() ? std::max<int64_t>(*count, 0) : 0;
}

const Json& MemberOf(const Json& object, const char* name) {
  static const Json none;
  return object.is_object() && HasMember(object, name) ? object[name] : none;
}

void AddCounts(const Json& counts, std::map<std::string, int64_t>* into) {
  if (!counts.is_object()) return;
  for (const auto& [name, count] : counts.items()) {
    const bool has_room = into->size() < kMostNames || into->contains(name);
    if (has_room && count.is_number_integer()) (*into)[name] += std::max<int64_t>(count.get<int64_t>(), 0);
  }
}

Json CountsJson(const std::map<std::string, int64_t>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) json[name] = count;
  return json;
}

// Sums answers by the class of their status, which the name of a counter has after `prefix`. False where no counter begins so.
bool AddCodes(const Json& statuses, std::string_view prefix, std::map<std::string, int64_t>* codes) {
  if (!statuses.is_object()) return false;
  bool has_any = false;
  for (const auto& [name, count] : statuses.items()) {
    if (!name.starts_with(prefix) || !count.is_number_integer()) continue;
    const std::string code = ClassOfStatus(name.substr(prefix.size()));
    if (code.empty()) continue;
    (*codes)[code] += std::clamp<int64_t>(count.get<int64_t>(), 0, kMostOfCounter);
    has_any = true;
  }
  return has_any;
}

int64_t DuplicatesOf(const Json& fetch) {
  const Json& rate = MemberOf(fetch, "duplicate_rate");
  return rate.is_number() ? std::llround(rate.get<double>() * static_cast<double>(CountOf(fetch, "pages"))) : 0;
}

}  // namespace

std::string ClassOfStatus(const std::string& status) {
  const bool is_status = status.size() == 3 && status[0] >= '1' && status[0] <= '5';
  return is_status ? std::string(1, status[0]) + "xx" : "";
}

Json ToJson(const EverSums& ever) {
  return {{"rounds", ever.rounds},
          {"duplicates", ever.duplicates},
          {"outcomes", CountsJson(ever.outcomes)},
          {"codes", CountsJson(ever.codes)},
          {"answers",
           {{"within_ms", AnswerTimes::kBoundsMs}, {"counts", ever.answers.counts}, {"sum_ms", ever.answers.sum_ms}}}};
}

void AddFetch(const Json& fetch, const Json& counters, EverSums* ever) {
  ++ever->rounds;
  ever->duplicates += DuplicatesOf(fetch);
  AddCounts(MemberOf(fetch, "outcomes"), &ever->outcomes);
  // The counters have every answer that their times have. The document leaves out what a guessed sitemap was answered.
  if (!AddCodes(counters, "status.", &ever->codes)) AddCodes(MemberOf(fetch, "statuses"), "", &ever->codes);
  if (counters.is_object()) ever->answers.AddCounters(counters);
}

bool AddEver(const Json& round, EverSums* ever) {
  const Json& stored = MemberOf(round, "ever");
  if (!stored.is_object()) return false;
  ever->rounds += CountOf(stored, "rounds");
  ever->duplicates += CountOf(stored, "duplicates");
  AddCounts(MemberOf(stored, "outcomes"), &ever->outcomes);
  AddCounts(MemberOf(stored, "codes"), &ever->codes);
  const Json& answers = MemberOf(stored, "answers");
  const Json& counts = MemberOf(answers, "counts");
  if (!counts.is_array() || counts.size() != ever->answers.counts.size()) return true;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].is_number_integer()) ever->answers.counts[i] += counts[i].get<int64_t>();
  }
  ever->answers.sum_ms += CountOf(answers, "sum_ms");
  return true;
}

}  // namespace trawl

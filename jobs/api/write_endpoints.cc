#include "jobs/api/write_endpoints.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "jobs/api/endpoints.h"
#include "jobs/api/ordering.h"
#include "jobs/policy/url_change.h"
#include "jobs/views/failure.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostUrls = 10'000;
constexpr int kMostUrlCharacters = 4'096;
constexpr int kMostReasonCharacters = 1'000;
constexpr char kWrites[] = "writes";
constexpr char kIntervalPattern[] = "^[1-9][0-9]{0,2}[mhd]$";
// Neither control characters nor blanks at the edges.
constexpr char kValuePattern[] = "^([^\\x00-\\x20\\x7f]([^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f])?)?$";

// -- schemas ----------------------------------------------------------------------------------------------------------

Json TextSchema(const char* description) { return {{"type", "string"}, {"description", description}}; }
Json CountSchema(const char* description) {
  return {{"type", "integer"}, {"minimum", 0}, {"description", description}};
}
Json FlagSchema(const char* description) { return {{"type", "boolean"}, {"description", description}}; }
Json NullableSchema(const char* type, const char* description) {
  return {{"type", Json::array({type, "null"})}, {"description", description}};
}

// An object all of whose members are always there.
Json WholeObject(Json properties) {
  Json required = Json::array();
  for (const auto& [name, schema] : properties.items()) required.push_back(name);
  return {{"type", "object"},
          {"required", std::move(required)},
          {"properties", std::move(properties)},
          {"additionalProperties", false}};
}

// What every write answers, with `properties` first.
Schema AnswerSchema(Json properties) {
  Json all = {{"snapshot", CountSchema("that has the change, or showed that there was none to make")}};
  all.update(properties);
  all["job"] = TextSchema("that did it; empty where there was nothing to do");
  all["changed"] = FlagSchema("whether something is different now");
  return Schema(WholeObject(std::move(all)));
}

Json SeedsBodySchema() {
  return {
      {"type", "object"},
      {"required", Json::array({"urls"})},
      {"properties",
       {{"urls",
         {{"type", "array"},
          {"minItems", 1},
          {"description", "at most 10,000"},
          {"items", {{"type", "string"}, {"minLength", 1}, {"maxLength", kMostUrlCharacters}}}}},
        {"priority", {{"type", "integer"}, {"minimum", 0}, {"maximum", 2}, {"description", "0 high, 1 medium, 2 low"}}},
        {"interval",
         {{"type", "string"},
          {"pattern", kIntervalPattern},
          {"description", "how often the pages are fetched: 30m, 6h, 1d"}}},
        {"metadata",
         {{"type", "object"},
          {"maxProperties", 32},
          {"propertyNames",
           {{"minLength", 1},
            {"maxLength", 64},
            {"pattern", "^[A-Za-z0-9_.-]+$"},
            {"not", {{"enum", Json::array({"score", "interval", "priority", "tier", "kind"})}}}}},
          {"additionalProperties", {{"type", "string"}, {"maxLength", 1'000}, {"pattern", kValuePattern}}},
          {"description", "kept with each URL"}}}}},
      {"additionalProperties", false}};
}

Schema SeedsAnswerSchema() {
  const Json bad = WholeObject({{"url", TextSchema("as it was sent")}, {"reason", TextSchema("why it is no seed")}});
  const Json robots = WholeObject({{"url", TextSchema("as it was sent")},
                                   {"allowed", NullableSchema("boolean", "null: not known, or the page waits")},
                                   {"text", TextSchema("the line that decides, or why it is not known")}});
  return AnswerSchema({{"queued", CountSchema("different URLs that are new to the crawl")},
                       {"known", CountSchema("different URLs that the crawl had: they stay as they were")},
                       {"bad", {{"type", "array"}, {"items", bad}}},
                       {"robots",
                        {{"type", "array"},
                         {"items", robots},
                         {"description", "what the stored robots.txt says of each URL that is not bad"}}}});
}

Json PolicyProperties() {
  return {{"crawl_delay_ms", NullableSchema("integer", "null: the usual delay")},
          {"max_concurrent", CountSchema("always 1: a host is asked one thing at a time")},
          {"pages_a_day", NullableSchema("integer", "null: the limit of all hosts")},
          {"pages", NullableSchema("integer", "in all; null: the limit of all hosts")},
          {"is_blocked", FlagSchema("whether nothing is fetched from it")},
          {"reason", NullableSchema("string", "in the operator's words")}};
}

Json PolicyBodySchema() {
  return {
      {"type", "object"},
      {"minProperties", 1},
      {"properties",
       {{"crawl_delay_ms",
         {{"type", Json::array({"integer", "null"})},
          {"minimum", 0},
          {"maximum", kDayMs},
          {"description", "0: no wait; null: the usual delay"}}},
        {"max_concurrent", {{"type", "integer"}, {"const", 1}, {"description", "a host is asked one thing at a time"}}},
        {"pages_a_day",
         {{"type", Json::array({"integer", "null"})},
          {"minimum", 1},
          {"maximum", 2'000'000'000},
          {"description", "null: the limit of all hosts"}}}}},
      {"additionalProperties", false}};
}

Json BlockBodySchema() {
  return {{"type", "object"},
          {"properties",
           {{"reason",
             {{"type", "string"},
              {"maxLength", kMostReasonCharacters},
              {"description", "why; it is shown with the block"}}}}},
          {"additionalProperties", false}};
}

Schema PolicyAnswerSchema() {
  Json properties = {{"applied", FlagSchema("true: it counts from the next round on")},
                     {"host", TextSchema("its name")}};
  properties.update(PolicyProperties());
  return AnswerSchema(std::move(properties));
}
Schema BlockAnswerSchema() {
  return AnswerSchema({{"domain", TextSchema("its name")},
                       {"is_blocked", FlagSchema("whether nothing is fetched from it")},
                       {"reason", NullableSchema("string", "in the operator's words")}});
}
Schema RemovedAnswerSchema() {
  return AnswerSchema({{"removed", CountSchema("1: the URL is never asked for again, whatever links to it")}});
}

Parameter PathText(const char* name, int most, const char* description) {
  return {.name = name,
          .place = ParameterPlace::kPath,
          .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", most}},
          .is_required = true,
          .description = description};
}

// -- orders -----------------------------------------------------------------------------------------------------------

// As kIntervalPattern says.
Result<int64_t> IntervalOf(const std::string& text) {
  const bool has_digits = text.size() >= 2 && text.size() <= 4 && text[0] != '0' &&
                          std::all_of(text.begin(), text.end() - 1, [](char c) { return c >= '0' && c <= '9'; });
  const Result<int64_t> interval_ms = ParseInterval(text);
  if (has_digits && std::string("mhd").find(text.back()) != std::string::npos && interval_ms.ok()) return interval_ms;
  return Unprocessable("the interval makes no sense",
                       {{"#/interval", "write a number from 1 to 999 and m, h or d: 30m, 6h, 1d"}});
}

Result<SeedOrder> SeedsOf(const Json& body) {
  SeedOrder order;
  // No maxItems in the schema: a body of more than 10,000 URLs is mostly longer than what the server reads at all.
  if (body["urls"].size() > kMostUrls) {
    return Unprocessable("too many URLs", {{"#/urls", "it must have at most " + std::to_string(kMostUrls) + " items"}});
  }
  for (const Json& url : body["urls"]) order.urls.push_back(url.get<std::string>());
  if (body.contains("priority")) {
    order.tier = *ParseTier(std::to_string(body["priority"].get<int64_t>()));
  }
  if (body.contains("interval")) {
    ARROW_ASSIGN_OR_RAISE(order.interval_ms, IntervalOf(body["interval"].get<std::string>()));
  }
  if (!body.contains("metadata")) return order;
  for (const auto& [name, value] : body["metadata"].items()) {
    const std::string fault = FaultOfMetadata(name, value.get<std::string>());
    if (!fault.empty()) return Unprocessable("the metadata cannot be kept", {{"#/metadata/" + name, fault}});
    order.metadata.emplace(name, value.get<std::string>());
  }
  return order;
}

Result<ApiAnswer> PostSeeds(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(SeedOrder order, SeedsOf(call.body));
  return CarryOut(call, std::move(order));
}

// What the path names: a host, which is 404 where it is no name of one.
Result<HostTarget> TargetOf(ApiCall& call, const char* parameter) {
  ARROW_ASSIGN_OR_RAISE(call.view, call.views.Present());
  ARROW_ASSIGN_OR_RAISE(std::string key, HostPartOfName(call.Text(parameter), call.view->normal_form()));
  return HostTarget{.key = std::move(key)};
}

Result<ApiAnswer> SetPolicy(ApiCall& call, const HostChange& change) {
  ARROW_ASSIGN_OR_RAISE(const HostTarget target, TargetOf(call, "host"));
  ARROW_ASSIGN_OR_RAISE(ApiAnswer answer, CarryOut(call, HostOrder{{target, change}}));
  if (answer.status != 200) return answer;
  Json body = {{"applied", true}, {"host", HostOfKey(target.key)}};
  body.update(answer.body["policy"]);
  answer.body.erase("policy");
  body.update(answer.body);
  answer.body = std::move(body);
  return answer;
}

Result<ApiAnswer> PostPolicy(ApiCall& call) {
  HostChange change;
  if (call.body.contains("crawl_delay_ms")) {
    const Json& delay = call.body["crawl_delay_ms"];
    // Stored as 0 for the usual delay, and as -1 for none.
    change.delay_ms = delay.is_null() ? 0 : delay == 0 ? -1 : delay.get<int32_t>();
  }
  if (call.body.contains("pages_a_day")) {
    const Json& pages = call.body["pages_a_day"];
    change.pages_a_day = pages.is_null() ? 0 : pages.get<int64_t>();
  }
  return SetPolicy(call, change);
}

Result<ApiAnswer> DeletePolicy(ApiCall& call) { return SetPolicy(call, {.delay_ms = 0, .pages_a_day = 0, .pages = 0}); }

Result<ApiAnswer> SetBlock(ApiCall& call, const HostChange& change) {
  ARROW_ASSIGN_OR_RAISE(HostTarget target, TargetOf(call, "domain"));
  // A registrable domain stands for all its hosts. Any other host is meant alone.
  target.is_domain = DomainTargetOf(HostOfKey(target.key), call.view->normal_form()).ok();
  ARROW_ASSIGN_OR_RAISE(ApiAnswer answer, CarryOut(call, HostOrder{{target, change}}));
  if (answer.status != 200) return answer;
  const Json policy = answer.body["policy"];
  answer.body.erase("policy");
  Json body = {{"domain", HostOfKey(target.key)}, {"is_blocked", policy["is_blocked"]}, {"reason", policy["reason"]}};
  body.update(answer.body);
  answer.body = std::move(body);
  return answer;
}

Result<ApiAnswer> PutBlock(ApiCall& call) {
  HostChange change = {.blocked = true, .reason = ""};
  if (call.body.is_object() && call.body.contains("reason")) change.reason = call.body["reason"].get<std::string>();
  return SetBlock(call, change);
}

Result<ApiAnswer> DeleteBlock(ApiCall& call) { return SetBlock(call, {.blocked = false}); }

Result<ApiAnswer> DeleteUrl(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(call.view, call.views.Present());
  ARROW_ASSIGN_OR_RAISE(std::string key, KeyOfCall(call));
  return CarryOut(call, DropOrder{std::move(key)});
}

Result<ApiAnswer> DeleteJob(ApiCall& call) { return CarryOut(call, KillOrder{call.Text("id")}); }

// -- the table --------------------------------------------------------------------------------------------------------

Endpoint SeedsEndpoint(const char* path, const char* operation) {
  return {.method = "POST",
          .path = path,
          .operation = operation,
          .summary = "put URLs into the crawl",
          .description = "URLs that the crawl knows stay as they are. Those that are new are due at once.",
          .tag = kWrites,
          .body = SeedsBodySchema(),
          .body_example = {{"urls", Json::array({"https://www.example.com/"})}, {"priority", 0}},
          .answer = SeedsAnswerSchema(),
          .other_answers = {{202, AcceptedSchema()}},
          .freshness = Freshness::kFixed,
          .is_write = true,
          .call = PostSeeds};
}

Endpoint WriteEndpoint(const char* method, const char* path, const char* operation, const char* summary,
                       std::vector<Parameter> parameters, Json body, Schema answer,
                       Result<ApiAnswer> (*call)(ApiCall& call)) {
  return {.method = method,
          .path = path,
          .operation = operation,
          .summary = summary,
          .tag = kWrites,
          .parameters = std::move(parameters),
          .body = std::move(body),
          .answer = std::move(answer),
          .other_answers = {{202, AcceptedSchema()}},
          .freshness = Freshness::kFixed,
          .is_write = true,
          .call = call};
}

}  // namespace

std::vector<Endpoint> WriteEndpoints() {
  const Parameter host = PathText("host", 255, "a host name, as www.example.com");
  const Parameter domain =
      PathText("domain", 255,
               "a registrable domain, as example.com, for all its hosts; any other host name for that host alone");
  const Parameter job = PathText("id", 255, "the id of a job");
  return {SeedsEndpoint("/seeds", "postSeeds"),
          SeedsEndpoint("/api/v1/urls/seed", "postUrlsSeed"),
          WriteEndpoint("POST", "/hosts/{host}/policy", "postHostPolicy", "say how a host is asked", {host},
                        PolicyBodySchema(), PolicyAnswerSchema(), PostPolicy),
          WriteEndpoint("DELETE", "/hosts/{host}/policy", "deleteHostPolicy",
                        "take back what was said of a host; a block stays", {host}, nullptr, PolicyAnswerSchema(),
                        DeletePolicy),
          WriteEndpoint("DELETE", "/api/v1/urls/{id}", "deleteUrl", "never ask for a URL again",
                        {IdParameter(), UrlParameter()}, nullptr, RemovedAnswerSchema(), DeleteUrl),
          WriteEndpoint("PUT", "/api/v1/domains/{domain}/block", "putDomainBlock", "fetch nothing from a domain",
                        {domain}, BlockBodySchema(), BlockAnswerSchema(), PutBlock),
          WriteEndpoint("DELETE", "/api/v1/domains/{domain}/block", "deleteDomainBlock", "fetch from a domain again",
                        {domain}, nullptr, BlockAnswerSchema(), DeleteBlock),
          WriteEndpoint("DELETE", "/api/v1/jobs/{id}", "deleteJob", "end a job that runs on a cluster", {job}, nullptr,
                        AnswerSchema(Json::object()), DeleteJob)};
}

}  // namespace trawl

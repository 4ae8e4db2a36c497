#include "jobs/serve/rooms.h"

#include <utility>

#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/views/failure.h"
#include "jobs/web/page_source.h"
#include "runtime/root/snapshot.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

class Rooms::ApiSource : public PageSource {
 public:
  explicit ApiSource(Api* api) : api_(api) {}

  SourceAnswer Get(const std::string& target, const StopToken& stop) override {
    const Result<Json> value = api_->Get(target, stop);
    if (value.ok()) return {.status = 200, .value = *value};
    const Problem problem = ProblemOf(value.status());
    return {.status = problem.status, .value = ToJson(problem)};
  }
  SourceAnswer Send(const std::string& method, const std::string& target, const Json& body,
                    const StopToken& stop) override {
    ServerRequest request = {.method = method, .target = target};
    if (!body.is_null()) {
      request.headers = {{"content-type", "application/json"}};
      request.body = body.dump();
    }
    const ServerAnswer answer = api_->Answer(request, stop);
    const Json value = Json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
    return {.status = answer.status, .value = value.is_discarded() ? Json() : value};
  }

 private:
  Api* const api_;
};

Result<std::unique_ptr<Rooms>> Rooms::Open(VerbContext& context, const ServeOptions& options, bool writes) {
  std::unique_ptr<Rooms> rooms(new Rooms());
  rooms->context_ = &context;
  rooms->name_ = options.name.empty() ? NameOfRoot(context.global.root) : options.name;
  const bool is_pinned = context.options.SourceOf("now") != OptionSource::kDefault;
  rooms->pinned_ms_ = is_pinned ? context.global.now_ms : kNoTime;
  ARROW_ASSIGN_OR_RAISE(rooms->store_, OpenRoot(context));
  ARROW_RETURN_NOT_OK(ReadPresent(rooms->store_.get()).status());
  Store* const store = rooms->store_.get();
  const Clock& clock = context.process.clock;
  EventLog* const log = context.process.log;
  if (writes) {
    WriteSurroundings surroundings = {.store = store,
                                      .options = &context.options,
                                      .global = context.global,
                                      .clock = &clock,
                                      .now_ms = rooms->pinned_ms_};
    if (log != nullptr) {
      surroundings.log = [log](LogLevel level, const std::string& event, const Json& fields) {
        log->Write(level, event, fields);
      };
    }
    ARROW_ASSIGN_OR_RAISE(rooms->writes_, Writes::Start(surroundings, {.wait_ms = options.wait_ms}));
  }
  ARROW_ASSIGN_OR_RAISE(rooms->api_, Api::Make({.store = store,
                                                .options = &context.options,
                                                .clock = &clock,
                                                .name = rooms->name_,
                                                .now_ms = rooms->pinned_ms_,
                                                .refresh_ms = options.refresh_ms,
                                                .threads = context.global.threads,
                                                .writes = rooms->writes_.get(),
                                                .stop = context.process.stop,
                                                .say = [&context](const std::string& text) {
                                                  context.process.err << text << "\n" << std::flush;
                                                }}));
  rooms->source_ = std::make_unique<ApiSource>(rooms->api_.get());
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  rooms->metrics_ = std::make_unique<CrawlMetrics>(store, clock, &rooms->api_->live(),
                                                   MetricsOptions{.crawl = rooms->name_,
                                                                  .root = context.global.root,
                                                                  .threads = context.global.threads,
                                                                  .filter_rate = job.bloom_false_positives});
  rooms->readiness_ = std::make_shared<Readiness>();
  rooms->watch_ = std::make_unique<StoreWatch>(
      [store, readiness = rooms->readiness_] { return readiness->Probe(store); }, clock,
      StoreWatch::Rhythm{.every_ms = options.refresh_ms, .patience_ms = options.store_wait_ms});
  return rooms;
}

Rooms::~Rooms() = default;

FrontRooms Rooms::ForFront() {
  FrontRooms front;
  front.api_has = [this](std::string_view path) { return api_->Has(path); };
  front.api_route = [this](std::string_view method, std::string_view path) { return api_->RouteOf(method, path); };
  front.api = [this](const ServerRequest& request, const StopToken& stop) { return api_->Answer(request, stop); };
  front.web = [this](const ServerRequest& request, const Visitor& visitor, const StopToken& stop) {
    WebContext web = ForWeb(visitor);
    return WebAnswer(web, request, stop);
  };
  front.login = [this](const Visitor& visitor, std::string_view next, std::string_view fault) {
    WebContext web = ForWeb(visitor);
    return WebLogin(web, next, fault);
  };
  front.error = [this](const Visitor& visitor, int status, std::string_view title, std::string_view detail) {
    WebContext web = ForWeb(visitor);
    return WebError(web, status, title, detail);
  };
  front.metrics = [this](const ServerRequest& request, const StopToken& stop) {
    const auto read_present = [this]() -> Result<Snapshot> {
      ARROW_ASSIGN_OR_RAISE(const auto view, api_->views().Present());
      return view->snapshot();
    };
    return Metrics(request, read_present(), stop);
  };
  front.own_metrics = [this](const ServerRequest& request) {
    return Metrics(request, Status::IOError("the store is away"), StopToken());
  };
  front.store = [this] { return watch_->State(); };
  front.ready = [this] { return readiness_->state(); };
  front.served = [this](std::string_view route, std::string_view method, int status, double seconds) {
    served_.Count(route, method, status, seconds);
  };
  return front;
}

WebContext Rooms::ForWeb(const Visitor& visitor) {
  return {.source = *source_,
          .crawl = name_,
          .root = context_->global.root,
          .now_ms = pinned_ms_ == kNoTime ? context_->process.clock.NowMs() : pinned_ms_,
          .visitor = visitor};
}

ServerAnswer Rooms::Metrics(const ServerRequest& request, const Result<Snapshot>& present, const StopToken& stop) {
  const MetricsFormat format = FormatAskedFor(request.Header("accept").value_or(""));
  return {.headers = {{"Content-Type", ContentTypeOf(format)}},
          .body = MetricsText({.crawl = *metrics_, .present = present, .served = &served_}, format, stop)};
}

bool Rooms::Stop() {
  const bool are_writes_done = writes_ == nullptr || writes_->Stop();
  const bool has_watch_ended = watch_->Stop();
  return are_writes_done && has_watch_ended;
}

}  // namespace trawl

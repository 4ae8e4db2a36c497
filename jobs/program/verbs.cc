// Defines Verbs (jobs/verb/verb.h): one declaration and one line per verb, in the order of the help text.
#include "jobs/verb/verb.h"

namespace trawl {

Verb CrawlVerb();
Verb InjectVerb();
Verb RoundVerb();
Verb FetchVerb();
Verb ExportVerb();
Verb ArchiveVerb();
Verb RemoveVerb();
Verb UrlsSetVerb();
Verb ScoreVerb();
Verb GenerateVerb();
Verb GraphVerb();
Verb ParseVerb();
Verb UpdatedbVerb();
Verb SettleVerb();
Verb ReparseVerb();
Verb CompactVerb();
Verb GcVerb();
std::vector<Verb> ReaddbVerbs();
std::vector<Verb> ConfigVerbs();
std::vector<Verb> SnapshotVerbs();
std::vector<Verb> JobsVerbs();
std::vector<Verb> SegmentsVerbs();
std::vector<Verb> ReadsegVerbs();
Verb HostVerb();
Verb RoundsVerb();
Verb ReportVerb();
Verb HealthVerb();
Verb WatchVerb();
Verb ServeVerb();
Verb SitemapsVerb();
Verb PageVerb();
Verb DoctorVerb();
Verb CheckVerb();
Verb CompletionVerb();
Verb DocsVerb();

namespace {

std::vector<Verb> Join(std::initializer_list<std::vector<Verb>> families) {
  std::vector<Verb> all;
  for (const std::vector<Verb>& family : families) all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace

const std::vector<Verb>& Verbs() {
  static const std::vector<Verb> verbs = Join({
      {CrawlVerb(), InjectVerb(), RoundVerb(), GenerateVerb(), FetchVerb(), ParseVerb(), UpdatedbVerb(), SettleVerb(),
       ReparseVerb()},
      {PageVerb(), GraphVerb()},
      ReaddbVerbs(),
      ReadsegVerbs(),
      SegmentsVerbs(),
      {RoundsVerb(), WatchVerb(), ReportVerb(), HealthVerb(), SitemapsVerb(), ServeVerb()},
      {UrlsSetVerb(), ScoreVerb(), HostVerb()},
      {ExportVerb(), ArchiveVerb(), RemoveVerb(), CompactVerb(), GcVerb()},
      ConfigVerbs(),
      SnapshotVerbs(),
      JobsVerbs(),
      {DoctorVerb(), CheckVerb(), CompletionVerb(), DocsVerb()},
  });
  return verbs;
}

}  // namespace trawl

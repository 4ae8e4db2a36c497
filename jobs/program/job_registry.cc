// Every job of the binary: one declaration and one line each.
#include "jobs/program/job_registry.h"

#include <vector>

namespace trawl {

JobSpec InjectSpec();
JobSpec CompactSpec();
JobSpec CopyBodiesSpec();
JobSpec PlaceBodiesSpec();
JobSpec RemoveSpec();
JobSpec ExportSpec();
JobSpec ExportItemsSpec();
JobSpec ExportPagesSpec();
JobSpec ExportLinksSpec();
JobSpec ExportGraphSpec();
JobSpec ExportGraphTextSpec();
JobSpec HostSpec();
JobSpec GenerateSelectSpec();
JobSpec GenerateListsSpec();
JobSpec FetchSpec();
JobSpec GraphEdgesSpec();
JobSpec GraphRanksSpec();
JobSpec ParseSpec();
JobSpec UpdatedbSpec();
JobSpec DoctorSpec();
JobSpec SetUrlsSpec();
JobSpec ScoreUrlsSpec();
JobSpec ReparseSpec();
JobSpec ReparseTrialSpec();
JobSpec RescheduleSpec();
JobSpec SettleExactSpec();
JobSpec SettleVerdictsSpec();
JobSpec NearJobSpec();
JobSpec NearNewsSpec();
JobSpec RescoreSpec();
JobSpec ArchiveBodiesSpec();
JobSpec ArchiveWriteSpec();
JobSpec CdxindexSpec();

namespace {

const std::vector<JobSpec>& Jobs() {
  static const std::vector<JobSpec> jobs = {
      InjectSpec(),      CompactSpec(),       RemoveSpec(),         ExportSpec(),          ExportPagesSpec(),
      ExportItemsSpec(), HostSpec(),          GenerateSelectSpec(), GenerateListsSpec(),   FetchSpec(),
      ParseSpec(),       UpdatedbSpec(),      DoctorSpec(),         SetUrlsSpec(),         GraphEdgesSpec(),
      GraphRanksSpec(),  ExportLinksSpec(),   ExportGraphSpec(),    ExportGraphTextSpec(), ScoreUrlsSpec(),
      ReparseSpec(),     ReparseTrialSpec(),  RescheduleSpec(),     SettleExactSpec(),     SettleVerdictsSpec(),
      CopyBodiesSpec(),  PlaceBodiesSpec(),   NearJobSpec(),        NearNewsSpec(),        RescoreSpec(),
      CdxindexSpec(),    ArchiveBodiesSpec(), ArchiveWriteSpec(),
  };
  return jobs;
}

}  // namespace

arrow::Result<JobSpec> FindJob(const std::string& verb) {
  for (const JobSpec& job : Jobs()) {
    if (job.name == verb) return job;
  }
  return arrow::Status::Invalid("there is no job '", verb, "'");
}

}  // namespace trawl

// trawl archive: writes what was fetched as WARC files with their indexes, as archivists, Spark teams and replay tools read
// them. docs/archive.md shows how.
//
//   reads        the applied segments: fetch, content, parse, robots; urls and robots of the snapshot
//   jobs         archive_bodies (bodies_job.h): which capture of a body is the original; archive_write (write_job.h): the
//                records, part by part; archive_index (jobs/cdxindex): the indexes
//   writes       DIR (formats/documents/archive_begin.h); nothing in the crawl
//   counters     of each job, in its report
//
// Snapshot, options and version decide every byte. So the same command finishes an interrupted NAME: what is there and
// whole stays, the rest is made again. A finished NAME stays as it is; segments that are applied later get another NAME,
// whose revisits may refer to the records of NAMEs before it.
#include "jobs/archive/archive.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "formats/rows/fetch_row.h"
#include "jobs/archive/bodies_job.h"
#include "jobs/archive/choice.h"
#include "jobs/archive/folder.h"
#include "jobs/archive/report.h"
#include "jobs/archive/stored_files.h"
#include "jobs/archive/verify.h"
#include "jobs/archive/write_job.h"
#include "jobs/capture/parts.h"
#include "jobs/cdxindex/archive_options.h"
#include "jobs/cdxindex/indexes.h"
#include "jobs/export/folder.h"
#include "jobs/policy/advice.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/signals/respect.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/typed_root.h"
#include "jobs/verb/version.h"
#include "jobs/wacz/wacz.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

using PartsByNumber = std::map<int, ArchivePart>;

// Runs the jobs of one NAME, as far as they are not done.
class ArchiveRun {
 public:
  ArchiveRun(const JobEnvironment& environment, Store* to, ArchiveFolder* folder, std::string directory,
             const ArchiveOptions& options, const JobOptions& job, ArchiveBegin begin)
      : environment_(environment),
        to_(to),
        folder_(*folder),
        directory_(std::move(directory)),
        options_(options),
        job_(job),
        begin_(std::move(begin)) {}

  Status Run() {
    ARROW_RETURN_NOT_OK(ChooseSnapshot());
    ARROW_ASSIGN_OR_RAISE(const auto plans, ReadArchiveParts(environment_.store, begin_, options_.warc_size));
    ARROW_ASSIGN_OR_RAISE(const std::vector<FileReceipt> decisions, Decide(plans));
    ARROW_ASSIGN_OR_RAISE(PartsByNumber whole, ReadWholeParts(to_, begin_.name));
    WriteWish wish = {.begin = begin_, .directory = directory_, .parts = {}, .decisions = decisions};
    for (const ArchivePartPlan& plan : plans) {
      if (!whole.contains(plan.number)) wish.parts.push_back(plan);
    }
    if (!wish.parts.empty()) {
      ARROW_RETURN_NOT_OK(RunJob(environment_, ArchiveWriteRequest(std::move(wish), snapshot_)).status());
      ARROW_ASSIGN_OR_RAISE(whole, ReadWholeParts(to_, begin_.name));
    }
    return Index(plans, whole);
  }

 private:
  // The snapshot of the beginning; where gc has removed it meanwhile, the present one tells where bodies lie now.
  Status ChooseSnapshot() {
    const Result<Snapshot> there = ReadSnapshot(environment_.store, begin_.snapshot);
    snapshot_ = there.ok() && there->seal == begin_.seal ? begin_.snapshot : -1;
    return Status::OK();
  }

  Result<std::vector<FileReceipt>> Decide(const std::vector<ArchivePartPlan>& plans) {
    BodiesWish wish = {.begin = begin_, .directory = directory_, .parts = plans, .earlier = {}};
    ARROW_RETURN_NOT_OK(TakeEarlier(&wish));
    ARROW_ASSIGN_OR_RAISE(const auto decided, ReadDecisions(to_, begin_.name));
    if (decided) return *decided;
    // An interrupted run may have had another number of partitions.
    ARROW_RETURN_NOT_OK(to_->RemoveFolder(ArchivePaths(begin_.name).Revisits()));
    std::vector<FileReceipt> decisions;
    if (!plans.empty()) {
      ARROW_ASSIGN_OR_RAISE(const int64_t captures, CountCaptures());
      const JobRequest request = ArchiveBodiesRequest(std::move(wish), job_, snapshot_, captures);
      ARROW_ASSIGN_OR_RAISE(const JobResult result, RunJob(environment_, request));
      ARROW_ASSIGN_OR_RAISE(decisions, DecisionsOf(result.output));
    }
    ARROW_RETURN_NOT_OK(WriteDecisions(to_, begin_.name, decisions));
    return decisions;
  }

  // A revisit to a record that is not there would be a page that nobody can read.
  Status TakeEarlier(BodiesWish* wish) const {
    if (options_.revisits == RevisitPolicy::kFull) return Status::OK();
    for (const std::string& name : begin_.earlier) {
      const KnownArchive* const earlier = folder_.Find(name);
      if (earlier == nullptr || !earlier->end) {
        return Status::IOError(name, earlier == nullptr ? " is not in " : " is not finished in ", directory_, ", and ",
                               begin_.name,
                               " was begun when it was. Finish it first:  ", ArchiveCommand(directory_, name, ""),
                               "  or begin this one anew:  ", ArchiveCommand(directory_, begin_.name, "--overwrite"));
      }
      ARROW_ASSIGN_OR_RAISE(const auto lacking, LackingFiles(to_, name, *earlier->end, FilesNeeded::kOriginals));
      if (!lacking.empty()) {
        return Status::IOError(
            begin_.name, " would refer to records that are gone: ", LackText(name, lacking),
            "; put copies of them back, or write them again:  ", ArchiveCommand(directory_, name, "--overwrite"),
            "  or refer to nothing:  ", ArchiveCommand(directory_, begin_.name, "--overwrite --revisits never"));
      }
      wish->earlier.push_back(
          {.name = name, .folder = ArchivePaths(name).Originals(), .files = earlier->end->originals});
    }
    return Status::OK();
  }

  Result<int64_t> CountCaptures() const {
    int64_t captures = 0;
    for (const ArchiveSegment& segment : begin_.segments) {
      ARROW_ASSIGN_OR_RAISE(const auto fetched, ReadStep(environment_.store, segment.id, kFetchStep));
      if (fetched) captures += fetched->RowsOf(FetchRow::kTable);
    }
    return captures;
  }

  Status Index(const std::vector<ArchivePartPlan>& plans, const PartsByNumber& whole) {
    std::vector<ArchivePart> parts;
    ArchiveEnd end;
    for (const ArchivePartPlan& plan : plans) {
      const auto part = whole.find(plan.number);
      if (part == whole.end()) {
        return Status::IOError(directory_, ": the files of part ", plan.number, " were written, but are missing");
      }
      parts.push_back(part->second);
      for (const auto& [name, count] : part->second.counts) end.counts[name] += count;
      end.files.insert(end.files.end(), part->second.files.begin(), part->second.files.end());
      end.captures.insert(end.captures.end(), part->second.captures.begin(), part->second.captures.end());
      end.originals.insert(end.originals.end(), part->second.originals.begin(), part->second.originals.end());
    }
    const IndexWish wish = {.begin = begin_, .options = options_, .directory = directory_, .to = to_, .parts = parts};
    ARROW_ASSIGN_OR_RAISE(const std::vector<ArchiveFile> indexes, MakeIndexes(environment_, wish));
    end.files.insert(end.files.end(), indexes.begin(), indexes.end());
    std::sort(end.files.begin(), end.files.end(),
              [](const ArchiveFile& a, const ArchiveFile& b) { return a.path < b.path; });
    return folder_.End(begin_.name, std::move(end));
  }

  const JobEnvironment& environment_;
  Store* const to_;
  ArchiveFolder& folder_;
  const std::string directory_;
  const ArchiveOptions& options_;
  const JobOptions& job_;
  const ArchiveBegin begin_;
  int64_t snapshot_ = -1;
};

// The NAMEs whose records may refer to those of `name`.
std::vector<std::string> ThoseThatReferTo(const ArchiveFolder& folder, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [other, archive] : folder.archives()) {
    const auto& earlier = archive.begin.earlier;
    if (std::find(earlier.begin(), earlier.end(), name) != earlier.end()) names.push_back(other);
  }
  return names;
}

// A NAME to which the records of a finished one refer stays. Unfinished ones that were to refer to it are made anew after
// it: their segments stay theirs, and what was made of them goes first.
Status RemoveWhole(ArchiveFolder* folder, const std::string& name) {
  const std::vector<std::string> others = ThoseThatReferTo(*folder, name);
  for (const std::string& other : others) {
    if (folder->Find(other)->end) {
      return UsageError("records of ", other, " may refer to those of ", name,
                        ", so it cannot be begun anew; put copies of damaged files back, begin ", other,
                        " anew with --revisits never, or archive into another folder");
    }
  }
  for (const std::string& other : others) ARROW_RETURN_NOT_OK(folder->Reset(other));
  return folder->Remove(name);
}

// The beginning of the NAME: the one that is there, or a new one. Nothing where there is nothing to archive.
Result<std::optional<ArchiveBegin>> BeginOf(const Crawl& crawl, ArchiveFolder* folder, const ArchiveAsked& asked) {
  const std::string& name = asked.archive.name;
  const KnownArchive* const known = folder->Find(name);
  if (known != nullptr && !asked.archive.overwrite) {
    const std::string difference = DifferenceOf(known->begin.asked, TextsOf(asked));
    if (!difference.empty()) {
      return UsageError(name, " was begun with other options (", difference,
                        "); write these, choose another name, or begin it anew with --overwrite");
    }
    if (!known->end && known->begin.version != kVersion) {
      return UsageError(name, " was begun by version ", known->begin.version, ", this is ", kVersion,
                        "; finish it with that one, or begin it anew with --overwrite");
    }
    return known->begin;
  }
  if (known != nullptr) {
    ARROW_RETURN_NOT_OK(RemoveWhole(folder, name));
  }
  ARROW_ASSIGN_OR_RAISE(const ArchiveBegin begin, ChooseArchive(crawl.store(), crawl.snapshot(), *folder, asked));
  if (begin.segments.empty()) {
    ARROW_RETURN_NOT_OK(folder->archives().empty() ? Status::OK() : folder->WriteTop());
    return std::nullopt;
  }
  ARROW_RETURN_NOT_OK(folder->Begin(begin));
  return begin;
}

Result<int> Verify(VerbContext& context, Store* to, const ArchiveFolder& folder) {
  ARROW_ASSIGN_OR_RAISE(const ArchiveVerdict verdict, VerifyArchive(to, folder, context.process.stop));
  const std::string text = TextOf(verdict, context.arguments[0]);
  ARROW_RETURN_NOT_OK(context.Answer(ToJson(verdict), WithRoot(text, TypedRoot(context.options))));
  return verdict.IsValid() ? kExitDone : kExitFailed;
}

// A finished NAME is not written again, so what it has lost must be said.
Status CheckFinished(Store* to, const KnownArchive& known, const std::string& directory) {
  const std::string& name = known.begin.name;
  ARROW_ASSIGN_OR_RAISE(const auto lacking, LackingFiles(to, name, *known.end, FilesNeeded::kAll));
  if (lacking.empty()) return Status::OK();
  return Status::IOError(name, " is finished, but ", LackText(name, lacking), "; put copies back, look for more with  ",
                         ArchiveCommand(directory, "", "--verify"),
                         "  or write it again:  ", ArchiveCommand(directory, name, "--overwrite"));
}

// Tasks may run in another folder than this process.
std::string WholePath(const std::string& place) {
  if (place.find("://") != std::string::npos) return place;
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(place, ignored);
  return ignored ? place : whole.lexically_normal().string();
}

// Makes a file for viewers out of a finished NAME.
Result<int> Share(VerbContext& context, Store* to, const ArchiveFolder& folder, const ArchiveOptions& options) {
  const KnownArchive* const known = folder.Find(options.name);
  if (known == nullptr || !known->end) {
    return UsageError("--wacz shares finished records, and ", options.name, " is ",
                      known == nullptr ? "not in " : "not finished in ", to->Describe(),
                      "; archive first, without --wacz:  trawl archive ", context.arguments[0], " --name ",
                      options.name);
  }
  WaczWish wish = {.from = to,
                   .name = {.name = options.name, .files = known->end->captures},
                   .earlier = {},
                   .prefix = options.prefix,
                   .file = options.wacz,
                   .overwrite = options.overwrite,
                   .libhdfs = context.global.libhdfs,
                   .software = "trawl/" + known->begin.version,
                   .stop = context.process.stop};
  for (const std::string& name : known->begin.earlier) {
    const KnownArchive* const earlier = folder.Find(name);
    if (earlier != nullptr && earlier->end) wish.earlier.push_back({.name = name, .files = earlier->end->captures});
  }
  ARROW_ASSIGN_OR_RAISE(const WaczMade made, MakeWacz(wish));
  const std::string text = ReadableCount(made.captures, "capture") + " and " + ReadableCount(made.pages, "page") +
                           " in " + options.wacz + ", " + ReadableSize(made.bytes) + "\n";
  ARROW_RETURN_NOT_OK(context.Summarize({{"name", options.name},
                                         {"wacz", options.wacz},
                                         {"captures", made.captures},
                                         {"originals", made.originals},
                                         {"unresolved", made.unresolved},
                                         {"pages", made.pages},
                                         {"bytes", made.bytes}},
                                        text));
  return kExitDone;
}

Result<int> RunArchive(VerbContext& context) {
  const std::string directory = context.arguments[0];
  ARROW_ASSIGN_OR_RAISE(const ArchiveOptions options, context.Read(ArchiveOptionGroup()));
  if (options.verify && !options.wacz.empty()) {
    return UsageError(
        "--wacz checks the records that it copies, --verify those of the whole folder; write one of them");
  }
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(directory, {.libhdfs = context.global.libhdfs}));
  ARROW_ASSIGN_OR_RAISE(ArchiveFolder folder, ArchiveFolder::Read(to.get()));
  if (options.verify) {
    if (options.name.empty()) return Verify(context, to.get(), folder);
    return UsageError("--verify reads all names of the folder; leave --name out:  ",
                      ArchiveCommand(directory, "", "--verify"));
  }
  ARROW_RETURN_NOT_OK(folder.CheckMayArchive());
  ARROW_RETURN_NOT_OK(CheckArchiveName(options.name));
  if (!options.wacz.empty()) return Share(context, to.get(), folder, options);
  if (!options.prefix.empty())
    return UsageError("--prefix says what goes into the file of --wacz; name that file, too");
  ARROW_RETURN_NOT_OK(CheckOutside(context.global.root, directory));
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ArchiveAsked asked;
  ARROW_ASSIGN_OR_RAISE(asked.archive, context.Read(ArchiveOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(asked.fetch, context.Read(FetchOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(asked.respect, context.Read(RespectOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const std::optional<ArchiveBegin> begin, BeginOf(*crawl, &folder, asked));
  if (!begin) {
    ARROW_RETURN_NOT_OK(context.Summarize({{"changed", false}, {"name", options.name}},
                                          "nothing to archive: no applied segment is left for " + directory + "\n"));
    return kExitNothingDue;
  }
  const bool was_finished = folder.Find(options.name)->end.has_value();
  if (was_finished) {
    ARROW_RETURN_NOT_OK(folder.WriteTop());
    ARROW_RETURN_NOT_OK(CheckFinished(to.get(), *folder.Find(options.name), directory));
  } else {
    ARROW_RETURN_NOT_OK(crawl->RunWith(context, [&](const JobEnvironment& environment) {
      return ArchiveRun(environment, to.get(), &folder, WholePath(directory), asked.archive, job, *begin).Run();
    }));
  }
  const KnownArchive& known = *folder.Find(options.name);
  ARROW_RETURN_NOT_OK(context.Summarize(ReportOf(known, !was_finished), ReportTextOf(known, !was_finished, directory)));
  return kExitDone;
}

Result<int> RunAndAdvise(VerbContext& context) {
  const Result<int> code = RunArchive(context);
  return code.ok() ? code : WithAdviceOnSpace(code.status());
}

}  // namespace

Verb ArchiveVerb() {
  return {
      .name = "archive",
      .summary = "write what was fetched as WARC files with indexes",
      .purpose = VerbPurpose::kLook,
      .arguments = "DIR",
      .least_arguments = 1,
      .most_arguments = 1,
      .description =
          "Writes the answers of applied segments as WARC 1.1 files with CDXJ and columnar indexes, in the layout of "
          "Common Crawl. Subsets are warc, crawldiagnostics and robotstxt. A body that DIR has already becomes a "
          "revisit. The same command finishes an interrupted NAME; later segments get another NAME in the same DIR, "
          "which may also be on HDFS or S3.",
      .examples = {{"All that is applied and not yet in DIR", "trawl archive ./warcs --name CRAWL-2026"},
                   {"Check every record of the folder", "trawl archive ./warcs --verify"},
                   {"Some URLs as one file for viewers",
                    "trawl archive ./warcs --name CRAWL-2026 --wacz a.wacz --prefix a.example"}},
      .groups = {&ArchiveOptionGroup(), &RespectOptionGroup()},
      .other_groups = {&ReadingOptionGroup(), &FetchOptionGroup(), &JobOptionGroup()},
      .run = RunAndAdvise};
}

}  // namespace trawl

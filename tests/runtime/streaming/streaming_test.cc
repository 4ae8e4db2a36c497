// The data that travels between driver, Hadoop and tasks: settings, control lines, receipts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "formats/documents/json.h"
#include "runtime/job/receipt_text.h"
#include "runtime/process/status_detail.h"
#include "runtime/streaming/carried_receipts.h"
#include "runtime/streaming/hadoop_client.h"
#include "runtime/streaming/heartbeat.h"
#include "runtime/streaming/output.h"
#include "runtime/streaming/runner.h"
#include "runtime/streaming/settings.h"
#include "runtime/streaming/task.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/byte_streams.h"
#include "tests/support/values/hadoop_sort.h"

namespace trawl {
namespace {

using arrow::Status;
using testing::HasSubstr;

TaskReceipt Receipt(bool is_reduce, int number, int attempt) {
  TaskReceipt receipt;
  receipt.id = {.is_reduce = is_reduce, .number = number, .attempt = attempt};
  receipt.slots = {10, 200};
  FileReceipt file;
  file.name = receipt.id.Name() + "-0.orc";
  file.rows = 3;
  file.first_slot = 11;
  file.last_slot = 12;
  file.first_key = "a";
  file.last_key = "b";
  file.seal = {.size_bytes = 5, .chunk_digests = {7}};
  receipt.files["urls"] = {file};
  receipt.schemas["urls"] = 2;
  receipt.dataset_files["fetch"] = {file, file};
  receipt.dataset_schemas["fetch"] = 1;
  receipt.counters["new"] = 3;
  receipt.samples.Add({"seeds\t.txt", 17, "no host", "http://\n"});
  receipt.facts = {{"pages", 3}};
  return receipt;
}

Plan PlanOf(int maps, int partitions) {
  Plan plan;
  plan.job = "20260101T000000Z-test-00000001";
  plan.verb = "test";
  for (int i = 0; i < maps; ++i) plan.parts.push_back({{"part", i}});
  plan.partitions = partitions;
  return plan;
}

// -- receipts ---------------------------------------------------------------------------------------------------------

TEST(ReceiptText, ALineHasAll) {
  const TaskReceipt receipt = Receipt(true, 3, 1000);
  const std::string line = ReceiptLine(receipt);
  EXPECT_TRUE(line.starts_with("r3-1000\t"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  // Hadoop ends a text without a TAB with one; some writers end lines with CR LF.
  for (const char* behind : {"", "\t", "\r"}) {
    const auto read = ReceiptFromLine(line + behind);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(ReceiptLine(*read), line);
    EXPECT_EQ(read->id.attempt, 1000);
    EXPECT_EQ(read->files.at("urls").front(), receipt.files.at("urls").front());
    EXPECT_EQ(read->dataset_schemas.at("fetch"), 1);
  }
}

TEST(ReceiptText, EveryDamageIsNoticed) {
  const std::string line = ReceiptLine(Receipt(false, 0, 0));
  for (size_t at = 0; at < line.size(); ++at) {
    std::string damaged = line;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    const auto read = ReceiptFromLine(damaged);
    // Another number of the task is noticed later, by the driver that knows the job's tasks.
    EXPECT_TRUE(!read.ok() || read->id.Name() != "m0-0") << at;
    EXPECT_FALSE(ReceiptFromLine(line.substr(0, at)).ok()) << at;
  }
}

TEST(ReceiptText, NamesOfTasks) {
  for (const char* name : {"m0-0", "r12-1000", "m3-2147483647"}) {
    const auto id = TaskIdFrom(name);
    ASSERT_TRUE(id.ok()) << name;
    EXPECT_EQ(id->Name(), name);
  }
  for (const char* name : {"", "m", "x1-0", "m-1-0", "m1", "m1-", "m01-0", "m1-0 ", "m1-99999999999", "m+1-0"}) {
    EXPECT_FALSE(TaskIdFrom(name).ok()) << name;
  }
}

std::string Lines(const std::vector<TaskReceipt>& receipts) {
  std::string text;
  for (const TaskReceipt& receipt : receipts) text += ReceiptLine(receipt) + "\t\n";
  return text;
}

TEST(StreamingOutput, ReceiptsComeInTheOrderOfTasks) {
  const auto receipts = ReceiptsIn(
      Lines({Receipt(true, 1, 0), Receipt(false, 1, 1000), Receipt(true, 0, 0), Receipt(false, 0, 0)}), PlanOf(2, 2));
  ASSERT_TRUE(receipts.ok()) << receipts.status();
  std::vector<std::string> names;
  for (const TaskReceipt& receipt : *receipts) names.push_back(receipt.id.Name());
  EXPECT_THAT(names, testing::ElementsAre("m0-0", "m1-1000", "r0-0", "r1-0"));
}

TEST(StreamingOutput, OneReceiptOfEachTask) {
  EXPECT_THAT(ReceiptsIn(Lines({Receipt(false, 0, 0)}), PlanOf(2, 0)).status().message(),
              HasSubstr("map task 1 is missing"));
  EXPECT_THAT(ReceiptsIn(Lines({Receipt(false, 0, 0), Receipt(false, 0, 1)}), PlanOf(1, 0)).status().message(),
              HasSubstr("two receipts of one task"));
  EXPECT_THAT(ReceiptsIn(Lines({Receipt(false, 0, 0), Receipt(true, 0, 0)}), PlanOf(1, 0)).status().message(),
              HasSubstr("does not belong to the job"));
  EXPECT_FALSE(ReceiptsIn("what a library printed\n", PlanOf(1, 0)).ok());
}

// -- tasks ------------------------------------------------------------------------------------------------------------

TEST(StreamingTask, AttemptsAreNumberedAsHadoopDoes) {
  EXPECT_EQ(*AttemptNumberFrom("attempt_1767225600000_0042_m_000003_0"), 0);
  EXPECT_EQ(*AttemptNumberFrom("attempt_1767225600000_0042_r_000000_1000"), 1000);
  EXPECT_EQ(*AttemptNumberFrom("attempt_local42_0001_m_000000_0"), 0);
  for (const char* id :
       {"", "attempt_", "task_1_2_m_3", "attempt_1_2_m_3_x", "attempt_1_2_m_3_-1", "attempt_1_2_m_3_99999999999"}) {
    EXPECT_FALSE(AttemptNumberFrom(id).ok()) << id;
  }
}

// Hadoop fails a job of more than 120 counters; each task of a job may meet other statuses.
TEST(StreamingTask, AllTasksTogetherHaveFewCounters) {
  std::set<std::string> names;
  for (int task = 0; task < 10; ++task) {
    Counters counters;
    counters["pages"] = 1;
    counters["never"] = 0;
    for (int status = 100 + task * 60; status < 160 + task * 60; ++status) {
      counters["status." + std::to_string(status)] = 1;
    }
    const Counters reported = CountersForHadoop(counters);
    for (const auto& [name, count] : reported.counts()) names.insert(name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"pages", "status.1xx", "status.2xx", "status.3xx", "status.4xx", "status.5xx",
                                          "status.6xx"}));
  Counters two;
  two["status.404"] = 2;
  two["status.410"] = 3;
  EXPECT_EQ(CountersForHadoop(two).Get("status.4xx"), 5);
}

TEST(StreamingTask, TheControlLineIsANumber) {
  for (const char* line : {"7", "7\n", "7\t\n", "7\r\n"}) {
    StringSource in(line, 1);
    const auto part = PartNumberFrom(&in);
    ASSERT_TRUE(part.ok()) << line;
    EXPECT_EQ(*part, 7);
  }
  for (const char* line : {"", "\n", "1\n2\n", "x", "-1"}) {
    StringSource in(line);
    EXPECT_FALSE(PartNumberFrom(&in).ok()) << line;
  }
}

TEST(StreamingTask, WhatHadoopTellsATask) {
  const std::map<std::string, std::string> environment = {{"trawl_root", "hdfs://n/c"},
                                                          {"trawl_job", "j"},
                                                          {"mapreduce_task_attempt_id", "attempt_1_2_m_000003_1"},
                                                          {"mapreduce_task_partition", "3"},
                                                          {"trawl_task_threads", "2"},
                                                          {"trawl_task_memory", "1000"},
                                                          {"trawl_task_block", "65536"},
                                                          {"TMPDIR", "/x"}};
  const auto place = StreamingTaskPlaceFrom(environment);
  ASSERT_TRUE(place.ok()) << place.status();
  EXPECT_EQ(place->attempt, 1);
  EXPECT_EQ(place->partition, 3);
  EXPECT_EQ(place->block_bytes, 65536);
  EXPECT_EQ(place->temp_folder, "/x");
  for (const char* needed :
       {"trawl_root", "trawl_job", "mapreduce_task_attempt_id", "mapreduce_task_partition", "trawl_task_block"}) {
    auto without = environment;
    without.erase(needed);
    EXPECT_THAT(StreamingTaskPlaceFrom(without).status().message(), HasSubstr(needed));
  }
}

// A job that sends every part's number to a partition of its own choice, and counts the values received.
JobSpec SendingSpec() {
  JobSpec spec{.name = "test"};
  spec.map = [](TaskContext& context, const Json& part, RowSink& sink) -> Status {
    ARROW_ASSIGN_OR_RAISE(const int64_t number, GetInt(part, "part"));
    ++context.counters()["sent"];
    return sink.EmitTo(static_cast<int>(number) % sink.partitions(), std::string("\0\0k", 3), std::to_string(number));
  };
  spec.reduce = [](TaskContext& context, GroupStream& groups) -> Status {
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
      if (!more) return Status::OK();
      while (*groups.NextValue(&value)) ++context.counters()["received." + std::string(value)];
    }
  };
  return spec;
}

std::string Shuffled(const std::string& frames, int partition, int partitions) {
  return SortedByHadoop(FramesOfPartition(frames, partition, partitions));
}

StreamingTaskPlace PlaceOf(int partition, int attempt) {
  return {.attempt = attempt, .partition = partition, .memory_bytes = 64 << 20};
}

TEST(StreamingTask, RecordsAndReceiptsComeThrough) {
  const Plan plan = PlanOf(5, 3);
  const Manifest manifest;
  const JobInputs inputs = {.plan = &plan, .snapshot = &manifest};
  StringSink frames;
  for (int part = 0; part < 5; ++part) {
    const auto receipt = RunStreamingMap(SendingSpec(), inputs, part, PlaceOf(part, part == 2 ? 1000 : 0), &frames);
    ASSERT_TRUE(receipt.ok()) << receipt.status();
  }
  StringSink output;
  for (int partition = 0; partition < 3; ++partition) {
    const std::string input = Shuffled(frames.written(), partition, 3);
    StringSource in(input, 7);
    const auto receipt = RunStreamingReduce(SendingSpec(), inputs, PlaceOf(partition, 0), &in, &output);
    ASSERT_TRUE(receipt.ok()) << receipt.status();
  }
  const auto receipts = ReceiptsIn(output.written(), plan);
  ASSERT_TRUE(receipts.ok()) << receipts.status();
  ASSERT_EQ(receipts->size(), 8u);
  EXPECT_EQ((*receipts)[2].id.Name(), "m2-1000");
  EXPECT_EQ((*receipts)[5].counters.Get("received.3"), 1);  // reduce 0 has parts 0 and 3
  EXPECT_EQ((*receipts)[7].counters.Get("received.2"), 1);
}

TEST(StreamingTask, AMapTaskThatIsMissingFailsItsReducers) {
  const Plan plan = PlanOf(2, 1);
  const Manifest manifest;
  const JobInputs inputs = {.plan = &plan, .snapshot = &manifest};
  StringSink frames, output;
  ASSERT_TRUE(RunStreamingMap(SendingSpec(), inputs, 0, PlaceOf(0, 0), &frames).ok());
  const std::string input = Shuffled(frames.written(), 0, 1);
  StringSource in(input);
  EXPECT_THAT(RunStreamingReduce(SendingSpec(), inputs, PlaceOf(0, 0), &in, &output).status().message(),
              HasSubstr("no trailer of map task 1"));
  EXPECT_EQ(output.written(), "");
}

// A program of before blocks knows plans of format 1, and refuses this one in words.
TEST(StreamingTask, AnOlderProgramDoesNotTakeThePlan) { EXPECT_EQ(ToJson(PlanOf(1, 1))["format"], 2); }

TEST(StreamingTask, WithoutPartitionsTheOutputIsTheReceipt) {
  const Plan plan = PlanOf(1, 0);
  const Manifest manifest;
  JobSpec spec{.name = "test"};
  spec.map = [](TaskContext& context, const Json&, RowSink&) -> Status {
    context.counters()["done"] = 1;
    return Status::OK();
  };
  StringSink output;
  ASSERT_TRUE(RunStreamingMap(spec, {.plan = &plan, .snapshot = &manifest}, 0, PlaceOf(0, 2), &output).ok());
  const auto receipts = ReceiptsIn(output.written(), plan);
  ASSERT_TRUE(receipts.ok()) << receipts.status();
  EXPECT_EQ(receipts->front().counters.Get("done"), 1);
}

TEST(TaskHeartbeat, GaugesTravelInStatusLines) {
  EXPECT_EQ(GaugesInStatus("m3-0 {\"pages\":7}")["pages"], 7);
  EXPECT_TRUE(GaugesInStatus("m3-0").is_null());
  EXPECT_TRUE(GaugesInStatus("m3-0 {\"pages\":").is_null());
}

// -- submission -------------------------------------------------------------------------------------------------------

TEST(StreamingSettings, WhatHasToBeIsSaidWhateverTheOperatorSays) {
  StreamingOptions options;
  options.queue = "crawl";
  options.define = {"mapreduce.map.memory.mb=4096", "mapreduce.job.tags=mine", "x=1=2"};
  const auto settings = StreamingSettings(PlanOf(4, 7), {.root = "hdfs://n/c", .crawl = "hdfs://n/c"}, options, 3,
                                          {{"LIBHDFS_OPTS", "-Xmx128m"}});
  const std::map<std::string, std::string> wanted = {
      {"mapreduce.job.reduces", "7"},
      {"stream.map.output", "rawbytes"},
      {"stream.reduce.output", "text"},
      {"mapreduce.map.speculative", "false"},
      {"mapreduce.reduce.speculative", "false"},
      {"mapreduce.fileoutputcommitter.algorithm.version", "1"},
      {"mapreduce.map.maxattempts", "3"},
      {"mapreduce.job.queuename", "crawl"},
      {"mapreduce.map.memory.mb", "4096"},
      {"mapreduce.reduce.memory.mb", "1024"},
      {"mapreduce.job.tags", "mine,20260101T000000Z-test-00000001," + CrawlTag("hdfs://n/c")},
      {"x", "1=2"},
      {"mapreduce.map.env.LIBHDFS_OPTS", "-Xmx128m"},
      {"trawl.root", "hdfs://n/c"}};
  for (const auto& [name, value] : wanted) {
    ASSERT_TRUE(settings.contains(name)) << name;
    EXPECT_EQ(settings.at(name), value) << name;
  }
  EXPECT_EQ(StreamingSettings(PlanOf(4, 0), {}, options, 3, {}).at("stream.map.output"), "text");
}

TEST(StreamingSettings, DefinitionsThatWouldHarmAreRefused) {
  EXPECT_OK(CheckDefinitions({"mapreduce.map.memory.mb=2048", "a="}));
  for (const char* definition : {"nothing", "=x", "mapreduce.map.speculative=true", "stream.map.output=text",
                                 "fs.s3a.secret.key=x", "fs.s3a.access.key=x", "my.PASSWORD=x"}) {
    const Status status = CheckDefinitions({definition});
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << definition;
    // A name that may be a secret is not repeated.
    if (std::string_view(definition).ends_with("=x") && definition[0] != '=') {
      EXPECT_EQ(status.message().find("=x"), std::string::npos) << definition;
    }
  }
}

TEST(StreamingSettings, AContainerIsSharedOut) {
  for (const int64_t mb : {512, 1024, 2048, 16384}) {
    const ContainerShares shares = SharesOf(mb << 20);
    EXPECT_EQ(shares.container_mb, mb);
    EXPECT_LT(shares.sort_mb, shares.java_heap_mb);
    EXPECT_LT(shares.java_heap_mb + (shares.task_bytes >> 20), mb);
  }
}

TEST(StreamingSettings, TheMemoryOfATaskFollowsThePlan) {
  constexpr int64_t kMiB = int64_t{1} << 20;
  const auto memory = [](int maps, int partitions, PlannedWork work, StreamingOptions options = {}) {
    Plan plan = PlanOf(maps, partitions);
    plan.work = work;
    return TaskMemoryFor(options, plan) / kMiB;
  };
  EXPECT_EQ(memory(1, 1, {.bytes = 16 * kMiB}), 768) << "a tiny task";
  EXPECT_EQ(memory(1, 1, {.bytes = 17 * kMiB}), 1024);
  EXPECT_EQ(memory(4, 4, {.bytes = 60 * kMiB}), 768) << "its share counts";
  EXPECT_EQ(memory(4, 1, {.bytes = 60 * kMiB}), 1024) << "of the kind that has fewer tasks";
  EXPECT_EQ(memory(1, 0, {.bytes = 0, .wait_ms = 1}), 1024) << "a fetch";
  EXPECT_EQ(memory(1, 1, {}), 1024) << "nobody knows";
  EXPECT_EQ(memory(460, 1, {}), 1024);
  EXPECT_EQ(memory(1000, 1, {}), 1792) << "a reduce task holds a block of each map task";
  EXPECT_EQ(memory(1000, 0, {}), 1024);
  EXPECT_EQ(memory(1'000'000, 1, {}), 4096) << "then blocks are smaller";
  EXPECT_EQ(memory(1000, 1, {}, {.task_memory_bytes = 600 * kMiB}), 600) << "as the operator says";
}

TEST(StreamingSettings, LessMemoryThanATaskNeedsIsRefused) {
  OptionTexts texts = StreamingOptionGroup().Print({});
  EXPECT_EQ(texts.at("streaming.task_memory"), "0B");
  EXPECT_OK(StreamingOptionGroup().Read(texts));
  texts["streaming.task_memory"] = "512MiB";
  EXPECT_OK(StreamingOptionGroup().Read(texts));
  texts["streaming.task_memory"] = "511MiB";
  EXPECT_FALSE(StreamingOptionGroup().Read(texts).ok());
}

TEST(StreamingSettings, TheControlFileHasALineAPart) { EXPECT_EQ(ControlFile(PlanOf(3, 0)), "0\n1\n2\n"); }

TEST(StreamingSettings, GenericOptionsComeFirst) {
  StreamingOptions options;
  options.files = {"/a", "hdfs://n/b"};
  const auto words =
      StreamingArguments(PlanOf(1, 1), {.control = "c", .output = "o", .bundle = "b.tar.gz"}, options, {{"n", "v w"}});
  EXPECT_THAT(
      std::vector<std::string>(words.begin(), words.begin() + 7),
      testing::ElementsAre("-D", "n=v w", "-files", "/a,hdfs://n/b", "-archives", "b.tar.gz#trawl", "-background"));
}

TEST(HadoopClient, TheApplicationIsReadFromWhatTheClientPrints) {
  EXPECT_EQ(
      ApplicationIn("2026 INFO impl.YarnClientImpl: Submitted application application_1767225600000_0042\nThe url\n"),
      "application_1767225600000_0042");
  EXPECT_EQ(ApplicationIn("Submitted application later"), "");
  EXPECT_EQ(ApplicationIn(""), "");
}

TEST(HadoopClient, TheReasonIsTheFirstLineThatTells) {
  EXPECT_EQ(ReasonIn("2026 INFO x: y\n2026 ERROR streaming.StreamJob: Error Launching job : Queue nope\nStreaming "
                     "Command Failed!\n"),
            "2026 ERROR streaming.StreamJob: Error Launching job : Queue nope");
  EXPECT_EQ(ReasonIn("only this\n"), "only this");
  EXPECT_EQ(ReasonIn(""), "");
}

// -- which jobs, which roots ------------------------------------------------------------------------------------------

TEST(StreamingRunner, ALocalRootIsRefusedInWords) {
  EXPECT_OK(CheckStreamingRoot("hdfs://n/c", false));
  EXPECT_OK(CheckStreamingRoot("s3://b/c", false));
  EXPECT_OK(CheckStreamingRoot("/data/crawl", true));
  const Status status = CheckStreamingRoot("./crawl", false);
  EXPECT_EQ(KindOf(status), StatusKind::kUsage);
  EXPECT_THAT(status.message(), HasSubstr("hdfs://"));
}

TEST(StreamingRunner, TheSameWorkIsTheSameWhoeverPlannedItWhen) {
  Plan first = PlanOf(2, 1);
  first.now_ms = first.planned_ms = 1;
  first.options = {{"now", "a"}, {"threads", "2"}, {"streaming.queue", "a"}, {"inject.score", "1"}};
  first.facts["inputs"] = "jobs/" + first.job + "/_input-0";
  Plan second = first;
  second.job = "20260102T000000Z-test-00000002";
  second.now_ms = second.planned_ms = 2;
  second.options["now"] = "b";
  second.options["threads"] = "8";
  second.options["streaming.queue"] = "b";
  second.options["job.runner"] = "auto";
  second.options["job.local_bytes"] = "1B";
  second.runner = kStreamingRunner;
  second.runner_reason = "it is large";
  second.outlives_driver = true;
  second.work = {.bytes = 3, .wait_ms = 4};
  second.facts["inputs"] = "jobs/" + second.job + "/_input-0";
  EXPECT_TRUE(IsSameWork(first, second));
  for (const auto& change : std::vector<std::function<void(Plan*)>>{
           [](Plan* plan) { plan->snapshot = 9; }, [](Plan* plan) { plan->options["inject.score"] = "0.5"; },
           [](Plan* plan) { plan->parts[1]["part"] = 7; }, [](Plan* plan) { plan->partitions = 2; },
           [](Plan* plan) { plan->verb = "other"; }, [](Plan* plan) { plan->facts["x"] = 1; }}) {
    Plan other = second;
    change(&other);
    EXPECT_FALSE(IsSameWork(first, other));
  }
}

}  // namespace
}  // namespace trawl

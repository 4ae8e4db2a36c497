#include "runtime/streaming/settings.h"

#include <string_view>

#include "formats/digests/digest.h"
#include "formats/text/ascii.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Status;
using Settings = std::map<std::string, std::string>;

namespace {

// A job is wrong unless these are set exactly so; an operator who changed them would not notice.
using Setting = std::pair<std::string_view, std::string_view>;
constexpr Setting kOwnSettings[] = {
    {"mapreduce.input.lineinputformat.linespermap", "1"},
    {"stream.map.input.ignoreKey", "true"},
    {"mapreduce.partition.binarypartitioner.left.offset", "0"},
    {"mapreduce.partition.binarypartitioner.right.offset", "1"},
    {"mapreduce.map.speculative", "false"},
    {"mapreduce.reduce.speculative", "false"},
    {"mapreduce.fileoutputcommitter.algorithm.version", "1"},
    {"mapreduce.output.fileoutputformat.compress", "false"},
    // In uber mode tasks run in the application master and do not see their own environment.
    {"mapreduce.job.ubertask.enable", "false"},
};
// The same, but the value depends on the plan.
constexpr std::string_view kSetByPlan[] = {
    "stream.map.output", "stream.reduce.input", "stream.reduce.output", "mapreduce.job.reduces", "mapreduce.job.maps",
    "trawl.root",        "trawl.job",           "trawl.task.memory",    "trawl.task.threads",    "trawl.task.block"};

bool IsOwn(std::string_view name) {
  for (const auto& [own, value] : kOwnSettings) {
    if (own == name) return true;
  }
  for (const std::string_view own : kSetByPlan) {
    if (own == name) return true;
  }
  return false;
}

// Hadoop stores a job's settings where everybody can read them.
bool LooksSecret(const std::string& name) {
  const std::string lower = AsciiLower(name);
  for (const char* word : {"secret", "password", "credential", "access.key", "session.token", "passphrase"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

std::string Quoted(const std::string& text) { return "'" + text.substr(0, 80) + "'"; }

void AddMemory(const StreamingOptions& options, const Plan& plan, Settings* settings) {
  const ContainerShares shares = SharesOf(TaskMemoryFor(options, plan));
  const std::string heap = "-Xmx" + std::to_string(shares.java_heap_mb) + "m";
  for (const char* kind : {"map", "reduce"}) {
    const std::string prefix = std::string("mapreduce.") + kind;
    (*settings)[prefix + ".memory.mb"] = std::to_string(shares.container_mb);
    (*settings)[prefix + ".java.opts"] = heap + " -XX:+UseSerialGC";
    (*settings)[prefix + ".cpu.vcores"] = std::to_string(options.task_cores);
  }
  (*settings)["mapreduce.task.io.sort.mb"] = std::to_string(shares.sort_mb);
  (*settings)["trawl.task.memory"] = std::to_string(shares.task_bytes);
  (*settings)["trawl.task.threads"] = std::to_string(options.task_cores);
  (*settings)["trawl.task.block"] = std::to_string(options.block_size_bytes);
}

void Join(const std::string& value, std::string* list) { *list += (list->empty() ? "" : ",") + value; }

}  // namespace

std::string CrawlTag(const std::string& crawl) { return "trawl-" + ToHex(Hash64(crawl)); }

Status CheckDefinitions(const std::vector<std::string>& definitions) {
  for (const std::string& definition : definitions) {
    const size_t equals = definition.find('=');
    const std::string name = definition.substr(0, equals);
    if (equals == std::string::npos || name.empty()) {
      return UsageError("streaming.define: ", Quoted(definition), " is not NAME=VALUE");
    }
    if (IsOwn(name))
      return UsageError("streaming.define: ", name,
                        " is set by Trawl alone; leave it out (docs/streaming.md says why)");
    if (LooksSecret(name)) {
      return UsageError("streaming.define: ", name,
                        " looks like a secret, and everybody can read the settings of a job; ",
                        "give the nodes their own credentials");
    }
  }
  return Status::OK();
}

Settings StreamingSettings(const Plan& plan, const StreamingPlaces& places, const StreamingOptions& options,
                           int attempts, const Settings& task_environment) {
  Settings settings;
  settings["mapreduce.job.name"] = "trawl " + plan.job;
  settings["mapreduce.map.maxattempts"] = std::to_string(attempts);
  settings["mapreduce.reduce.maxattempts"] = std::to_string(attempts);
  // Reducers that wait for maps would take the containers that the maps need.
  settings["mapreduce.job.reduce.slowstart.completedmaps"] = "1.0";
  // Blocks are compressed already.
  settings["mapreduce.map.output.compress"] = "false";
  if (!options.queue.empty()) settings["mapreduce.job.queuename"] = options.queue;
  AddMemory(options, plan, &settings);
  for (const auto& [name, value] : task_environment) {
    settings["mapreduce.map.env." + name] = value;
    settings["mapreduce.reduce.env." + name] = value;
  }
  for (const std::string& definition : options.define) {
    const size_t equals = definition.find('=');
    settings[definition.substr(0, equals)] = definition.substr(equals + 1);
  }
  std::string& tags = settings["mapreduce.job.tags"];
  Join(plan.job, &tags);
  Join(CrawlTag(places.crawl), &tags);
  for (const auto& [name, value] : kOwnSettings) settings[std::string(name)] = value;
  const bool reduces = plan.partitions > 0;
  settings["stream.map.output"] = reduces ? "rawbytes" : "text";
  settings["stream.reduce.input"] = "rawbytes";
  settings["stream.reduce.output"] = "text";
  settings["mapreduce.job.reduces"] = std::to_string(plan.partitions);
  settings["trawl.root"] = places.root;
  settings["trawl.job"] = plan.job;
  return settings;
}

std::vector<std::string> StreamingArguments(const Plan& plan, const StreamingPlaces& places,
                                            const StreamingOptions& options, const Settings& settings) {
  std::vector<std::string> arguments;
  const auto add = [&arguments](std::initializer_list<std::string> words) {
    arguments.insert(arguments.end(), words.begin(), words.end());
  };
  for (const auto& [name, value] : settings) add({"-D", name + "=" + value});
  std::string files;
  for (const std::string& file : options.files) Join(file, &files);
  if (!files.empty()) add({"-files", files});
  add({"-archives", places.bundle + "#trawl", "-background"});
  add({"-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat"});
  add({"-input", places.control, "-output", places.output, "-mapper", kMapper});
  if (plan.partitions > 0) {
    add({"-partitioner", "org.apache.hadoop.mapred.lib.BinaryPartitioner", "-reducer", kReducer});
  }
  return arguments;
}

std::string ControlFile(const Plan& plan) {
  std::string text;
  for (size_t part = 0; part < plan.parts.size(); ++part) text += std::to_string(part) + "\n";
  return text;
}

}  // namespace trawl

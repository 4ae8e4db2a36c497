#include "runtime/submit/job_settings.h"

#include <algorithm>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr char kOwn[] = "trawl";

// As Java's URLEncoder does it, in which form Streaming passes commands on.
std::string Encoded(const std::string& text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool is_plain = IsAsciiDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
                          c == '*' || c == '_';
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out;
}

std::string Joined(const std::vector<NodeResource>& resources,
                   const std::function<std::string(const NodeResource&)>& text) {
  std::string out;
  for (const NodeResource& resource : resources) out += (out.empty() ? "" : ",") + text(resource);
  return out;
}

// The distributed cache's settings: where the resources are, and by what their nodes know them again.
void AddCache(const std::string& name, const std::vector<NodeResource>& resources, HadoopConfig* settings) {
  settings->Set(name + ".sharedcache.uploadpolicies", "", kOwn);
  if (resources.empty()) return;
  settings->Set(name, Joined(resources, [](const auto& each) { return each.url + "#" + each.link; }), kOwn);
  settings->Set(name + ".filesizes",
                Joined(resources, [](const auto& each) { return std::to_string(each.size_bytes); }), kOwn);
  settings->Set(name + ".timestamps",
                Joined(resources, [](const auto& each) { return std::to_string(each.modified_ms); }), kOwn);
  settings->Set(name + ".visibilities",
                Joined(resources,
                       [](const auto& each) {
                         const bool is_public = each.sharing == NodeResource::Sharing::kPublic;
                         return std::string(is_public ? "true" : "false");
                       }),
                kOwn);
}

int RankOf(const std::string& source) {
  if (source.ends_with("-default.xml")) return 0;
  return source.ends_with("-site.xml") ? 1 : 2;
}

}  // namespace

void AddJobSettings(const StreamingJob& job, const ClientPlace& place, HadoopConfig* settings) {
  for (const auto& [name, value] : job.settings) settings->Set(name, value, kOwn);
  const bool reduces = !job.reducer.empty();
  const std::string streaming = "org.apache.hadoop.streaming.", mapred = "org.apache.hadoop.mapred.";
  const std::string queue = settings->Get("mapreduce.job.queuename", "default");
  const size_t maps = LineSplits(job.control_text).size();
  // Between map and reduce tasks rawbytes has keys and values of its own type; text has Hadoop's.
  const std::string between = reduces ? "org.apache.hadoop.io.BytesWritable" : "org.apache.hadoop.io.Text";
  const std::pair<std::string, std::string> own[] = {
      {"mapred.input.format.class", mapred + "lib.NLineInputFormat"},
      {"mapred.map.runner.class", streaming + "PipeMapRunner"},
      {"mapred.mapper.class", streaming + "PipeMapper"},
      {"mapred.mapper.new-api", "false"},
      {"mapred.reducer.new-api", "false"},
      {"mapred.output.format.class", mapred + "TextOutputFormat"},
      {"mapred.queue." + queue + ".acl-administer-jobs", "*"},
      {"mapreduce.map.output.key.class", between},
      {"mapreduce.map.output.value.class", between},
      {"mapreduce.job.output.key.class", "org.apache.hadoop.io.Text"},
      {"mapreduce.job.output.value.class", "org.apache.hadoop.io.Text"},
      {"stream.map.streamprocessor", Encoded(job.mapper)},
      {"stream.map.input.writer.class", streaming + "io.TextInputWriter"},
      {"stream.map.output.reader.class", streaming + (reduces ? "io.RawBytesOutputReader" : "io.TextOutputReader")},
      {"stream.reduce.input.writer.class", streaming + "io.RawBytesInputWriter"},
      {"stream.reduce.output.reader.class", streaming + "io.TextOutputReader"},
      // Tasks log as they would without the client's own choice.
      {"stream.addenvironment", "HADOOP_ROOT_LOGGER="},
      {"mapreduce.input.fileinputformat.inputdir", job.control},
      {"mapreduce.output.fileoutputformat.outputdir", job.output},
      {"mapreduce.job.maps", std::to_string(maps)},
      {"mapreduce.job.working.dir", place.home},
      {"mapreduce.job.dir", place.folder},
      {"mapreduce.job.jar", place.jar.url},
      {"mapreduce.job.jobjar.visibility", place.jar.sharing == NodeResource::Sharing::kPublic ? "true" : "false"},
      {"mapreduce.job.user.name", place.user},
      {"mapreduce.job.submithostname", place.host},
      {"mapreduce.job.submithostaddress", place.address},
      {"hadoop.http.filter.initializers", "org.apache.hadoop.yarn.server.webproxy.amfilter.AmFilterInitializer"}};
  for (const auto& [name, value] : own) settings->Set(name, value, kOwn);
  if (reduces) {
    settings->Set("mapred.partitioner.class", mapred + "lib.BinaryPartitioner", kOwn);
    settings->Set("mapred.reducer.class", streaming + "PipeReducer", kOwn);
    settings->Set("stream.reduce.streamprocessor", Encoded(job.reducer), kOwn);
  }
  AddCache("mapreduce.job.cache.archives", {place.bundle}, settings);
  AddCache("mapreduce.job.cache.files", place.files, settings);
}

std::vector<JobSetting> InOrder(const HadoopConfig& settings) {
  std::vector<JobSetting> all;
  for (const auto& [name, value] : settings.values()) all.push_back({name, value.text, value.source, value.is_final});
  std::stable_sort(all.begin(), all.end(),
                   [](const JobSetting& a, const JobSetting& b) { return RankOf(a.source) < RankOf(b.source); });
  return all;
}

}  // namespace trawl

#include "jobs/doctor/hadoop_checks.h"

#include <unistd.h>

#include "formats/documents/json.h"
#include "runtime/http/call.h"
#include "runtime/process/child_process.h"
#include "runtime/process/own_process.h"
#include "runtime/submit/client_settings.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr char kStatusBean[] = "/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus";
constexpr int64_t kAnswerMs = 5'000;

// "hdfs://nameservice/crawl" → "nameservice"; empty for other stores.
std::string NameserviceOf(const std::string& root) {
  constexpr std::string_view kScheme = "hdfs://";
  if (!root.starts_with(kScheme)) return "";
  return root.substr(kScheme.size(), root.find('/', kScheme.size()) - kScheme.size());
}

// "active", "standby", or why there is no answer.
std::string StateOf(const std::string& name_node) {
  const Result<HttpReply> reply = CallHttp({.url = name_node + kStatusBean, .timeout_ms = kAnswerMs});
  if (!reply.ok()) return "does not answer";
  if (reply->status != 200) return "answers " + std::to_string(reply->status);
  const Json json = Json::parse(reply->body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return "answers something else";
  const Json beans = json.value("beans", Json::array());
  if (!beans.is_array() || beans.empty() || !beans.front().is_object()) return "answers something else";
  const auto state = beans.front().find("State");
  return state != beans.front().end() && state->is_string() ? state->get<std::string>() : "answers something else";
}

}  // namespace

DoctorFinding CheckNameNodes(const HadoopConfig& settings, const std::string& nameservice) {
  DoctorFinding finding = {.check = "namenodes"};
  int active = 0, standby = 0, silent = 0;
  for (const std::string& name_node : settings.NameNodes(nameservice)) {
    const std::string state = StateOf(name_node);
    active += state == "active" ? 1 : 0;
    standby += state == "standby" ? 1 : 0;
    silent += state == "does not answer" ? 1 : 0;
    finding.found += (finding.found.empty() ? "" : ", ") + name_node + " " + state;
  }
  // One that answers in another way may want a ticket of its own: that says nothing of its state.
  if (active == 0 && standby + silent > 0) {
    finding.is_well = false;
    finding.fix = "no NameNode of " + nameservice + " is active, and nothing can be read or written: see hdfs haadmin";
  } else if (silent > 0) {
    finding.is_well = false;
    finding.fix = "start the one that does not answer: as long as it is down, nobody can take over";
  }
  return finding;
}

DoctorFinding CheckKerberos() {
  const std::string keytab = Environment("KRB5KEYTAB"), principal = Environment("KRB5PRINCIPAL");
  DoctorFinding finding = {.check = "kerberos"};
  if (!keytab.empty() || !principal.empty()) {
    finding.found = principal + " by the keytab " + keytab + ", which gets new tickets by itself";
    finding.is_well = !principal.empty() && access(keytab.c_str(), R_OK) == 0;
    if (!finding.is_well) {
      finding.found = "the keytab '" + keytab + "' of '" + principal + "' cannot be used";
      finding.fix = "set both KRB5PRINCIPAL and KRB5KEYTAB, a file that this user may read";
    }
    return finding;
  }
  const Result<ChildResult> ticket = RunChild({.command = {"klist", "-s"}});
  if (!ticket.ok()) {
    finding.found = "the cluster wants Kerberos, and there is no klist here that could tell of a ticket";
    return finding;
  }
  finding.is_well = ticket->exit_code == 0;
  finding.found = finding.is_well ? "this user has a ticket, and nobody gets the next one: a command that outlasts it "
                                    "ends, and goes on when it is given again after kinit"
                                  : "the cluster wants Kerberos, and this user has no valid ticket";
  if (!finding.is_well) finding.fix = "run kinit, or set KRB5PRINCIPAL and KRB5KEYTAB";
  return finding;
}

std::vector<DoctorFinding> CheckHadoop(const std::string& root) {
  std::vector<DoctorFinding> findings;
  if (!root.starts_with("hdfs://") && !root.starts_with("viewfs://")) return findings;
  const Result<HadoopConfig> settings = ReadClientSettings(HadoopConfigFolder());
  if (!settings.ok()) return findings;  // whoever needs the settings says it
  if (settings->Get("hadoop.security.authentication") == "kerberos") findings.push_back(CheckKerberos());
  const std::string nameservice = NameserviceOf(root);
  if (!settings->NameNodes(nameservice).empty()) findings.push_back(CheckNameNodes(*settings, nameservice));
  return findings;
}

}  // namespace trawl

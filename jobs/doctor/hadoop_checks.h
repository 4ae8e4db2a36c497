// Checks what a root on Hadoop's file system needs beside YARN: NameNodes of which one can take over, and a Kerberos ticket.
#pragma once

#include <string>
#include <vector>

#include "formats/hadoop/config.h"
#include "jobs/doctor/checks.h"

namespace trawl {

// What the driver's machine can tell of the Hadoop that has `root`. Empty for roots elsewhere.
std::vector<DoctorFinding> CheckHadoop(const std::string& root);

// The parts of it, for tests. The nameservice is one of several NameNodes.
DoctorFinding CheckNameNodes(const HadoopConfig& settings, const std::string& nameservice);
// For a cluster with Kerberos.
DoctorFinding CheckKerberos();

}  // namespace trawl

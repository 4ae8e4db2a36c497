// The store on HDFS, through Arrow's Hadoop filesystem and libhdfs.
//
// A file is written under a temporary name beside its own and renamed by the NameNode, which refuses a name that exists
// (Arrow's Move replaces it). What a killed process leaves is such a temporary name. Durable means what HDFS means by
// it: the NameNode's journal has the name, and as many DataNodes as the file's replication wants have the bytes. Any
// thread. High availability and Kerberos are Hadoop's own configuration, passed through.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "runtime/store/store.h"

namespace trawl {

// `root` is hdfs://[user@]host[:port]/path, hdfs://nameservice/path or hdfs:///path (the cluster's default), with
// ?replication=N where it is not to be the cluster's default. Does not ask the NameNode anything.
arrow::Result<std::unique_ptr<Store>> OpenHdfsStore(const std::string& root, const StoreOptions& options);

}  // namespace trawl

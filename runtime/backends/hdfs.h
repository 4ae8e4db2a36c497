// The store on HDFS, through Arrow's Hadoop filesystem and libhdfs.
//
// A file is written under a temporary name beside its own and renamed by the NameNode, which refuses a name that exists
// (Arrow's Move replaces it). A killed process leaves such a temporary name. Durable means what HDFS means by it: the
// NameNode's journal has the name, and as many DataNodes as the file's replication asks for have the bytes. High
// availability and Kerberos are Hadoop's own configuration, passed through. Any thread.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "runtime/store/store.h"

namespace trawl {

// `root` is hdfs://[user@]host[:port]/path, hdfs://nameservice/path or hdfs:///path (the cluster's default), with
// ?replication=N to replace the cluster's default. Does not ask the NameNode anything. The scheme of another Hadoop file
// system (viewfs://, ofs://) is taken as well: before its first write, the store proves there that a rename is exclusive.
arrow::Result<std::unique_ptr<Store>> OpenHdfsStore(const std::string& root, const StoreOptions& options);

}  // namespace trawl

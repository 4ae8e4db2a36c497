// Seeds as parts of a plan: URLs of the command line, and files that are cut between lines. Any thread.
//
//   {"name": "command line", "lines": ["https://www.example.com/"]}
//   {"name": "seeds.txt", "path": "seeds.txt", "begin": 0, "end": 16777230, "first_line": 1}
//   {"name": "seeds.txt", "input": 0, "begin": 0, "end": 16777230, "first_line": 1}   after StoreSeeds
//   {"name": "cdx-00000.gz", "path": "cdx-00000.gz", "begin": 0, "end": 7340032, "first_line": 1, "from": "cdxj"}
//   {"name": "s3://b/x.warc.gz", "store": "s3://b", "file": "x.warc.gz", "first_line": 1, "from": "warc", …}   read where it is
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/json.h"
#include "runtime/job/plan.h"
#include "runtime/store/store.h"

namespace trawl {

// What the files of seeds are: lists of lines, or what an archive of the web consists of.
enum class SeedsFrom : int8_t { kList, kCdxj, kWarc };
// "list", "cdxj", "warc"
const char* TextOf(SeedsFrom from);

// A file of seeds, by the name that people gave it and by the path that opens it. `store` has the file where it is not one
// of this machine: the root of a store, and then `path` is below it.
struct SeedFile {
  std::string name;
  std::string path;
  std::string store = {};
};

// Where the seeds of a command line come from.
struct SeedSources {
  std::vector<std::string> urls;
  std::vector<SeedFile> files;
  bool standard_input = false;
  SeedsFrom from = SeedsFrom::kList;
};

struct SeedParts {
  std::vector<Json> parts;
  int64_t bytes = 0;  // the sum over all parts
};
// Cuts files into parts of about `part_bytes`, each of which knows the number of its first line. What has no lines to cut
// at (gzip, WARC) and what lies in a store is one part per file. UsageError
// for a file of an archive that is of another kind than `from`. Does not read standard input.
arrow::Result<SeedParts> CutSeeds(const SeedSources& sources, int64_t part_bytes);

// Copies the files of the plan's parts into the store, as inputs of its job, for tasks that run on other machines. They
// come after the inputs that the plan has already.
arrow::Status StoreSeeds(Store* store, Plan* plan, int first_input = 0);

// Reads up to `size` bytes at `offset` of the part's file; 0 at its end.
using SeedReadAt = std::function<arrow::Result<size_t>(int64_t offset, size_t size, char* out)>;
// Opens the file of a part. REQUIRES: the part has no "lines".
arrow::Result<SeedReadAt> OpenSeedPart(Store* store, const Plan& plan, const Json& part);

}  // namespace trawl

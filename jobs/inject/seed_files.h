// Where seeds come from, cut into parts of a plan: URLs of the command line, files, standard input.
#pragma once

#include <atomic>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/json.h"
#include "runtime/job/plan.h"
#include "runtime/store/store.h"

namespace trawl {

// What can be read once, such as standard input or a pipe, kept in a file without a name as long as this lives, so that
// a job may read it again.
class SpooledInput {
 public:
  // Counts `*bytes` up as it reads. `name` is for messages.
  static arrow::Result<std::unique_ptr<SpooledInput>> Make(std::istream& in, const std::string& name,
                                                           const std::string& temp_folder, std::atomic<int64_t>* bytes);
  ~SpooledInput();
  // Opens the file anew, for this process and its threads.
  std::string path() const;

 private:
  explicit SpooledInput(int fd) : fd_(fd) {}
  const int fd_;
};

// A file of seeds as people call it and as it is opened.
struct SeedFile {
  std::string name;
  std::string path;
};

// Arguments that are URLs themselves (they have a scheme) and the files; UsageError for one that is neither.
struct SeedSources {
  std::vector<std::string> urls;
  std::vector<SeedFile> files;
  bool standard_input = false;
};
// Whether the file is a pipe or a device: something that ends, but has no size.
bool IsReadOnce(const SeedFile& file);
arrow::Result<SeedSources> SortSeedArguments(const std::vector<std::string>& arguments);

// Parts of about `part_bytes`, cut between lines, each knowing the number of its first line; and the bytes of all.
struct SeedParts {
  std::vector<Json> parts;
  int64_t bytes = 0;
};
arrow::Result<SeedParts> CutSeeds(const SeedSources& sources, int64_t part_bytes);

// Puts the files of the plan's parts into the store, as inputs of its job, for tasks that run on other machines.
arrow::Status StoreSeeds(Store* store, Plan* plan);

// Calls `visit(source, number, line)` for each line of a part. Lines come without their line feed, cut behind 1 MiB.
arrow::Status ForEachSeedLine(
    Store* store, const Plan& plan, const Json& part,
    const std::function<arrow::Status(const std::string& source, int64_t number, std::string_view line)>& visit);

}  // namespace trawl

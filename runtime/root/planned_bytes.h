// How many bytes a job is about to read: by the tables and files that it names. Pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"

namespace trawl {

// About what a page takes as stored, on average of real pages (docs/scale.md): for plans that cannot know better.
inline constexpr int64_t kUsualStoredBytes = 34'300;

// All tables of the snapshot: no job reads more of them.
int64_t BytesOfTables(const Manifest& manifest);
// Some of them.
int64_t BytesOfTables(const Manifest& manifest, std::initializer_list<std::string> tables);
// The files of one dataset of a step.
int64_t BytesOfDataset(const StepRecord& record, const std::string& dataset);

}  // namespace trawl

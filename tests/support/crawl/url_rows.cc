#include "tests/support/crawl/url_rows.h"

#include "formats/url/key.h"
#include "runtime/tables/run_writer.h"

namespace trawl {

bool RowPlaceLess::operator()(const std::string& a, const std::string& b) const {
  return RowPlace{SlotOfKey(a), a} < RowPlace{SlotOfKey(b), b};
}

UrlRow MakeUrlRow(const std::string& key, int version) {
  UrlRow row;
  row.key = key;
  row.score = version;
  row.depth = version % 7;
  row.reason = "version " + std::to_string(version);
  return row;
}

std::string MakeKey(int host, int page) {
  const std::string name = "host" + std::to_string(host);
  const std::string host_part = host % 3 == 0 ? "com," + name : host % 3 == 1 ? "com," + name + ",www" : "org," + name;
  return host_part + (page % 5 == 0 ? ")http" : ")") + "/page/" + std::to_string(page);
}

arrow::Result<RunReference> WriteUrlRun(Store* store, const std::string& run, const RowsByPlace& rows,
                                        RowFileOptions options) {
  RunWriter<UrlRow> writer(store, RunFolder(UrlRow::kTable, run), "r0-0", options);
  for (const auto& [key, row] : rows) ARROW_RETURN_NOT_OK(writer.Append(row));
  RunRecord record = {.table = UrlRow::kTable, .schema = UrlRow::kVersion, .job = run};
  ARROW_ASSIGN_OR_RAISE(record.files, writer.Finish());
  return WriteRunRecord(store, run, record);
}

}  // namespace trawl

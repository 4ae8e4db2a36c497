// Documents of exports and archives (docs/storage.md), the log, and the index of schemas.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kFolderDocuments[] = R"text(
part entry
  name     text  Its name.
  file     text  Its file.
  id       text  Its $id.
  version  text  MAJOR.MINOR of what it describes.
  about    text  What it describes.

part archive-begin
  name           text      The name of this part of the archive.
  snapshot       integer   The snapshot of which it is.
  snapshot_seal  text      The seal of that snapshot.
  as_of_ms       integer   When that was published.
  version        text      The version of Trawl that began it.
  segments       [object]  The segments that it has.
    id        text     The segment.
    begin_ms  integer  When its lists were made.
    end_ms    integer  When it was applied.
  earlier        [text]    Finished names of the folder, to whose records it may refer.
  operator       text      The contact of the operator.
  user_agent     text      The name by which pages were asked for.
  robots         text      Whether robots.txt was obeyed, as WARC files say it.
  asked          {text}    The options that decide the bytes of its files.

part archive-file
  path     text     Its path below the folder.
  bytes    integer  Its bytes.
  sha256   text     SHA-256, in hexadecimal.
  records  integer  Its records.

document export-begin: EXPORT/_export.json
  What an export is of.
  &seal
  snapshot  integer             The snapshot.
  format    (orc|parquet|text)  The format of its files.
  parts     integer             Its files per table.
  what~     text                What was named: pages, links, graph.
  respect~  text                Of pages: what is respected.
  unique~   true                Of pages: duplicates are left out.

document archive-names: ARCHIVE/_archive.json
  The names of an archive, and which of them are finished.
  &seal
  archives  [object]  The names of the folder.
    &archive-begin
    finished  flag  Whether it is finished.

document archive-success: ARCHIVE/_SUCCESS
  The files of all names, once all are finished.
  &seal
  archives  [object]  The names of the folder.
    name      text             The name.
    records   {integer}        Its records, by type.
    captures  {integer}        Its answers, by subset.
    skipped   {integer}        Answers that were left out, by the reason.
    files     [=archive-file]  Its files.

document archive-begin: ARCHIVE/_trawl/NAME/begin.json
  All that decides the bytes of a name's files.
  &seal
  &archive-begin

document archive-bodies: ARCHIVE/_trawl/NAME/bodies.json
  The rows that say which captures are revisits.
  &seal
  revisits  any  Their files: of that version of Trawl alone.

document archive-part: ARCHIVE/_trawl/NAME/part-NUMBER.json
  The files of one part.
  &seal
  number     integer          Its number.
  files      [=archive-file]  Its WARC files.
  captures   [=file-receipt]  Files with the rows that indexes name.
  originals  [=file-receipt]  Files with the rows of records that hold a body.
  counts     {integer}        What was counted, by name.

document archive-index: ARCHIVE/_trawl/NAME/index.json
  The files of the indexes.
  &seal
  ...

document archive-end: ARCHIVE/_trawl/NAME/end.json
  The end of a name: counts, and all files that others read.
  &seal
  counts     {integer}        What was counted, by name.
  files      [=archive-file]  The files that others read.
  captures   any              Files with the rows that indexes name: of that version of Trawl alone.
  originals  any              Files with the rows of records that hold a body: of that version alone.

document log-event: --log_file FILE --log_format json
  A line of the log; an event has members of its own, too.
  time       time                  When.
  level      (info|warning|error)  How bad it is.
  event      text                  What happened.
  verb~      text                  The verb.
  root~      text                  The root.
  pid~       integer               The process.
  job~       text                  The job.
  segment~   text                  The segment.
  snapshot~  integer               The snapshot.
  exit~      integer               The exit code.
  seconds~   number                How long it took.
  text~      text                  The same for people.
  ...

document index: index.json
  The list of these files.
  format     1         The major version of this document.
  trawl      text      The version of Trawl that wrote it.
  answers    [object]  Schemas of answers of verbs with --json.
    &entry
    verb   text  The verb that answers so.
    when   text  What asks for this form; empty: the usual one.
    lines  flag  Whether the answer is one object per line.
  documents  [object]  Schemas of documents.
    &entry
    path  text  Where such documents lie.
)text";

}  // namespace trawl

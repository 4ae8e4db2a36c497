// Answers of trawl graph, export, archive, compact, gc, doctor, docs.
// texts.h says how to read this.
#include "jobs/schemas/texts.h"

namespace trawl {

const char kStorageAnswers[] = R"text(
part bodies
  segment        text?    The store of bodies that was made.
  files          integer  Files of which less than half is pointed to.
  stored_bytes   integer  Their bytes on disk.
  bytes          integer  Bytes of their bodies.
  bytes_pointed  integer  Bytes of bodies that a URL points to.
  bodies         integer  Those bodies.

part folder
  folder  text     The folder.
  pages   integer  The files that were written.

answer graph: graph
  The graph that was made.
  &job-answer
  rescored      integer  Pages with another score.
  of_snapshot   integer  The snapshot of which the graph is.
  hosts         integer  Hosts of the graph.
  edges         integer  Pairs of hosts with a link.
  domain_edges  integer  Pairs of domains with a link.
  pages         integer  Pages whose links were taken.
  links         integer  Their links.
  linked_pages  integer  Pages that links lead to.
  iterations    integer  Iterations of PageRank.
  harmonic      object   How harmonic centrality was found.
    method  (exact|hyperball)  How harmonic centrality was found.
    steps   integer            Steps that it took.
    error   number             The standard error that is expected; 0: none.

answer graph-dead-links: graph | --dead_links | lines
  A link that leads nowhere.
  source    text?           The page that has the link.
  target    text?           Where it leads.
  text      text            The text of the link.
  how       text            The element or relation.
  nofollow  flag            Whether the page asks not to follow it.
  status    integer?        The HTTP status of the target.
  state     (gone|failing)  The state of the target.
  outcome   @outcomes?      What came of the last request for it.

answer graph-orphans: graph | --orphans | lines
  A page to which no page links.
  url         text?  A page to which no page links.
  via         text?  The page that linked to it first.
  fetched_at  time?  The last request that counted.

answer export 1.1: export
  What was written.
  &job-answer
  urls~              integer  URLs that were written.
  hosts~             integer  Hosts that were written.
  robots~            integer  robots.txt files that were written.
  pages~             integer  Pages that were written.
  items~             integer  Items of structured data that were written.
  links~             integer  Links that were written.
  host_ranks~        integer  Hosts of the graph that were written.
  host_edges~        integer  Pairs of hosts that were written.
  domain_edges~      integer  Pairs of domains that were written.
  bodies_gone~       integer  Pages whose body is not there any more.
  not_parsed~        integer  Pages that were never read.
  exact_duplicates~  integer  With --unique: equal pages that were left out.
  near_duplicates~   integer  With --unique: nearly equal pages that were left out.
  left_out~          integer  Pages that --respect left out.
  left_out.*         integer  Those, by what they ask for.

answer export-again: export | where the folder has it
  That the folder has this export.
  changed   false    The folder has this export.
  snapshot  integer  Its snapshot.

answer archive: archive
  A part of an archive.
  name      text       The name of this part of the archive.
  changed   flag       Whether something was written; else it was whole.
  snapshot  integer    The snapshot of which it is.
  segments  [text]     The segments that it has.
  records   {integer}  Its records, by type.
  captures  {integer}  Its answers, by subset.
  skipped   {integer}  Answers that were left out, by the reason.
  bytes     integer    Bytes of its files.
  files     integer    Its files.

answer archive-nothing: archive | where nothing is new
  That there is nothing to archive.
  changed  false  Nothing was written.
  name     text   The name that was asked for.

answer archive-verify: archive | --verify
  What is wrong with an archive.
  files            integer  Files that were read.
  records          integer  Records that were read.
  bytes            integer  Their bytes.
  faults           [text]   What is wrong, the first of them.
  more_faults      integer  How much more is wrong.
  lost_references  integer  Names of records that may have been in damaged files.
  lost             [text]   Names that have data, but no documents of their own.
  damaged          [text]   Names that have damaged files.
  unfinished       [text]   Names that are not finished.
  valid            flag     Whether nothing is wrong.

answer archive-wacz: archive | --wacz
  The WACZ file that was written.
  name        text     The name of the archive's part.
  wacz        text     The file that was written.
  captures    integer  Its answers.
  originals   integer  Records of earlier names that its revisits need.
  unresolved  integer  Revisits whose original is not there.
  pages       integer  Its pages.
  bytes       integer  Its bytes.

answer compact: compact
  What was merged.
  &job-answer
  *.rows_out  integer  Rows of the merged run, by the table.

answer compact-bodies: compact | --bodies
  What of bodies was copied.
  &job-answer
  dry_run      false    It was done.
  pages_moved  integer  Pages whose body lies elsewhere now.
  &bodies

answer compact-bodies-dry-run: compact | --bodies --dry_run
  What of bodies would be copied.
  changed   false    Nothing was changed.
  dry_run   true     Nothing was changed.
  snapshot  integer  The present snapshot.
  &bodies

answer gc: gc
  What was deleted.
  changed     flag     Whether something was deleted.
  files       integer  Files that were deleted, or would be.
  bytes       integer  Their bytes.
  body_files  integer  Files of bodies among them.
  too_young   integer  Files that nobody needs and that are too young.
  dry_run     flag     Whether nothing was deleted.

answer doctor: doctor | | lines
  What a task found.
  check  text  What was checked.
  well   flag  Whether it is well.
  found  text  What was found.
  fix~   text  What helps, where it is not well.
  task   text  The task that checked it.

answer docs: docs | --schemas, --man
  The folders that were written.
  man~      =folder  The man pages.
  schemas~  =folder  The schemas.
)text";

}  // namespace trawl

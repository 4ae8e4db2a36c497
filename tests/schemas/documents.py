"""Which schema a file of a root, an export or an archive must fit."""

import json
import re

# By the path below the folder; the first that fits counts. None: no document of ours, or one without JSON.
DOCUMENTS = [
    (r"snapshots/\d+\.json", "manifest"),
    (r"crawldb/_runs/[^/]+/_run\.json", "run-records"),
    (r"crawldb/[^/]+/[^/]+/_run\.json", "run-record"),
    (r"jobs/[^/]+/plan\.json", "plan"),
    (r"jobs/[^/]+/report\.json", "job-report"),
    (r"jobs/[^/]+/round\.json", "round-document"),
    (r"jobs/[^/]+/ended\.json", "job-ended"),
    (r"jobs/[^/]+/_live-\d+\.json", "job-live"),
    (r"segments/[^/]+/_attempts/\d+/\d+\.json", "attempt-entry"),
    (r"segments/[^/]+/fetchlist/_[^/]+\.json", "step-record"),
    (r"segments/[^/]+/(fetch|parse)/_done\.json", "step-record"),
    (r"_export\.json", "export-begin"),
    (r"_archive\.json", "archive-names"),
    (r"_SUCCESS", "archive-success"),
    (r"_trawl/[^/]+/begin\.json", "archive-begin"),
    (r"_trawl/[^/]+/bodies\.json", "archive-bodies"),
    (r"_trawl/[^/]+/part-\d+\.json", "archive-part"),
    (r"_trawl/[^/]+/index\.json", "archive-index"),
    (r"_trawl/[^/]+/end\.json", "archive-end"),
    (r"crawl-data/.*", None),
    (r"cc-index/.*", None),
]


def documents_of(folder):
    """(schema, value, path) of every JSON document below that folder; (None, None, path) of a JSON file that has no schema."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        below = path.relative_to(folder).as_posix()
        for pattern, schema in DOCUMENTS:
            if re.fullmatch(pattern, below):
                if schema and path.stat().st_size > 0:
                    yield schema, json.loads(path.read_text()), path
                break
        else:
            if path.suffix == ".json":
                yield None, None, path

"""An archive that is written in two ways, with the same bytes, and what of it does not depend on the time of the answers."""

import collections
import gzip
import hashlib
import json
from pathlib import Path


def _files(folder):
    return {str(path.relative_to(folder)): path for path in sorted(Path(folder).rglob("*"))
            if path.is_file() and path.relative_to(folder).parts[0] != "_trawl" and not path.name.endswith(".crc")}


def require_same_bytes(folder, other):
    """Compares what others read; returns the number of files."""
    ours, theirs = ({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in _files(one).items()} for one in (folder, other))
    different = [name for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)]
    assert ours and not different, f"{folder} and {other}: {len(different)} of {len(ours)} files differ, as {different[:3]}"
    return len(ours)


def timeless_rows(folder, name, report):
    """Rows by which two crawls of the same days can be compared: which captures there are, of what. Which of two equal bodies came first,
    and how often robots.txt was asked for, is a matter of time."""
    counts = collections.Counter()
    for shard in sorted(Path(folder, "cc-index/collections", name, "indexes").glob("cdx-*.gz")):
        for line in gzip.decompress(shard.read_bytes()).decode("ascii").splitlines():
            key, _, text = line.split(" ", 2)
            facts = json.loads(text)
            if "/robotstxt/" not in facts["filename"]:
                counts[f"archived {name}: {key} {facts.get('status')} {facts.get('digest')}"] += 1
    rows = [{"key": key, "captures": count} for key, count in sorted(counts.items())]
    captures = {subset: count for subset, count in report["captures"].items() if subset != "robotstxt"}
    skipped = {reason: count for reason, count in report["skipped"].items() if not reason.startswith("robots")}
    return [*rows, {"key": f"archived {name}", "captures": captures, "skipped": skipped, "revisits": report["records"].get("revisit", 0)}]

"""Reads a crawl with the Python package where it is told to, and prints a digest of all that it read, and the seconds.

  python stores.py ROOT [copy FROM]     with `copy`, puts the files of the local root FROM there first

It runs as a process of its own: what a store wants in the environment must be there before Java starts.
"""

import hashlib
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "deploy" / "python"))

from pyarrow import fs

import trawl

FLIPPED = 1 << 3


def copy(source, root):
    filesystem, folder = fs.FileSystem.from_uri(root)
    fs.copy_files(source, folder, source_filesystem=fs.LocalFileSystem(), destination_filesystem=filesystem)


def everything(crawl):
    for table in sorted(crawl.tables):
        yield crawl.table(table).sort_by("key").to_pylist()
        yield sum(batch.num_rows for batch in crawl.batches(table))
    for row in crawl.table("urls").sort_by("key").to_pylist():
        page = crawl.page(row["url"])
        yield page.row, page.body, page.text, page.headers


def flip(root, path):
    """Changes a byte of a file in the store."""
    filesystem, folder = fs.FileSystem.from_uri(root)
    with filesystem.open_input_file(f"{folder}/{path}") as file:
        whole = bytearray(file.read())
    whole[len(whole) // 2] ^= FLIPPED
    filesystem.delete_file(f"{folder}/{path}")
    with filesystem.open_output_stream(f"{folder}/{path}") as file:
        file.write(bytes(whole))


def damage_is_named(root):
    """Whether a changed byte of the largest run of urls is an error with the file's name. The root is damaged afterwards."""
    crawl = trawl.open(root, verify=True)
    rows = crawl._rows("urls")
    file = max(rows.files, key=lambda each: each.receipt.data.size)
    path = f"{file.folder}/{file.receipt.name}"
    flip(root, path)
    try:
        trawl.open(root, verify=True).table("urls")
    except trawl.Damaged as damage:
        return damage.path == path
    return False


def main():
    root, *more = sys.argv[1:]
    if more:
        copy(more[1], root)
    begin = time.monotonic()
    digest = hashlib.sha256(json.dumps(list(everything(trawl.open(root, verify=True))), default=repr).encode()).hexdigest()
    seconds = time.monotonic() - begin
    missing = ""
    try:
        trawl.open(root.replace("/crawl", "/nothing"))
    except trawl.NotFound as error:
        missing = str(error)
    is_named = bool(more) and damage_is_named(root)
    print(json.dumps({"digest": digest, "seconds": round(seconds, 1), "missing": missing, "named": is_named}))


if __name__ == "__main__":
    main()

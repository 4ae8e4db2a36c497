#!/usr/bin/env python3
"""The mapper and reducer of cluster/test's Streaming job: framed records, through the shuffle to the partitions they name.

map:     a line `id,count` makes `count` records; the value is the partition that the key's two-byte label steers it to
reduce:  one line per partition: the numbers of records, of misplaced ones, and of those out of order
sleep:   a mapper that reports and never ends
"""

import os
import struct
import sys
import time
from typing import BinaryIO, Iterator


def label(partition: int, partitions: int) -> bytes:
    """Two bytes under 128 for which BinaryPartitioner's hash, 961 + 31 a + b, leaves `partition` (up to 4,065)."""
    rest = (partition - 961) % partitions
    first = min(rest // 31, 127)
    return bytes([first, rest - 31 * first])


def write_frame(data: bytes) -> None:
    sys.stdout.buffer.write(struct.pack(">i", len(data)) + data)


def read_frames(stream: BinaryIO) -> Iterator[bytes]:
    while header := stream.read(4):
        yield stream.read(struct.unpack(">i", header)[0])


def map_lines() -> None:
    partitions = int(os.environ["mapreduce_job_reduces"])
    for line in sys.stdin:
        task, count = (int(field) for field in line.split(","))
        for record in range(count):
            partition = record % partitions
            # Keys come out of order, so that the shuffle has something to sort.
            write_frame(label(partition, partitions) + struct.pack(">II", record * 7919 % count, task))
            write_frame(struct.pack(">I", partition))
    print("reporter:counter:trawl,map_tasks,1", file=sys.stderr)


def reduce_frames() -> None:
    here = int(os.environ["mapreduce_task_partition"])
    records = misplaced = unsorted = 0
    last = b""
    frames = read_frames(sys.stdin.buffer)
    for key in frames:
        misplaced += struct.unpack(">I", next(frames))[0] != here
        unsorted += key < last
        records += 1
        last = key
    secret = "AWS_SECRET_ACCESS_KEY" in os.environ
    print(f"{here}\trecords={records} misplaced={misplaced} unsorted={unsorted} secret={secret}")


def sleep_for_long() -> None:
    for second in range(600):
        print(f"reporter:status:asleep for {second} s", file=sys.stderr, flush=True)
        time.sleep(1)


if __name__ == "__main__":
    {"map": map_lines, "reduce": reduce_frames, "sleep": sleep_for_long}[sys.argv[1]]()

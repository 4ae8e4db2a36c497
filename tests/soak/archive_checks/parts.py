"""The parts of tests/soak/archive."""

import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

from archive_checks import crawl_checks, decode_checks, environments, faults, index_checks, record_checks, replay_checks, walk
from archive_checks.archive import Archive
from archive_checks.crawl import DAYS, Crawl, digests, require_same_bytes
from archive_checks.walk import Fault, require
from archive_checks.web import Web

ALL = [*record_checks.CHECKS, decode_checks.strict_decoders_read_what_was_stored, *index_checks.LINES, *index_checks.COLUMNAR,
       *replay_checks.CHECKS]


class Soak:
    def __init__(self, build, folder, quick):
        self.build, self.folder, self.quick, self.failed = build, folder, quick, []
        self.trawl = build / "trawl"
        self._web = self._crawl = None

    @property
    def web(self):
        if self._web is None:
            self._web = Web(self.folder / "web")
        return self._web

    @property
    def crawl(self):
        """The three rounds."""
        if self._crawl is None:
            self._crawl = Crawl(self.trawl, self.folder / "rounds", self.web)
            self._crawl.rounds()
        return self._crawl

    def check(self, about, checks, archive):
        """Runs checks; each is a line of the measurements, and the next one runs whatever came of it."""
        for check in checks:
            name = check.__name__.replace("_", " ")
            try:
                print(f"{about}, {name}: {check(archive)}", flush=True)
            except Exception as error:  # Whatever a reader throws, the next check is still worth running.
                self.failed.append(f"{about} {check.__name__}")
                print(f"FAILED {about}, {name}: {type(error).__name__}: {str(error)[:3000]}", flush=True)

    def end(self):
        if self._web is not None:
            self._web.end()


def the_checks_see_faults(soak):
    print(f"faults put into an archive by hand, and seen: {faults.checks_see_faults(soak.folder / 'faults')}", flush=True)


def one_name(soak):
    """All rounds in one name."""
    archive = soak.crawl.archive(soak.folder / "one", "TRAWL-2026-01", "--text")
    soak.check("three rounds in one name", [*ALL, *crawl_checks.CHECKS, crawl_checks.rows_in_are_records_out, texts_refer_to_pages], archive)
    soak.check("three rounds in one name", [our_own_readers_pass(soak.crawl)], archive)


def three_names(soak):
    """A name for each round: revisits point to earlier names, and none of an earlier name changes."""
    before = {}
    for segment in soak.crawl.segments():
        name = f"TRAWL-{segment[:8]}"
        archive = soak.crawl.archive(soak.folder / "three", name, "--segments", segment)
        now = digests(soak.folder / "three")
        changed = [path for path, digest in before.items() if now.get(path) != digest and path.startswith(("crawl-data/", "cc-index/"))]
        require(not changed, f"a later name changed {changed[:3]}")
        before = now
        soak.check(f"round {segment[:8]} in a name of its own", ALL, archive)
        soak.check(f"round {segment[:8]} in a name of its own", [crawl_checks.rows_in_are_records_out], archive)
    require(any(walk.get(record, "WARC-Refers-To-Date") < "2026-02" for record in archive.of_type("revisit")), "no revisit of another name")


def other_options(soak):
    """sha256, ORC, no revisits, one subset, small files, other blocks."""
    crawl, checks = soak.crawl, [*record_checks.CHECKS, *index_checks.LINES, *index_checks.COLUMNAR]
    sha256 = crawl.archive(soak.folder / "sha256", "A", "--digest", "sha256")
    soak.check("--digest sha256", [*record_checks.CHECKS, index_checks.lines_are_sorted_in_blocks, *replay_checks.CHECKS], sha256)
    require(all((walk.get(record, "WARC-Payload-Digest") or "sha256:").startswith("sha256:") for record in sha256.records), "another digest")
    never = crawl.archive(soak.folder / "never", "A", "--revisits", "never", "--index", "cdxj,orc", "--block_lines", 5)
    soak.check("--revisits never, ORC, blocks of 5 lines", [*checks, *replay_checks.CHECKS[:1], *crawl_checks.CHECKS[:1]], never)
    revisits = [record for record in never.of_type("revisit") if record.block]
    require(not revisits, f"{len(revisits)} revisits of bodies though --revisits never")
    pages = crawl.archive(soak.folder / "pages", "A", "--subsets", "warc", "--level", 9)
    soak.check("one subset, level 9", [*record_checks.SMALL, *index_checks.LINES[:3], *replay_checks.CHECKS[:1]], pages)
    require(not pages.files("crawldiagnostics", "robotstxt"), "files of other subsets")


def texts_refer_to_pages(archive):
    """WET files: each text leads to its response, and none is in the index."""
    responses = {walk.get(record, "WARC-Record-ID"): record for record in archive.of_type("response")}
    texts = [record for path in archive.files("wet") for record in walk.read(path)]
    for record in texts:
        walk.check(record)
        if walk.kind(record) == "conversion":
            require(walk.get(record, "WARC-Refers-To") in responses, f"{walk.get(record, 'WARC-Target-URI')}: its page is not there")
            record.block.decode()
    count = sum(walk.kind(record) == "conversion" for record in texts)
    require(count, "no text")
    return f"{count} texts in {len(archive.files('wet'))} files"


def our_own_readers_pass(crawl):
    def our_own_readers_pass(archive):
        """trawl check warc and trawl archive --verify on the whole archive, and on a file with a fault."""
        files = [*archive.files(), *archive.files("wet")]
        crawl.run("check", "warc", *files)
        crawl.run("archive", "--verify", archive.folder, "--root", crawl.root)
        bad = crawl.folder / "bad.warc.gz"
        data = files[0].read_bytes()
        bad.write_bytes(data[:-9])
        crawl.run("check", "warc", bad, code=3)
        middle = next(record for record in archive.records if walk.kind(record) == "response")
        data = Path(middle.file).read_bytes()
        packed = bytearray(data)
        packed[middle.offset + middle.length - 6] ^= 1  # in the checksum of that member
        bad.write_bytes(packed)
        done = subprocess.run([crawl.trawl, "check", "warc", bad], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        require(done.returncode == 3 and str(middle.offset) in done.stdout, f"exit {done.returncode}, without {middle.offset}: {done.stdout}")
        return f"{len(files)} files, 2 faults"

    return our_own_readers_pass


def same_bytes(soak):
    """18: twice, with 1 and 8 threads, elsewhere in time and zone, and after kills."""
    crawl, name = soak.crawl, "TRAWL-2026-01"
    first = soak.folder / "same"
    begin = time.monotonic()
    crawl.archive(first, name)
    seconds = time.monotonic() - begin
    expected = digests(first)
    elsewhere = {**os.environ, "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8"}
    others = {"again": {}, "1 thread": {"more": ["--threads", 1]}, "8 threads": {"more": ["--threads", 8]},
              "5 partitions": {"more": ["--job.partitions", 5]}, "another zone": {"environment": elsewhere},
              "another day": {"more": ["--now", "2031-02-03T04:05:06Z"]}}
    for what, how in others.items():
        folder = soak.folder / "other"
        shutil.rmtree(folder, ignore_errors=True)
        crawl.archive(folder, name, *how.get("more", []), environment=how.get("environment"))
        require_same_bytes(folder, expected, what)
        print(f"same bytes, {what}: {len(expected)} files", flush=True)
    require(json.loads(crawl.run("archive", folder, "--name", name, "--root", crawl.root, "--json"))["changed"] is False, "a finished name was done again")
    require_same_bytes(folder, expected, "after the same command")
    crawl.run("archive", folder, "--name", name, "--root", crawl.root, "--level", 3, code=2)
    kills = 5 if soak.quick else 50
    seed = random.randrange(1 << 32)
    random.seed(seed)
    killed = unfinished = 0
    while killed < kills:
        shutil.rmtree(folder, ignore_errors=True)
        process = subprocess.Popen([crawl.trawl, "archive", folder, "--name", name, "--root", crawl.root, "--quiet"], stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, seconds))
        process.kill()
        if process.wait() == 0:
            continue
        killed += 1
        unfinished += folder.exists()
        require(not (folder / "_SUCCESS").exists() or process.returncode == 0 or digests(folder).keys() >= expected.keys(), "_SUCCESS of an unfinished name")
        crawl.archive(folder, name)
        require_same_bytes(folder, expected, f"after kill {killed} (seed {seed})")
    print(f"same bytes after a kill: {killed} of {kills}, {unfinished} with files; undisturbed {seconds:.1f} s", flush=True)


def on_the_cluster(soak):
    """18: crawl and archive on HDFS, by tasks on YARN."""
    if soak.quick:
        return
    from tests.client import Client
    from tests.driver import Driver

    crawl, name = soak.crawl, "TRAWL-2026-01"
    local = soak.folder / "for_cluster"
    crawl.archive(local, name)
    client = Client(soak.folder / "cluster")
    client.folder.mkdir()
    try:
        client.up("--set", "yarn.am.liveness-monitor.expiry-interval-ms=300000", "--set", "mapreduce.task.timeout=180000")
        client.source_environment()
        driver = Driver(client, client.folder)
        driver.prepare()
        client.run("hadoop", "fs", "-mkdir", "-p", driver.hdfs(""))
        client.run("hadoop", "fs", "-put", crawl.root, driver.hdfs("crawl"))
        driver.run("archive", driver.hdfs("crawl"), driver.hdfs("warcs"), "--name", name)
        client.run("hadoop", "fs", "-get", driver.hdfs("warcs"), soak.folder / "from_cluster")
        client.run("find", soak.folder / "from_cluster", "-name", ".*.crc", "-delete")
        require_same_bytes(soak.folder / "from_cluster", digests(local), "on YARN")
        print(f"same bytes, by tasks on YARN to HDFS: {len(digests(local))} files", flush=True)
    except AssertionError as error:
        raise Fault(str(error)) from None
    finally:
        client.cluster.down([])


def bodies_gone(soak):
    """6: after compaction, moved bodies and gc, with and without an earlier name."""
    root = soak.crawl.root
    copy = Crawl(soak.trawl, soak.folder / "gone", soak.web)
    copy.folder.mkdir()
    shutil.copytree(root, copy.root)
    copy.archive(copy.folder / "earlier", "BEFORE")
    copy.run("compact", "--root", copy.root, "--bodies", "--quiet")
    copy.run("gc", "--root", copy.root, "--keep_snapshots", 1, "--keep_time", "0s", "--now", "2027-01-01T00:00:00Z", "--quiet")
    segments = copy.segments()
    archive = copy.archive(copy.folder / "later", "AFTER")
    checks = [*record_checks.SMALL, *index_checks.LINES[:2], *replay_checks.CHECKS[:1]]
    soak.check("after compact --bodies and gc", checks, archive)
    print(f"after gc: {len(segments)} segments, skipped {archive.report['skipped']}", flush=True)


def many_urls(soak):
    """12: 10,000 URLs of all shapes: their keys by three programs."""
    urls = odd_urls(500 if soak.quick else 15_000)  # a third of them are the same to trawl
    crawl = Crawl(soak.trawl, soak.folder / "many", soak.web)
    crawl.folder.mkdir()
    soak.web.seeds = lambda: urls
    crawl.rounds(DAYS[:1])
    archive = crawl.archive(soak.folder / "many_archive", "MANY", "--subsets", "warc", "--block_lines", 100)
    soak.check("URLs of all shapes", [index_checks.keys_are_those_of_others, index_checks.lines_are_sorted_in_blocks,
                                      index_checks.each_capture_has_its_line, record_checks.jwat_has_nothing_to_say,
                                      index_checks.rows_say_what_lines_say], archive)


def odd_urls(count):
    """Of hosts that the web has."""
    choose = random.Random(17)
    pieces = ["a", "B", "index.html", "%7E", "%2f", "%20", "|", "[", "]", "{", "}", "^", "`", "\\", "ü", "日本", "..", ".", "//", ";jsessionid=" + "0aF" * 10 + "ab",
              "%", "%zz", "'", '"', "(", ")", "*", "+", ",", "=", "@", "!", "$", "~", "_", "-", "%25", "%C3%BC", "%ff", "%00", ":", "(S(4hqa0555fwsecu455xqckv45))"]
    names = ["q", "Q", "a", "b", "PHPSESSID", "sid", "utm_source", "x[]", "", "ü", "jsessionid", "cfid", "aspsessionid"]
    hosts = ["http://names.test", "http://www7.sub.example.test", "http://a.github.io", "http://b.co.uk", "http://NAMES.test", "http://names.test:80"]
    urls = set()
    while len(urls) < count:
        path = "/" + "".join(choose.choice(pieces) + choose.choice(["", "/", str(choose.randrange(1000))]) for _ in range(choose.randrange(6)))
        query = choose.choice(["", "", "?", "?" + "&".join(choose.choice(names) + choose.choice(["", "=", "=" + "".join(
            choose.choice(pieces) for _ in range(choose.randrange(3)))]) for _ in range(choose.randrange(5)))])
        urls.add(choose.choice(hosts) + path + query)
    return sorted(urls)


def web_archive_collection(soak):
    """WACZ: validated by its own tool, and replayed by pywb."""
    folder = soak.folder / "wacz"
    soak.crawl.archive(folder, "A")
    out = soak.folder / "a.wacz"
    for _ in range(2):
        soak.crawl.run("archive", folder, "--name", "A", "--root", soak.crawl.root, "--wacz", out, "--prefix", "http://days.test/")
        first, again = (again if _ else None, out.read_bytes())
        out.unlink() if not _ else None
    require(first == again, "another WACZ the second time")
    done = record_checks.run(environments.command("wacz"), "validate", "-f", out)
    require(done.returncode == 0 and "rror" not in done.stdout + done.stderr, f"wacz validate: exit {done.returncode}: {done.stdout}{done.stderr}")
    print(f"WACZ of one host: {out.stat().st_size:,} bytes, valid: {done.stdout.strip().splitlines()[-1][:200] if done.stdout.strip() else 'yes'}", flush=True)


def read_back(soak):
    """inject --from cdxj and warc: the same URLs as the archive has."""
    archive = soak.crawl.archive(soak.folder / "back", "A")
    roots = {}
    for form, files in (("cdxj", archive.shards), ("warc", archive.files("warc"))):
        roots[form] = soak.folder / f"back-{form}"
        soak.crawl.run("inject", "--from", form, *files, "--root", roots[form], "--now", DAYS[0], "--quiet")
    urls = {form: {row["url"] for row in json.loads(soak.crawl.run("readdb", "dump", "--root", root, "--format", "json"))} for form, root in roots.items()}
    require(len(urls["cdxj"]) >= len(urls["warc"]) > 50 and urls["warc"] <= urls["cdxj"], f"{ {form: len(found) for form, found in urls.items()} }")
    print(f"URLs read back: {len(urls['cdxj'])} from CDXJ, {len(urls['warc'])} from WARC", flush=True)


def examples_of_the_docs(soak):
    """Each example of docs/archive.md runs, and prints something, where its tool is at hand."""
    folder = soak.folder / "examples"
    folder.mkdir()
    soak.crawl.archive(folder / "warcs", "TRAWL-2026-47")
    text = (Path(__file__).resolve().parents[3] / "docs/archive.md").read_text()
    examples = re.findall(r"^### ([^\n]*)\n.*?^```(python|bash)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    require(len(examples) >= 7, f"{len(examples)} examples")
    environment = {**os.environ, "PATH": f"{environments.command('wayback').parent}:{os.environ['PATH']}"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = None
    ran = []
    try:
        for title, language, code in examples:
            if "pyspark" in code and subprocess.run([sys.executable, "-c", "import pyspark"], stderr=subprocess.DEVNULL).returncode != 0:
                continue
            require(len(code.splitlines()) <= 10, f"{title}: {len(code.splitlines())} lines")
            code = code.replace("8080", str(port)).replace("curl ", "curl --max-time 60 ")
            command = [sys.executable, "-c", code] if language == "python" else ["bash", "-ec", code]
            process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=open(folder / "errors", "wb"),
                                       start_new_session=True)
            # The server that one of them leaves behind keeps the output open: so this reads what comes first.
            printed = process.stdout.read1(100)
            code_of_exit = process.wait()
            if "wayback" in code:
                server = process.pid
            require(code_of_exit == 0 and printed, f"{title}: exit {code_of_exit}: {(folder / 'errors').read_text()[-2000:]}")
            ran.append(title)
    finally:
        if server is not None:
            os.killpg(server, signal.SIGTERM)
    print(f"examples of the docs: {len(ran)} of {len(examples)} run: {'; '.join(ran)}", flush=True)


def speed(soak):
    """17, 20: many pages: seconds, memory, sizes."""
    hosts, pages = (20, 50) if soak.quick else (1000, 100)
    folder = soak.folder / "speed"
    folder.mkdir()
    web = subprocess.Popen([soak.build / "tests/test_web", "--hosts", str(hosts), "--pages", str(pages), "--bytes", "16384", "--hosts_file",
                            folder / "hosts"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    crawl = Crawl(soak.trawl, folder, None)
    (folder / "seeds").write_text("".join(seed + "\n" for seed in json.loads(web.stdout.readline())["seeds"]))
    crawl.run("crawl", folder / "seeds", "--root", crawl.root, "--now", DAYS[0], "--fetch.hosts_file", folder / "hosts", "--fetch.allow_private",
              "--fetch.delay_ms", 0, "--scope", "any", "--depth", 1000, "--quiet")
    web.stdin.close()
    web.wait()
    out = folder / "archive"
    timed = subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", soak.trawl, "archive", out, "--name", "A", "--root", crawl.root, "--json"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) if Path("/usr/bin/time").exists() else None
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    if timed is None:
        timed = subprocess.run([soak.trawl, "archive", out, "--name", "A", "--root", crawl.root, "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall, cpu, peak = time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss
    else:
        words = timed.stderr.split()[-4:]
        wall, cpu, peak = float(words[0]), float(words[1]) + float(words[2]), int(words[3])
    require(timed.returncode == 0, timed.stderr)
    archive = Archive(out, "A", None, crawl.root, json.loads(timed.stdout))
    captures = sum(archive.report["captures"].values())
    sizes = [path.stat().st_size for path in archive.files()]
    print(f"many pages: {captures:,} captures in {wall:.1f} s, {captures / wall:,.0f} per second, {cpu / captures * 1e6:.0f} us of CPU each", flush=True)
    print(f"peak memory of that: {peak / 1024:.0f} MiB", flush=True)
    print(f"largest of {len(sizes)} files: {max(sizes) / 1e6:,.0f} MB of {sum(sizes) / 1e6:,.0f}", flush=True)
    require(max(sizes) < 1.01e9, f"a file of {max(sizes)} bytes")
    largest = max(archive.files(), key=lambda path: path.stat().st_size)
    ours = gzips = plain = 0
    begin = time.process_time()
    import gzip

    for number, (_, length, content) in enumerate(walk.members(largest)):
        if number == 3000:
            break
        ours, gzips, plain = ours + length, gzips + len(gzip.compress(content, 6, mtime=0)), plain + len(content)
    print(f"size to gzip -6, member by member: {ours / gzips:.3f}; to what is inside: {ours / plain:.3f}", flush=True)
    require(ours / gzips < 1.01, "larger than by gzip")
    soak.check("many pages", [index_checks.lines_are_sorted_in_blocks], archive)
    small = crawl.archive(folder / "small", "A", "--subsets", "warc", "--warc_size", "1MiB")
    sizes = [path.stat().st_size for path in small.files()]
    require(len(sizes) > 2 and max(sizes) < (1 << 20) + 100_000, f"sizes of small files {sizes[:20]}")
    print(f"files of --warc_size 1MiB: {len(sizes)}, the largest {max(sizes):,} bytes", flush=True)
    soak.check("files of 1 MiB", record_checks.SMALL, small)


PARTS = [the_checks_see_faults, one_name, three_names, other_options, same_bytes, on_the_cluster, bodies_gone, web_archive_collection, read_back, examples_of_the_docs, many_urls, speed]

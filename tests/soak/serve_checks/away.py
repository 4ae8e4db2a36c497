"""A store that is slow, dead and back while clients ask a `trawl serve` all the time.

While it is away, whatever needs it is answered 503 within seconds, and at once when that was found out; /healthz stays 200. When it
is back, every answer is what it was before, orders that were sent meanwhile are carried out once, and the server is the same process.
"""

import hashlib
import http.client
import json
import random
import re
import threading
import time
from urllib.parse import quote

from serve_checks.ids import Ids, templates_of
from serve_checks.server import QUICK, Client, Server, Web, lines, trawl

PAGES = ("/", "/rounds", "/hosts", "/search?prefix=http%3A%2F%2Fh0.test%2F", "/workers", "/jobs", "/seeds", "/url?url=http%3A%2F%2Fh0.test%2F")
AWAY_SECONDS = 15 if QUICK else 30
# By then the server knows: --serve.refresh, --serve.store_wait, and a look.
KNOWN_SECONDS = 10
# No answer takes longer. An order waits for a thread, which reads may hold until the store counts as away, and then 10 s
# (--serve.wait).
MOST_SECONDS, MOST_ORDER_SECONDS = 12, 12 + 10
# An answer that needs nothing takes no longer, on a machine that has other work, too.
MOST_DOOR_SECONDS = 3
# All paths and orders, one after the other, on a machine that has other work.
BACK_SECONDS = 300
READERS = 4


class Answer:
    def __init__(self, target, began, took, status, headers, data):
        self.target, self.began, self.took = target, began, took
        self.status, self.headers, self.data = status, headers, data

    def __str__(self):
        return f"{self.target}: {self.status} after {self.took:.1f} s: {self.data[:200]!r}"


def ask(client, target, method="GET", body=None, headers=None):
    """The answer; status 0 where there was none."""
    began = time.monotonic()
    try:
        status, answered, data = client.ask(method, target, body, headers)
    except (OSError, http.client.HTTPException) as error:
        status, answered, data = 0, {}, str(error).encode()
    return Answer(target, began, time.monotonic() - began, status, answered, data)


def is_page(target):
    return target in PAGES


def needs_store(answer):
    return answer.target not in ("/healthz", "/metrics") and not answer.target.startswith("/assets/")


def headers_for(target):
    return {"Accept": "text/html"} if is_page(target) else {}


class Scene:
    """A crawl of two rounds at a root, its server, and what that answers while all is well."""

    def __init__(self, root, name):
        self.root = root
        self.web = Web("--hosts", 3, "--pages", 30, "--links", 5, name=f"hosts-{name}")
        trawl("inject", *[f"http://h{i}.test/" for i in range(3)], root=root)
        for _ in range(2):
            self.round()
        self.server = Server(root=root)
        self.server.start()
        self.targets = []
        self.expected = {}
        self.orders = 0

    def round(self):
        trawl("round", *self.web.options(), "--fetch.delay_ms", 0, "--top_n", 60, expected=(0, 1), root=self.root)

    def answered(self, client):
        """One path of each endpoint that answers 200 here, the pages, and an asset."""
        ids, targets = Ids(), {}
        templates = templates_of(client)
        for _ in range(15):
            for template in templates:
                path = ids.fill(template)
                if path is None or template in targets:
                    continue
                answer = ask(client, path)
                if answer.status != 200:
                    continue
                targets[template] = path
                if answer.headers.get("content-type", "").startswith("application/json"):
                    ids.learn(path, json.loads(answer.data))
        for page in PAGES:
            # The first one after a start may take long where the machine has other work.
            tries = (ask(client, page, headers=headers_for(page)) for _ in range(3))
            answer = next((each for each in tries if each.status == 200), None)
            assert answer, f"{page} did not answer"
            targets[page] = page
        asset = re.search(rb'"(/assets/[^"]+)"', answer.data)
        assert asset, "a page names no asset"
        targets["/assets/"] = asset[1].decode()
        for own in ("/metrics", "/readyz", "/healthz"):
            targets[own] = own
        must = {"/status", "/api/v1/rounds", "/api/v1/rounds/{segment}", "/api/v1/pages/{id}/content", "/api/v1/jobs/{id}"}
        assert not must - set(targets), f"never answered: {must - set(targets)}"
        return list(targets.values())

    def remember(self):
        """What answers that depend on the snapshot alone say, pinned to it."""
        client = Client(self.server)
        # Anew each time: rounds take the reports of old jobs away.
        self.targets, self.expected = self.answered(client), {}
        for target in self.targets:
            answer = ask(client, target, headers=headers_for(target))
            assert answer.status == 200, answer
            if not answer.headers.get("etag"):
                continue
            pinned = f"{target}{'&' if '?' in target else '?'}snapshot={answer.headers['trawl-snapshot']}"
            answer = ask(client, pinned)
            assert answer.status == 200, answer
            self.expected[pinned] = hashlib.sha256(answer.data).hexdigest()
        assert len(self.expected) >= 10, self.expected

    def close(self):
        code, took = self.server.stop()
        self.web.close()
        assert code == 0, f"trawl serve ended with {code}: {''.join(self.server.said)}"


class Crowd:
    """Readers, one that asks for /healthz, and one that sends orders, until they are to end."""

    def __init__(self, scene):
        self.scene, self.ends = scene, threading.Event()
        self.reads, self.health, self.orders = [], [], []
        self.keys = {}  # the URL of each order
        self.threads = [threading.Thread(target=self.read) for _ in range(READERS)]
        self.threads += [threading.Thread(target=self.look), threading.Thread(target=self.order)]
        for thread in self.threads:
            thread.start()

    def read(self):
        client = Client(self.scene.server)
        while not self.ends.is_set():
            for target in random.sample(self.scene.targets, len(self.scene.targets)):
                if self.ends.is_set():
                    return
                self.reads.append(ask(client, target, headers=headers_for(target)))
                # A refusal costs nothing: without a pause there would be thousands a second.
                time.sleep(0.02)

    def look(self):
        client = Client(self.scene.server)
        while not self.ends.is_set():
            self.health.append(ask(client, "/healthz"))
            time.sleep(0.2)

    def order(self):
        client = Client(self.scene.server)
        while not self.ends.is_set():
            self.scene.orders += 1
            number = self.scene.orders
            self.keys[f"away-{number}"] = f"http://h1.test/away/{number}"
            self.orders.append(send(client, f"away-{number}", self.keys[f"away-{number}"]))
            time.sleep(1)

    def end(self):
        self.ends.set()
        for thread in self.threads:
            thread.join()


def send(client, key, url, headers=None):
    return ask(client, "/seeds", "POST", {"urls": [url]}, {"Idempotency-Key": key, **(headers or {})})


def check_refusal(answer):
    kind = "text/html" if is_page(answer.target) else "application/problem+json"
    assert answer.headers.get("content-type", "").startswith(kind), answer
    assert answer.headers.get("retry-after"), answer


def check_away(crowd, since, until):
    """All that was answered while the store was away. Returns how long after its end the last question was put that it could answer."""
    slow = [each for each in crowd.health if each.status != 200 or each.took > MOST_DOOR_SECONDS]
    assert not slow and crowd.health, f"/healthz is not what it should be: {slow[0] if slow else 'never asked'}"
    last_answer = since
    for answer in crowd.reads:
        if answer.began > until:
            continue
        assert answer.status in (200, 304, 503), answer
        assert answer.took <= MOST_SECONDS, answer
        if answer.status == 503:
            check_refusal(answer)
        is_free = not needs_store(answer)
        if is_free and answer.began > since + KNOWN_SECONDS:
            assert answer.status == 200 and answer.took <= MOST_DOOR_SECONDS, answer
        if answer.target == "/metrics" and answer.began > since + KNOWN_SECONDS:
            assert re.search(rb'^trawl_ready\{[^}]*\} 0$', answer.data, re.MULTILINE), answer
        if not is_free and answer.began > since + KNOWN_SECONDS:
            assert answer.status == 503 and answer.took <= MOST_DOOR_SECONDS, f"{answer.began - since:.1f} s later, {answer}"
        if not is_free and answer.status == 200:
            last_answer = max(last_answer, answer.began)
    for answer in crowd.orders:
        assert answer.status in (200, 202, 503), answer
        assert answer.took <= MOST_ORDER_SECONDS, answer
    return last_answer - since


def wait_until_back(scene):
    """Until every path has answered 200."""
    client, began = Client(scene.server), time.monotonic()
    left = list(scene.targets)
    while left:
        answer = ask(client, left[-1], headers=headers_for(left[-1]))
        if answer.status == 200:
            left.pop()
            continue
        assert answer.status == 503, answer
        assert time.monotonic() - began < BACK_SECONDS, f"{BACK_SECONDS} s after the store is back: {answer}"
        time.sleep(0.2)


def send_again(scene, keys):
    """Sends every order again until it has its answer; then their URLs are in the crawl."""
    client, began = Client(scene.server), time.monotonic()
    left = dict(keys)
    while left:
        for key, url in list(left.items()):
            answer = send(client, key, url, {"Prefer": "respond-async"})
            assert answer.status in (200, 202, 409, 503), answer
            if answer.status == 200:
                del left[key]
        assert time.monotonic() - began < BACK_SECONDS, f"no answer: {left}; the last one is {answer}"
        if left:
            time.sleep(0.5)
    there = {row["url"] for row in lines("readdb", "dump", "--limit", 0, root=scene.root)}
    missing = set(keys.values()) - there
    assert not missing, f"ordered and not in the crawl: {missing}"


def check_all_is_well(scene):
    """What was answered before is answered again; the counts are those of the verb; a list has no gap and no double."""
    client = Client(scene.server)
    for pinned, digest in scene.expected.items():
        answer = ask(client, pinned)
        assert answer.status == 200, answer
        assert hashlib.sha256(answer.data).hexdigest() == digest, f"another answer than before: {answer}"
    target, urls, number = "/api/v1/urls?limit=50", [], None
    while target:
        answer = ask(client, target)
        assert answer.status == 200, answer
        body = json.loads(answer.data)
        number = body["snapshot"]
        urls += [row["url"] for row in body["urls"]]
        target = f"/api/v1/urls?limit=50&cursor={quote(body['next'])}" if body.get("next") else None
    counted = trawl("readdb", "stats", "--snapshot", number, root=scene.root)
    assert len(set(urls)) == len(urls) == sum(counted["by_state"].values()), f"{len(urls)} URLs, {counted}"


def while_away(scene, leave, come_back):
    """`leave` takes the store away, `come_back` brings it back. Returns a line of figures."""
    scene.remember()
    process = scene.server.process.pid
    crowd = Crowd(scene)
    try:
        time.sleep(1)
        leave()
        since = time.monotonic()
        time.sleep(AWAY_SECONDS)
        until = time.monotonic()
        come_back()
        back = time.monotonic()
        wait_until_back(scene)
    finally:
        crowd.end()
    last_answer = check_away(crowd, since, until)
    send_again(scene, crowd.keys)
    check_all_is_well(scene)
    scene.round()
    check_all_is_well(scene)
    assert scene.server.process.poll() is None and scene.server.process.pid == process
    # Those that waited already when it went count, too.
    away = [answer for answer in crowd.reads if since <= answer.began + answer.took and answer.began <= until]
    refused = [answer for answer in away if answer.status == 503]
    waited = max((answer.took for answer in refused if answer.began <= since + KNOWN_SECONDS), default=0)
    known = max((answer.took for answer in refused if answer.began > since + KNOWN_SECONDS), default=0)
    again = max((answer.began for answer in crowd.reads if answer.status == 503), default=back) - back
    return (f"{len(refused)} answers 503, {len(away) - len(refused)} answers 200 or 304, none else; 503 took at most {waited:.1f} s, "
            f"after {KNOWN_SECONDS} s at most {known:.1f} s; the last question with an answer was put after {last_answer:.1f} s; /healthz "
            f"took at most {max(answer.took for answer in crowd.health):.1f} s; the last 503 {max(again, 0):.1f} s after it was back")

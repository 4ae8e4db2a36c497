"""A crawl of a site that attacks whoever looks at it, and trawl serve over it."""

import os
import re
import secrets
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ATTACK = '</title><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>" onmouseover=\'alert(3)\' \u202egpj.exe \u05d0'
ROBOTS = f"User-agent: *\nDisallow: /private/\n# {ATTACK}\n```\n"


def _page(number):
    links = "".join(f'<a href="/p{number * 2 + i}?{ATTACK.replace(chr(34), "%22")}" title="x">{ATTACK}</a>' for i in (1, 2)) if number < 12 else ""
    return (f"<html lang=en><head><title>&lt;script&gt;alert(1)&lt;/script&gt; {number}</title><meta name=description content='{ATTACK.replace(chr(39), '')}'>"
            f"<meta name=robots content=noai><link rel=canonical href='javascript:alert(4)'></head><body><p>{ATTACK}</p>"
            f'<script>document.title = "ran"</script>{links}<a href="/private/diary.html">diary</a><a href="/broken">b</a></body></html>')


class Site:
    def __init__(self):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path = self.path.split("?")[0]
                number = int(path[2:]) if re.fullmatch(r"/p\d{1,3}", path) else 0
                is_robots = path == "/robots.txt"
                body = (ROBOTS if is_robots else _page(number)).encode()
                self.send_response(500 if path == "/broken" else 200)
                self.send_header("Content-Type", "text/plain" if is_robots else "text/html; charset=utf-8")
                self.send_header("X-Attack", ATTACK.encode().decode("latin-1"))
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def end(self):
        self._server.shutdown()


class ServedCrawl:
    """`address` and `token` of a server over a crawl of the site in that folder."""

    def __init__(self, trawl, folder):
        self.site = Site()
        self.root = folder / "crawl"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TRAWL_")}
        done = subprocess.run([trawl, "crawl", self.site.url + "/", "--root", self.root, "--contact", "me@me.example", "--fetch.allow_private",
                               "--rounds", "3", "--fetch.delay_ms", "20ms"],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        assert done.returncode in (0, 1), done.stdout[-2000:]
        subprocess.run([trawl, "graph", "--root", self.root], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        self.token = secrets.token_hex(32)
        token_file = folder / "token"
        token_file.touch(mode=0o600)
        token_file.write_text(self.token + "\n")
        self._server = subprocess.Popen([trawl, "serve", "--root", self.root, "--serve.listen", "127.0.0.1:0", "--serve.token_file", token_file],
                                        env=environment, stderr=subprocess.PIPE, text=True)
        self.address = None
        for line in self._server.stderr:
            if line.startswith("listening on "):
                self.address = line.split()[-1]
                break
        assert self.address, "trawl serve ended before it listened"
        threading.Thread(target=self._server.stderr.read, daemon=True).start()

    def end(self):
        self._server.terminate()
        self._server.wait(timeout=20)
        self.site.end()

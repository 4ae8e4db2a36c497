"""The pages of trawl serve over made-up values (tests/support/pages/main.cc), on a loopback port for a browser."""

import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class PageServer:
    """Answers until end(). `crawl` is "busy" or "empty"; the visitor may write where `may_write` is set."""

    def __init__(self, program, crawl="busy", may_write=True):
        self._program = subprocess.Popen([str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lock = threading.Lock()
        self._how = {"crawl": crawl, "may_write": may_write}
        self.requests = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                size = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(size).decode()
                outer.requests.append((self.command, self.path))
                answer = outer.ask(self.command, self.path, body)
                text = answer["body"].encode()
                self.send_response(answer["status"])
                for name, value in answer["headers"]:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def ask(self, method, target, body=""):
        with self._lock:
            self._program.stdin.write(json.dumps({"method": method, "target": target, "body": body, **self._how}) + "\n")
            self._program.stdin.flush()
            return json.loads(self._program.stdout.readline())

    def end(self):
        self._server.shutdown()
        self._program.stdin.close()
        self._program.wait()

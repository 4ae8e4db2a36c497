"""A loopback proxy that pulls the plug: it passes bytes on both ways until a request matches, and from then on nothing.

It does not parse the protocol: requests of HDFS and S3 contain the names of methods and files as plain text.
"""

import re
import socket
import threading
import time
from typing import Callable, Optional

# A request may come in two pieces.
OVERLAP = 400


class Proxy:
    def __init__(self, port: int):
        self.target = port
        self.pattern: Optional[re.Pattern] = None
        self.action: Callable[[], None] = lambda: None
        self.is_behind = False
        self.is_cut = False
        self.triggered = threading.Event()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def arm(self, pattern: bytes, action: Callable[[], None], behind: bool = False) -> None:
        """Runs `action` at the next request with `pattern`: before the server gets it or, if `behind`, afterwards."""
        with self.lock:
            self.triggered.clear()
            self.pattern, self.action, self.is_behind = re.compile(pattern, re.DOTALL), action, behind

    def close(self) -> None:
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=30)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            threading.Thread(target=self._pump, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, False), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_request: bool) -> None:
        last = b""
        try:
            while data := source.recv(1 << 16):
                fire = is_request and self._matches(last + data)
                if self.is_cut:
                    return
                if fire and self.is_behind:
                    # The server has the request, and answers; only the answer gets lost.
                    self.is_cut = True
                    sink.sendall(data)
                    time.sleep(0.5)
                if fire:
                    self.is_cut = True
                    self.action()
                    return
                sink.sendall(data)
                last = data[-OVERLAP:]
        except OSError:
            pass
        finally:
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            source.close()

    def _matches(self, data: bytes) -> bool:
        with self.lock:
            if self.pattern is None or not self.pattern.search(data):
                return False
            self.pattern = None
            self.triggered.set()
            return True

"""A TCP proxy that can be away, come back and hang up: a network that fails on request."""

from __future__ import annotations

import contextlib
import socket
import threading


class Proxy:
    """Pass connections on to another address of this machine, while it is up."""

    def __init__(self, host: str, port: int) -> None:
        self.target = (host, port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.pairs: list[socket.socket] = []
        self._accept()

    def _accept(self) -> None:
        threading.Thread(target=self._run, args=(self.listener,), daemon=True).start()

    def _run(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self.target)
                self.pairs += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=pair, daemon=True).start()

    def hang_up(self) -> None:
        """Cut every connection."""
        while self.pairs:
            _close(self.pairs.pop())

    def stop(self) -> None:
        """Go away: connections are cut and new ones refused."""
        _close(self.listener)
        self.hang_up()

    def start(self) -> None:
        """Come back."""
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self._accept()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    _close(source)
    _close(sink)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()

"""What a process keeps of its own accord, within a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """Values by their keys, up to so many bytes; what was not used for longest goes first.

    With `times_largest` it takes that many of the largest of them, where those are larger than was
    thought of: what is asked for together must not push each other out, or nothing is ever found.
    """

    _all: WeakSet[Memory[Any]] = WeakSet()

    def __init__(self, max_bytes: int, times_largest: int = 0) -> None:
        self._max_bytes, self._times_largest = max_bytes, times_largest
        self._entries: OrderedDict[Any, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        Memory._all.add(self)

    def get(self, key: Any) -> Value | None:
        """The value of a key, if there is one."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Any, value: Value, size: int) -> None:
        """Keep a value that takes so many bytes; the newest is kept however large it is."""
        with self._lock:
            _former, taken = self._entries.pop(key, (None, 0))
            self._entries[key] = value, size
            self._bytes += size - taken
            while len(self._entries) > 1 and self._bytes > self._room():
                _key, (_value, taken) = self._entries.popitem(last=False)
                self._bytes -= taken

    def _room(self) -> int:
        if not self._times_largest:
            return self._max_bytes
        largest = max(size for _value, size in self._entries.values())
        return max(self._max_bytes, self._times_largest * largest)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0


def forget_all() -> None:
    """Forget what this process keeps; for tests, whose databases begin empty."""
    for memory in list(Memory._all):
        memory.clear()

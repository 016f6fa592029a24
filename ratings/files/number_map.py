"""A dictionary of whole numbers, small enough for one of each row of a large file."""

from __future__ import annotations

import hashlib
import secrets
from array import array
from typing import Final

_FIRST_BITS: Final = 10
_BITS: Final = 64
_ALL_BITS: Final = (1 << _BITS) - 1


def key_of(text: str) -> int:
    """The hash of a text, under which it has a number."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


class NumberMap:
    """Numbers of 64 bits by hashes of 64 bits: 24 to 48 bytes for each, where a `dict` takes 165.

    Two hashes that are alike are one key, as are 0 and 1; of a million this happens once in 37
    million times. Where a key stands depends on a number that nobody knows, so that no file can
    be made whose keys all look for the same place.
    """

    def __init__(self) -> None:
        self._count = 0
        self._factor = secrets.randbits(_BITS) | 1
        self._begin(_FIRST_BITS)

    def __len__(self) -> int:
        return self._count

    def get(self, key: int) -> int | None:
        """The number of a key; None where it has none."""
        place = self._place(key or 1)
        return self._values[place] if self._keys[place] else None

    def setdefault(self, key: int, number: int) -> int | None:
        """The number that a key has; None where it had none and gets this one."""
        key = key or 1
        place = self._place(key)
        if self._keys[place]:
            return self._values[place]
        # A number of more bits is refused before its key is there.
        self._values[place], self._keys[place] = number, key
        self._count += 1
        if 3 * self._count > 2 * len(self._keys):
            self._grow()
        return None

    def __setitem__(self, key: int, number: int) -> None:
        if self.setdefault(key, number) is not None:
            self._values[self._place(key or 1)] = number

    def _begin(self, bits: int) -> None:
        """Take 2 ** `bits` empty places; 0 stands where no key is."""
        self._bits = bits
        self._keys, self._values = array("Q", bytes(8 << bits)), array("Q", bytes(8 << bits))

    def _place(self, key: int) -> int:
        """Where a key stands, or would stand."""
        keys = self._keys
        place = (key * self._factor & _ALL_BITS) >> (_BITS - self._bits)
        while (there := keys[place]) and there != key:
            place = (place + 1) % len(keys)
        return place

    def _grow(self) -> None:
        keys, values = self._keys, self._values
        self._begin(self._bits + 1)
        for key, number in zip(keys, values, strict=True):
            if key:
                place = self._place(key)
                self._keys[place], self._values[place] = key, number

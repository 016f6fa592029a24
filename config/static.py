"""Store static files under hashed names, compressed ahead of time."""

from __future__ import annotations

from typing import Any

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

SMALL = 64 * 1024


class QuickCompressor(Compressor):
    """Compress small files, which every visitor loads, as far as brotli can.

    For the large ones level 9 takes a tenth of the time of level 11, and is a twentieth larger.
    """

    # Only a browser's debugger reads source maps, and they are the largest files of all.
    SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Compress for browsers that take brotli."""
        compressed: bytes = brotli.compress(data, quality=11 if len(data) <= SMALL else 9)
        return compressed


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Keep hashed names only; the first start must not take longer than its visitor waits."""

    keep_only_hashed_files = True

    def create_compressor(self, **options: Any) -> Compressor:
        """Choose the compressor."""
        return QuickCompressor(**options)

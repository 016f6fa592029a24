"""Store static files under hashed names, compressed ahead of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import brotli
from django.core.files.base import ContentFile, File
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

SMALL = 64 * 1024
OWN = (
    *("css/card.css", "css/compare.css", "css/entry.css", "css/import.css", "css/match.css"),
    *("css/night.css", "css/rungs.css"),
    *("js/app.js", "js/copy.js", "js/night.js", "js/print.js"),
)
COMMENT_LINES = re.compile(rb"^[ ]*/\*[^*]*\*/[ ]*\n", re.MULTILINE)
"""Comments that begin a line and end one; none of ours has a star within."""


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

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._urls: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        """The address of a file: worked out once, as a page names several and they stay."""
        known = self._urls.get(name)
        if known is None:
            known = self._urls[name] = str(super().url(name, force))
        return known

    def _save(self, name: str, content: File[bytes]) -> str:
        """Store our own files without their comments, a tenth of what a first visit loads."""
        if name in OWN:
            content = ContentFile(COMMENT_LINES.sub(b"", content.read()))
        saved: str = super()._save(name, content)
        return saved

    def post_process(self, paths: dict[str, Any], **options: Any) -> Iterator[Any]:
        """Hash and compress our own files as they are stored here, not as they are written."""
        own = {name: (self, name) for name in OWN if name in paths}
        yield from super().post_process({**paths, **own}, **options)

    def create_compressor(self, **options: Any) -> Compressor:
        """Choose the compressor."""
        return QuickCompressor(**options)

"""Keep the secret key of an installation that was given none (reliability S-20)."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

SHORTEST = 50


def secret_key_in(folder: Path) -> str:
    """Read the folder's secret key, made on first use.

    Two processes that start at once end with one key: the key is written and synced under
    a name of its own, then linked to the final name, which succeeds for the first only.
    """
    path = folder / "secret.key"
    if not path.exists():
        write_secret_key(path)
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"The secret key {path} cannot be read.") from error
    if mode & 0o077:
        raise ImproperlyConfigured(
            f"Other users of this machine can read the secret key {path}. Run: chmod 600 {path}"
        )
    if len(key) < SHORTEST:
        raise ImproperlyConfigured(
            f"The secret key {path} is empty or shorter than {SHORTEST} characters. Delete the "
            "file and start Rungs again to create a new key. Everyone will have to sign in "
            "again."
        )
    return key


def write_secret_key(path: Path) -> None:
    """Make a key of 64 random characters unless another process was first."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
        temporary.unlink()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key {path} cannot be created ({error.strerror})."
        ) from error

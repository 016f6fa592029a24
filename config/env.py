"""Read every environment variable of Rungs, each once and each typed.

`docs/configuration.md` has a heading for every name here; a test compares the two.
Values are never printed: some of them are secrets.
"""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config.secret import secret_key_in
from leagues.addresses import is_loopback

BASE = Path(__file__).resolve().parent.parent

SCHEMA: dict[str, tuple[Any, Any]] = {
    "RUNGS_DATA": (str, ""),
    "DATABASE_URL": (str, ""),
    "REDIS_URL": (str, ""),
    "EMAIL_URL": (str, "consolemail://"),
    "EMAIL_FROM": (str, "Rungs <rungs@localhost>"),
    "SECRET_KEY": (str, ""),
    "SECRET_KEY_FALLBACKS": (list, []),
    "PUBLIC_URL": (str, ""),
    "TRUSTED_PROXIES": (list, []),
    "RUNGS_ALLOWED_HOSTS": (list, []),
    "RUNGS_BIND": (str, "127.0.0.1"),
    "RUNGS_PORT": (int, 8000),
    "RUNGS_DEBUG": (bool, False),
    "RUNGS_LANGUAGE": (str, "en"),
    "RUNGS_LOG": (str, "plain"),
    "RUNGS_LOG_LEVEL": (str, "INFO"),
    "RUNGS_RUNNERS": (int, 1),
    "RUNGS_WEB_PROCESSES": (int, 1),
    "RUNGS_WEB_THREADS": (int, 8),
    "RUNGS_STATEMENT_SECONDS": (int, 600),
    "RUNGS_PREPARED_STATEMENTS": (bool, True),
    "RUNGS_LEASE_SECONDS": (int, 10),
}

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Environment:
    """What the environment says, checked; every field is named after its variable."""

    data: Path
    database: dict[str, Any]
    redis_url: str
    email: dict[str, Any]
    email_from: str
    secret_key: str
    secret_key_fallbacks: list[str]
    public_url: str
    trusted_proxies: tuple[Network, ...]
    allowed_hosts: list[str]
    bind: str
    port: int
    debug: bool
    language: str
    log: str
    log_level: str
    runners: int
    web_processes: int
    web_threads: int
    statement_seconds: int
    prepared_statements: bool
    lease_seconds: int

    @property
    def is_https(self) -> bool:
        """Tell whether visitors reach this site over https."""
        return self.public_url.startswith("https://")


def read_environment() -> Environment:
    """Read and check the environment; refuse in words what cannot work."""
    env = environ.Env(**SCHEMA)
    data = data_folder(env("RUNGS_DATA"))
    public_url = env("PUBLIC_URL").rstrip("/")
    if public_url and urlsplit(public_url).scheme not in ("http", "https"):
        raise ImproperlyConfigured("PUBLIC_URL must begin with http:// or https://.")
    if env("RUNGS_LOG") not in ("plain", "json"):
        raise ImproperlyConfigured("RUNGS_LOG must be plain or json.")
    bind, debug = env("RUNGS_BIND"), env("RUNGS_DEBUG")
    if debug and not is_loopback(bind):
        raise ImproperlyConfigured(
            "RUNGS_DEBUG shows internal details to every visitor, so it is only allowed on a "
            f"loopback address. RUNGS_BIND is {bind}."
        )
    return Environment(
        data=data,
        database=database_at(env("DATABASE_URL"), data),
        redis_url=env("REDIS_URL"),
        email=dict(env.email_url_config(env("EMAIL_URL"))),
        email_from=env("EMAIL_FROM"),
        secret_key=env("SECRET_KEY") or secret_key_in(data),
        secret_key_fallbacks=env("SECRET_KEY_FALLBACKS"),
        public_url=public_url,
        trusted_proxies=networks(env("TRUSTED_PROXIES")),
        allowed_hosts=env("RUNGS_ALLOWED_HOSTS") or default_hosts(public_url),
        bind=bind,
        port=env("RUNGS_PORT"),
        debug=debug,
        language=env("RUNGS_LANGUAGE"),
        log=env("RUNGS_LOG"),
        log_level=env("RUNGS_LOG_LEVEL").upper(),
        runners=env("RUNGS_RUNNERS"),
        web_processes=env("RUNGS_WEB_PROCESSES"),
        web_threads=env("RUNGS_WEB_THREADS"),
        statement_seconds=env("RUNGS_STATEMENT_SECONDS"),
        prepared_statements=env("RUNGS_PREPARED_STATEMENTS"),
        lease_seconds=max(1, env("RUNGS_LEASE_SECONDS")),
    )


def data_folder(named: str) -> Path:
    """Answer the folder of everything that must be kept, made with mode 0700 if missing."""
    folder = Path(named).expanduser().absolute() if named else BASE / "data"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {folder} cannot be created ({error.strerror}). Set RUNGS_DATA to "
            "a folder that you can write to."
        ) from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise ImproperlyConfigured(
            f"You cannot read and write the data folder {folder}. Set RUNGS_DATA to a folder "
            "that you can write to."
        )
    return folder


def database_at(url: str, data: Path) -> dict[str, Any]:
    """Read the address of the database; without one it is a file in the data folder.

    The path of that file is taken as it is: in a URL some characters mean something else.
    """
    if url:
        return dict(environ.Env.db_url_config(url))
    return {"ENGINE": environ.Env.DB_SCHEMES["sqlite"], "NAME": str(data / "rungs.sqlite3")}


def networks(named: list[str]) -> tuple[Network, ...]:
    """Read addresses and networks in CIDR form."""
    try:
        return tuple(ipaddress.ip_network(name.strip()) for name in named)
    except ValueError as error:
        raise ImproperlyConfigured(f"TRUSTED_PROXIES: {error}") from error


def default_hosts(public_url: str) -> list[str]:
    """Allow this machine's own names, which also stops DNS rebinding, and the public one."""
    public = urlsplit(public_url).hostname
    return [
        *LOOPBACK_HOSTS,
        *([public] if public and public not in LOOPBACK_HOSTS else []),
    ]

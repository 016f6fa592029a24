"""Run everything on one machine: prepare the data folder, then supervise web and runners."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from leagues.addresses import address_in_network, is_loopback
from leagues.management.supervisor import Child, end, start, supervise
from leagues.models import Board, League
from leagues.selectors.boards import boards_behind
from leagues.services.baseline import lay_baseline
from leagues.services.setup import issue_setup_link
from leagues.store import guards
from leagues.store.encoding import check_encoding
from leagues.store.outages import is_outage

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - only where it is asked for


class Command(BaseCommand):
    """Serve Rungs on this machine until Ctrl-C."""

    help = "Prepare the data, then run the web server and the job runners."
    requires_system_checks: list[str] = []
    address = ""
    is_waiting = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Let the address be named."""
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--bind", default=settings.BIND)
        parser.add_argument(
            "--wifi",
            action="store_true",
            help="let phones and computers in the same network reach Rungs",
        )

    def handle(self, *, port: int, bind: str, wifi: bool, **options: Any) -> None:
        """Serve until a signal comes."""
        if wifi:
            serve_in_network(port)
        if settings.DEBUG and not is_loopback(bind):
            raise CommandError("RUNGS_DEBUG is only allowed on a loopback address.")
        with only_server(), listening(bind, port) as listener:
            port = listener.getsockname()[1]
            self.address = address_of(bind, port)
            prepare_static_files(self.say)
            children = web(listener, bind, port)
            try:
                if not self.prepare():
                    start(children)
                    supervise(children, say=self.say, until=self.prepare)
                children += runners(bind, port)
                start(children)
                self.welcome(bind)
                # An idle connection of the supervisor would hold the database open.
                connection.close()
                supervise(children, say=self.say)
            except KeyboardInterrupt:
                self.say("Interrupted.")
            finally:
                end(children)
                leave_one_file()
            self.say("Stopped.")

    def prepare(self) -> bool:
        """Bring the tables up to date; False, and words the first time, if nothing can be asked.

        A PostgreSQL that starts later than Rungs is waited for, with a web server that says so.
        """
        try:
            prepare_database(self.say)
        except OperationalError as error:
            connection.close()
            if connection.vendor == "sqlite" or not is_outage(error):
                raise CommandError(f"The database is not responding: {error}") from error
            if not self.is_waiting:
                reason = str(error).strip().partition("\n")[0]
                self.say(
                    "The database is not responding. Rungs is waiting for it; until then, "
                    f"{self.address}/ answers with status 503. ({reason})"
                )
            self.is_waiting = True
            return False
        return True

    def welcome(self, bind: str) -> None:
        """Make the demo league if there is no league yet, then say where Rungs answers."""
        if not League.objects.exists():
            # Needed once in the life of an installation, and slow to import.
            from leagues.services.demo import correct_demo, create_demo  # noqa: PLC0415

            demo = create_demo()
            self.greet(bind)
            wait_for_ratings(demo)
            correct_demo(demo)
        else:
            self.greet(bind)

    def greet(self, bind: str) -> None:
        """Print where Rungs answers, and the link for the first account if there is none."""
        self.say(f"Rungs is running at {self.address}/")
        if not get_user_model().objects.exists():
            link = f"{self.address}{issue_setup_link()}"
            self.say(f"Create the first account (the link works once, within 15 minutes): {link}")
        if not is_loopback(bind) and not settings.SESSION_COOKIE_SECURE:
            self.say(
                "Warning: other machines can reach Rungs, and passwords are sent unencrypted. Do "
                "this only in a network that you trust. Elsewhere, put a proxy with https in front "
                "of Rungs and set PUBLIC_URL."
            )
        self.say("Press Ctrl-C to stop it.")

    def say(self, text: str) -> None:
        """Print at once, also into a pipe."""
        self.stdout.write(text)
        self.stdout.flush()


def wait_for_ratings(league: League) -> None:
    """Let the job runner rate a league's results, for half a minute at most."""
    boards = Board.objects.filter(league=league)
    for _tenth in range(300):
        if not boards_behind(boards):
            return
        time.sleep(0.1)


def serve_in_network(port: int) -> None:
    """Start again with the addresses that other machines need, of which the settings are made."""
    if not settings.HAS_PUBLIC_URL:
        address = address_in_network()
        if address is None:
            raise CommandError(
                "This computer is not connected to a network. Connect it, or set PUBLIC_URL."
            )
        os.environ["PUBLIC_URL"] = f"http://{address}:{port}"
    command = [sys.executable, str(settings.BASE / "manage.py"), "serve"]
    os.execv(sys.executable, [*command, "--bind", EVERY_ADDRESS, "--port", str(port)])  # noqa: S606


@contextlib.contextmanager
def only_server() -> Iterator[None]:
    """Refuse a second server on one SQLite database."""
    if connection.vendor != "sqlite":
        yield
        return
    with open(settings.DATA / "serve.lock", "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(
                f"Another server is already using the data in {settings.DATA}. Stop it first, "
                "or set RUNGS_DATA to another folder."
            ) from error
        yield


@contextlib.contextmanager
def listening(bind: str, port: int) -> Iterator[socket.socket]:
    """Open the port here and once: a web server that is started again never loses it."""
    host, _colon, own_port = bind.strip("[]").partition(":")
    if own_port.isdecimal():
        raise CommandError(f"--bind takes an address alone. Try: --bind {host} --port {own_port}")
    host = bind.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(f"Port {port} is already in use. Try: --port {port + 1}") from error
        raise CommandError(f"Cannot listen on {bind}:{port}: {error.strerror}.") from error
    with listener:
        yield listener


def address_of(bind: str, port: int) -> str:
    """Answer the address that visitors type."""
    if settings.HAS_PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    host = bind.strip("[]") if is_loopback(bind) else "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def prepare_database(say: Callable[[str], None]) -> None:
    """Bring the tables up to date, and say so before it takes its time."""
    check_encoding(connection)
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        if executor.loader.applied_migrations:
            say("Upgrading the database. This can take minutes if there are many results.")
        else:
            say(
                "Creating the database and a demo league. This takes a few seconds, the first "
                "time only."
            )
        call_command("migrate", interactive=False, verbosity=0)
    # What a migration does at its end is done here where it was killed before, as it never
    # comes again.
    lay_baseline()
    guards.install(connection)


def leave_one_file() -> None:
    """Have SQLite write all into its one file, as whoever closes that last does.

    The children keep their connections to their end, and a backup may copy that file alone.
    """
    if connection.vendor == "sqlite":
        with contextlib.suppress(DatabaseError):
            connection.ensure_connection()
            connection.close()


def prepare_static_files(say: Callable[[str], None]) -> None:
    """Collect and compress the static files if one of them has changed."""
    stamp = Path(settings.STATIC_ROOT) / "sources.sha256"
    state = static_sources()
    if settings.DEBUG or (stamp.exists() and stamp.read_text(encoding="ascii") == state):
        return
    say(
        "Compressing style sheets and scripts. This takes a few seconds, the first time and "
        "after upgrades."
    )
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(state, encoding="ascii")


def static_sources() -> str:
    """Name the present state of all static files by their paths, sizes and times."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list(["CVS", ".*", "*~"]):
            status = os.stat(storage.path(path))
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def environment(bind: str, port: int) -> dict[str, str]:
    """Hand the children the address that was given on the command line."""
    return {**os.environ, "RUNGS_BIND": bind, "RUNGS_PORT": str(port)}


def web(listener: socket.socket, bind: str, port: int) -> list[Child]:
    """Describe the processes of the web server, which share the open port."""
    command = [sys.executable, "-m", "config.web", "--fd", str(listener.fileno())]
    child = ("The web server", command, environment(bind, port), [listener.fileno()])
    return [Child(*child) for _ in range(settings.WEB_PROCESSES)]


def runners(bind: str, port: int) -> list[Child]:
    """Describe the job runners: one only rates, so that no other work holds ratings up.

    Beside Celery's workers another one takes what they have missed.
    """
    command = [sys.executable, str(settings.BASE / "manage.py"), "runjobs"]
    ratings, count = command, settings.RUNNERS
    if settings.REDIS_URL:
        command, count = [*command, "--sweep"], 1
    return [
        *(Child("The job runner", command, environment(bind, port)) for _ in range(count)),
        Child("The rating runner", [*ratings, "--ratings"], environment(bind, port)),
    ]

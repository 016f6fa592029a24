"""S-20: the secret key of an installation that was given none."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.secret import secret_key_in


def test_s20_the_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    key = secret_key_in(tmp_path)
    assert len(key) >= 50
    assert secret_key_in(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


def test_s20_simultaneous_first_starts_end_with_one_key(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from config.secret import secret_key_in;"
        "sys.stdin.readline(); print(secret_key_in(Path(sys.argv[1])))"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    keys = {process.communicate("go\n")[0] for process in processes}
    assert len(keys) == 1


@pytest.mark.parametrize("key", ["", "short"])
def test_s20_an_empty_or_short_key_is_refused(tmp_path: Path, key: str) -> None:
    path = tmp_path / "secret.key"
    path.write_text(key)
    path.chmod(0o600)
    with pytest.raises(ImproperlyConfigured, match="shorter than 50"):
        secret_key_in(tmp_path)


def test_s20_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    secret_key_in(tmp_path)
    (tmp_path / "secret.key").chmod(0o640)
    with pytest.raises(ImproperlyConfigured, match="Other users"):
        secret_key_in(tmp_path)

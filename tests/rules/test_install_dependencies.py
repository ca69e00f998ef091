"""Nothing takes rights that were not given."""
import os
import subprocess

from rule_helpers import ROOT

SCRIPT = ROOT / "tools" / "install_dependencies.sh"


def run_as_somebody(tmp_path, **settings):
    """The script where one package is missing, with programs in place of those that would act; what they were called with."""
    programs = {
        "id": "echo 1000",
        "dpkg-query": "exit 1",
        "apt-get": f'echo apt-get "$@" >>{tmp_path}/called',
        "sudo": f'echo sudo "$@" >>{tmp_path}/called',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", **settings}
    done = subprocess.run(["bash", SCRIPT, "arm64"], env=env, capture_output=True, text=True, timeout=60)
    called = tmp_path / "called"
    return done, called.read_text() if called.exists() else ""


def test_sudo_is_not_called_unasked(tmp_path):
    done, called = run_as_somebody(tmp_path, DISC_ALLOW_SUDO="")
    assert done.returncode == 1
    assert called == ""
    assert "sudo apt-get install --no-install-recommends g++-aarch64-linux-gnu" in done.stderr
    assert "DISC_ALLOW_SUDO=1" in done.stderr


def test_sudo_is_called_where_it_is_allowed(tmp_path):
    done, called = run_as_somebody(tmp_path, DISC_ALLOW_SUDO="1")
    assert done.returncode == 0, done.stderr
    assert "sudo env DEBIAN_FRONTEND=noninteractive apt-get" in called and "g++-aarch64-linux-gnu" in called

"""docs/cli.md and the program agree on what options there are."""
import re
import subprocess

import pytest
from rule_helpers import ROOT, built, read

COMMANDS = ["run", "test", "replicate", "project", "calibrate", "explore", "simulate", "inspect", "score", "compare"]
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def flags_of(command):
    done = subprocess.run([built("disc"), command, "--help-all"], stdout=subprocess.PIPE, check=True, text=True)
    return set(FLAG.findall(done.stdout)) - {"--help", "--help-all"}


def documented():
    return set(FLAG.findall(read(ROOT / "docs" / "cli.md"))) - {"--help", "--help-all", "--version"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented(command):
    flags = flags_of(command)
    assert flags, "the help shows no options"
    assert flags - documented() == set()


def test_every_documented_option_exists():
    assert documented() - {"--normalise"} - set().union(*(flags_of(command) for command in COMMANDS)) == set()

"""Every public header compiles alone, without warnings."""
import json
import shlex
import subprocess

import pytest
from rule_helpers import PUBLIC_HEADERS, ROOT, built, read


def system_includes():
    """-isystem flags of the release build: what a user of the headers gets through disc::disc."""
    command = shlex.split(json.loads(read(built("compile_commands.json")))[0]["command"])
    return [part for i, flag in enumerate(command[:-1]) if flag == "-isystem" for part in (flag, command[i + 1])]


@pytest.mark.parametrize("header", PUBLIC_HEADERS, ids=lambda h: h.stem)
def test_compiles_alone(header):
    done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror",
                           "-I", ROOT / "include", *system_includes(), "-x", "c++", "-"],
                          input=f'#include "disc/{header.name}"\n', stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr

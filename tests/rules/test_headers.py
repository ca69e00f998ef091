"""Every public header compiles alone, without warnings."""
import json
import re
import shlex
import subprocess

import pytest
from rule_helpers import PUBLIC_HEADERS, ROOT, built, read

COMPILE = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-I", ROOT / "include"]
MATRIX = ROOT / "include" / "disc" / "matrix.hpp"  # brings Eigen, which takes longer to read than all the rest


def system_includes():
    """-isystem flags of the release build: what a user of the headers gets through disc::disc."""
    command = shlex.split(json.loads(read(built("compile_commands.json")))[0]["command"])
    return [part for i, flag in enumerate(command[:-1]) if flag == "-isystem" for part in (flag, command[i + 1])]


def included(header):
    """What it includes of ours, itself and all that these include."""
    found, waiting = set(), [header]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += [ROOT / "include" / name for name in re.findall(r'#include "(disc/\w+\.hpp)"', read(file))]
    return found


@pytest.fixture(scope="module")
def with_matrix(tmp_path_factory):
    """Flags by which a source begins with matrix.hpp, read once for all."""
    start = tmp_path_factory.mktemp("read") / "start.hpp"
    start.write_text('#include "disc/matrix.hpp"\n')
    subprocess.run([*COMPILE, *system_includes(), "-x", "c++-header", start, "-o", f"{start}.gch"], check=True)
    return ["-include", start]


@pytest.mark.parametrize("header", PUBLIC_HEADERS, ids=lambda h: h.stem)
def test_compiles_alone(header, with_matrix):
    # Who includes matrix.hpp, itself or through another, has it in any case.
    flags = with_matrix if MATRIX in included(header) - {header} else []
    done = subprocess.run([*COMPILE, "-fsyntax-only", *system_includes(), *flags, "-x", "c++", "-"],
                          input=f'#include "disc/{header.name}"\n', stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr

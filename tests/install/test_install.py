"""An installed disc can be found by find_package, and the example builds and runs against it."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("DISC_BUILD_DIR", ROOT / "build" / "release"))


def run(*command):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """A prefix other than the configured one: what is installed must be movable."""
    place = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", BUILD, "--prefix", place)
    return place


@pytest.fixture(scope="module")
def example(prefix, tmp_path_factory):
    build = tmp_path_factory.mktemp("build")
    run("cmake", "-G", "Ninja", "-S", ROOT / "examples", "-B", build, "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    return build / "minimal"


def test_the_example_prints_the_right_answer(example):
    assert run(example) == "groups that only control has: 0\ngroups that only treated has: 1\n  p = 0.005: gene11 gene12 gene13 gene14 gene15 gene16\n"


def test_public_headers_are_installed(prefix):
    installed = {path.name for path in (prefix / "include" / "disc").iterdir()}
    assert installed == {path.name for path in (ROOT / "include" / "disc").glob("*.hpp")}


def test_nothing_installed_names_the_source_or_build_tree(prefix):
    package = list(prefix.rglob("cmake/disc/*.cmake"))
    assert {"discConfig.cmake", "discConfigVersion.cmake", "discTargets.cmake"} <= {path.name for path in package}
    for path in package:
        text = path.read_text()
        assert str(ROOT) not in text, path.name
        assert str(BUILD) not in text, path.name
        assert "disc_warnings" not in text, path.name


def test_the_program_runs_from_the_prefix(prefix):
    assert run(prefix / "bin" / "disc", "--version").strip()

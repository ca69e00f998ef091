"""The archive and the wheel in dist/, as tools/wheel.sh made them."""
import pathlib
import subprocess
import tarfile
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ("CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE", "cmake/", "include/", "src/", "apps/", "python/CMakeLists.txt",
          "python/src/", "python/backend/", "python/disc_features/")


def only(pattern):
    found = list((ROOT / "dist").glob(pattern))
    if len(found) != 1:
        pytest.skip("tools/wheel.sh makes them")
    return found[0]


def test_the_source_archive_has_all_that_the_build_needs():
    with tarfile.open(only("disc_features-*.tar.gz")) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True).stdout.split()
    if not tracked:
        pytest.skip("not a git repository")
    assert {name for name in tracked if name.startswith(NEEDED)} - inside == set()


def test_the_wheel_has_package_program_and_types_and_nothing_else():
    with zipfile.ZipFile(only("disc_features-*.whl")) as wheel:
        names = set(wheel.namelist())
    package = {f"disc_features/{path.name}" for path in (ROOT / "python" / "disc_features").iterdir() if path.suffix in (".py", ".typed")}
    extra = {name for name in names - package if ".dist-info/" not in name}
    assert package <= names
    assert "disc_features/_core.pyi" in extra and any(name.endswith(".data/scripts/disc") for name in extra)
    assert len(extra) == 3, extra  # these two, and the compiled module

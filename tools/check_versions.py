"""Whether all files that name the version of the project name the same one.

    tools/check_versions.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
WHEEL = r"disc_features-([\d.]+)-cp"
PLACES = {
    "README.md": WHEEL,
    "docs/index.md": WHEEL,
    "docs/install.md": WHEEL,
    "docs/python.md": WHEEL,
    "CMakeLists.txt": r"^project\(disc VERSION ([\d.]+)",
    "pyproject.toml": r'^version = "([^"]+)"',
    "CITATION.cff": r"^version: (\S+)",
    "r/DESCRIPTION": r"^Version: (\S+)",
    "recipes/conda/recipe.yaml": r'^  version: "([^"]+)"',
    "recipes/apptainer/disc.def": r"^    Version (\S+)",
    "recipes/nf-core/disc/environment.yml": r"disc-features=(\S+)",
    "recipes/scverse/meta.yaml": r"^version: v(\S+)",
    "recipes/galaxy/disc.xml": r'<token name="@TOOL_VERSION@">([^<]+)<',
}


def versions():
    found = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        found[name] = match.group(1) if match else "none"
    return found


def main():
    found = versions()
    if len(set(found.values())) > 1:
        sys.exit("check_versions: versions differ: " + ", ".join(f"{name} {version}" for name, version in found.items()))


if __name__ == "__main__":
    main()

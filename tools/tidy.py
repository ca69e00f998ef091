#!/usr/bin/env python3
"""clang-tidy on the library and the program, on as many files at once as there are cores.

A file that passed is checked again only when it, a header of the project that it includes, or .clang-tidy changed.

    tools/tidy.py [FILE ...]      default: all of src and apps; the release preset must be configured
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
STAMPS = ROOT / "build" / "stamps" / "tidy"
DATABASE = ROOT / "build" / "tidy"  # the release build's commands without its precompiled headers, which are gcc's
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def dependencies(path, seen):
    """The file and the project's headers it includes, directly or not."""
    if path in seen:
        return
    seen.add(path)
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for folder in (path.parent, ROOT / "include", ROOT / "src"):
            if (folder / name).is_file():
                dependencies(folder / name, seen)
                break


def fingerprint(path):
    files = set()
    dependencies(path, files)
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def check(path):
    """None when the file is clean, otherwise what clang-tidy says."""
    stamp = STAMPS / str(path.relative_to(ROOT)).replace("/", "__")
    now = fingerprint(path)
    if stamp.is_file() and stamp.read_text() == now:
        return None
    done = subprocess.run(["clang-tidy-14", "--quiet", "--warnings-as-errors=*", "-p", DATABASE,
                           "--extra-arg=-Wno-unknown-warning-option", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return done.stdout + done.stderr
    STAMPS.mkdir(parents=True, exist_ok=True)
    stamp.write_text(now)
    return None


def write_database():
    commands = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in commands:
        entry["command"] = re.sub(r" -Winvalid-pch| -include \S*cmake_pch\.hxx", "", entry["command"])
    DATABASE.mkdir(parents=True, exist_ok=True)
    (DATABASE / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")


def main():
    if not (BUILD / "compile_commands.json").is_file():
        raise SystemExit("tidy: build/release is not configured; use `make tidy`")
    write_database()
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    files = named or sorted([*ROOT.glob("src/*/*.cpp"), *ROOT.glob("apps/*/*.cpp")])
    complaints = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, said in zip(files, pool.map(check, files)):
            if said is not None:
                complaints += 1
                print(f"-- {path.relative_to(ROOT)}\n{said.rstrip()}", flush=True)
    print(f"clang-tidy: {len(files) - complaints} of {len(files)} files are clean")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

"""What is made from one source is as it would be made now."""
import re
import subprocess
import sys
import tomllib

import pytest
from rule_helpers import ROOT, built, read


def test_nothing_generated_is_stale():
    done = subprocess.run([sys.executable, ROOT / "tools" / "generate.py", "--check"], stdout=subprocess.PIPE, text=True,
                          env={"DISC_BUILD_DIR": str(built("disc").parent)})
    assert done.returncode == 0, done.stdout


def test_the_check_can_fail():
    sys.path.insert(0, str(ROOT / "tools"))
    import generate
    text = read(ROOT / "docs" / "cli.md")
    data = generate.program_options()
    results = tomllib.loads(read(ROOT / "docs" / "outputs.toml"))
    next(option for command in data["commands"] for option in command["options"] if "--knn" in option["flags"])["text"] = "other words"
    assert generate.page(text, data, results) != text


def test_the_report_takes_its_types_from_the_schema():
    """data.ts names no field of summary.json again, but for those that the page is given in another form."""
    again = set(re.findall(r"^  (\w+)\??:", read(ROOT / "report" / "src" / "data.ts").split("export interface GroupMembers")[0], re.MULTILINE))
    schema = tomllib.loads(read(ROOT / "docs" / "outputs.toml"))
    assert not again & set(schema["statistics"]) and not again & (set(schema["summary.json"]) - {"features", "conditions"})
    assert not again & (set(schema["conditions[]"]) - {"groups", "candidates"})


def test_a_type_follows_the_schema():
    sys.path.insert(0, str(ROOT / "tools"))
    import typescript_types
    places = {"summary.json": {"seed": ["integer", "of all"], "inputs": ["list of objects", "read"], "p": ["number or null", "absent with `--x`. Absent else"]},
              "inputs[]": {"file": ["text", "its name"]}}
    text = typescript_types.types(places)
    for line in ("  seed: number;", "  inputs: WrittenInput[];", "  p?: number | null;", "export interface WrittenInput {", "  file: string;"):
        assert line in text.splitlines(), line

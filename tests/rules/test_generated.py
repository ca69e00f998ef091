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


TYPES = {"number": {"integer", "number"}, "string": {"text"}, "boolean": {"boolean"}}
PLACES = {"Summary": "summary.json", "SummaryCondition": "conditions[]", "SummaryStatistics": "statistics"}


@pytest.mark.parametrize("interface", PLACES)
def test_the_report_expects_what_is_written(interface):
    """Fields without a question mark are in docs/outputs.toml, with the same type."""
    schema = tomllib.loads(read(ROOT / "docs" / "outputs.toml"))[PLACES[interface]]
    body = re.search(rf"^export interface {interface} {{\n(.*?)^}}", read(ROOT / "report" / "src" / "data.ts"), re.MULTILINE | re.DOTALL)[1]
    fields = re.findall(r"^  (\w+): (.+);$", body, re.MULTILINE)
    assert len(fields) > 5
    for name, kind in fields:
        assert name in schema, name
        assert kind not in TYPES or schema[name][0] in TYPES[kind], name

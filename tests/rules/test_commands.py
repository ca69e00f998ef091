"""Commands of README and docs use options that exist; what is in blocks marked sh is run by python/tests/test_docs.py."""
import re

from rule_helpers import ROOT, read

PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "decisions")]
BLOCK = re.compile(r"^```(?:sh)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
FLAG = re.compile(r"(?<![\w-])--([a-z][a-z-]+)")
# Of commands, beside the options in the list of cli.md; and what shells and other programs in the same lines take.
OF_COMMANDS = {"help", "help-all", "version", "features", "repeats", "json", "port"}
MISTAKES = {"normalise"}  # shown with the answer that they get


def options():
    return set(re.findall(r"`--([a-z-]+)`", read(ROOT / "docs" / "cli.md"))) - MISTAKES | OF_COMMANDS


def commands(text):
    """Every command `disc ...` of a page: of blocks, and of code in a line."""
    outside = BLOCK.sub("", text)
    lines = [line for block in BLOCK.findall(text) for line in re.sub(r"\\\n\s*", " ", block).splitlines()]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", outside, flags=re.MULTILINE | re.DOTALL))
    for line in lines:
        for command in re.split(r"&&|\|\s|;", line.split("  #")[0]):
            if re.match(r"\s*(\$ )?(\S*/)?disc [a-z-]", command):
                yield command.strip()


def test_options_of_commands_exist():
    known = options()
    assert {"by", "permutations", "truth", "sets"} <= known
    unknown = [(page.name, flag, command) for page in PAGES for command in commands(read(page)) for flag in FLAG.findall(command) if flag not in known]
    assert unknown == []


def test_commands_are_found():
    found = list(commands("Say `disc run a b --old x`.\n\n```\n$ disc run a.csv \\\n    b.csv --first 1   # not --this\ncd x && disc score out --second y\n```\n"))
    assert [FLAG.findall(command) for command in found] == [["first"], ["second"], ["old"]]

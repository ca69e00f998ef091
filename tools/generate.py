#!/usr/bin/env python3
"""Writes what is made from one source: the lists of options from the tables of the program, the lists of results from docs/outputs.toml,
the pages about the paper from what its experiments measured.

    tools/generate.py            writes the lists in docs/cli.md and docs/outputs.md, the types of the Python package and of the
                                 report page (report/src/schema.ts), and docs/paper
    tools/generate.py --check    says which of them are not as they would be written; exit code 1 if any

The program is build/release/disc, or that of $DISC_BUILD_DIR.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import paper_pages  # noqa: E402
import typescript_types  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("DISC_BUILD_DIR", ROOT / "build" / "release"))
BLOCK = re.compile(r"(<!-- (options|fields): (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
ON_EVERY_COMMAND = {"--help"}


def program_options():
    done = subprocess.run([BUILD / "disc", "options"], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


# ---- Pages ---------------------------------------------------------------------------------------------------------

def sentence(text):
    """Names of files and of fields keep their first letter."""
    begins_with_a_name = re.match(r"[\w*]*[._(]\w", text)
    return (text if begins_with_a_name else text[:1].upper() + text[1:]) + ("" if text.endswith((".", ":")) else ".")


def as_code(text):
    """Options in a text as code, as everywhere in the documentation."""
    return re.sub(r"(?<![\w`-])(--[a-z][a-z-]*[a-z])", r"`\1`", text)


def option_line(option):
    flags = ", ".join(f"`{flag}`" for flag in option["flags"]) or f"`{option['name']}`"
    value = f" `{option['value']}`" if option["value"] and option["flags"] else ""
    default = f" Default: `{option['default']}`." if option["default"] else ""
    return f"- {flags}{value}: {as_code(sentence(option['text']))}{default}\n"


def option_list(data, chosen):
    """Those of "COMMAND" or "COMMAND SECTION"."""
    name, _, section = chosen.partition(" ")
    command = next(command for command in data["commands"] if command["name"] == name)
    options = [option for option in command["options"] if not ON_EVERY_COMMAND & set(option["flags"])
               and option["section"] == (section or "Options")]
    assert options, f"there are no options {chosen}"
    return "\n" + "".join(map(option_line, options)) + "\n"


def preset_list(data):
    def setting(item):
        return f"`--{item[0]} {item[1]}`"
    return "\n" + "".join(f"- `{preset['name']}`: {sentence(preset['text'])} It sets {', '.join(map(setting, preset['values'].items()))}.\n"
                          for preset in data["presets"]) + "\n"


def field_list(results, place):
    return "\n" + "".join(f"- `{name}` ({kind}): {sentence(text)}\n" for name, (kind, text) in results[place].items()) + "\n"


def page(text, data, results):
    def filled(match):
        begin, kind, what, end = match.groups()
        if kind == "fields":
            return begin + field_list(results, what) + end
        return begin + (preset_list(data) if what == "presets" else option_list(data, what)) + end
    return BLOCK.sub(filled, text)


# ---- Types of the Python package -----------------------------------------------------------------------------------

PYTHON_TYPES = {"integer": "int", "number": "float", "text": "str", "selection": "str"}
# Arguments of the functions themselves.
OWN = {"layer", "metadata", "by", "where", "within", "unit", "strata", "paired", "covariate"}


def python_type(option):
    words = [word for word in option["choices"] if word != "auto"] + (["auto"] if "auto" in [option["default"], *option["choices"]] else [])
    if option["type"] == "switch":
        words = [word for word in words if word not in ("yes", "no")]
        return joined(["bool", literal(["yes", "no", *words])])
    if option["choices"]:
        return joined([literal(words)])
    kind = PYTHON_TYPES[option["type"]]
    return joined([kind, literal(words)] if words and kind != "str" else [kind])


def literal(words):
    return f"Literal[{', '.join(json.dumps(word) for word in words)}]"


def joined(types):
    return f"Union[{', '.join([*types, 'None'])}]"


def typed_options(title, says, options):
    lines = [f"class {title}(TypedDict, total=False):", f'    """{says}"""', ""]
    for option in options:
        keyword = option["flags"][-1][2:].replace("-", "_")
        text = f"{sentence(option['text'])} Default: {option['default']}." if option["default"] else sentence(option["text"])
        lines += [f"    {keyword}: {python_type(option)}", "    " + json.dumps(text), ""]
    return "\n".join(lines)


def python_types(data):
    commands = {command["name"]: command["options"] for command in data["commands"]}
    run = [option for option in commands["run"] if option["section"] != "Options" and option["flags"][-1][2:] not in OWN]
    numbers = {"N": "integer", "X": "number", "NAME": "text"}
    session = {"--help", "--output", "--threads", "--seed", "--quiet", "--verbose", "--log"}
    simulate = [{**option, "type": numbers[option["value"]], "default": ""} for option in commands["simulate"]
                if option["flags"] and option["flags"][-1] not in session]
    return "\n\n".join([
        '"""Keywords of disc.run and disc.simulate with their types, for editors and type checkers. Made by tools/generate.py."""\n'
        "from typing import Literal, TypedDict, Union\n",
        typed_options("RunOptions", "Options of a run and of reading files; None stands for the default.", run),
        typed_options("SimulateOptions", "Options of a simulation; None stands for the default.", simulate)])


# ---- All together --------------------------------------------------------------------------------------------------

def generated():
    """What every file made here should hold."""
    data = program_options()
    results = tomllib.loads((ROOT / "docs" / "outputs.toml").read_text(encoding="utf-8"))
    for name in ("docs/cli.md", "docs/outputs.md"):
        yield ROOT / name, page((ROOT / name).read_text(encoding="utf-8"), data, results)
    yield ROOT / "python" / "disc_features" / "_option_types.py", python_types(data)
    yield ROOT / "report" / "src" / "schema.ts", typescript_types.types(results)
    yield from paper_pages.generated()


def main():
    stale = [(path, text) for path, text in generated() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path, _ in stale:
            print(f"{path.relative_to(ROOT)} is stale: run tools/generate.py")
        return 1 if stale else 0
    for path, text in stale:
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Recipes fit the project: the same version everywhere, Debian's packages as the script installs them, options that exist."""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest
from rule_helpers import ROOT, read

RECIPES = ROOT / "recipes"
CONTAINERS = [RECIPES / "docker" / "Dockerfile", RECIPES / "apptainer" / "disc.def"]
OPTIONS = set(re.findall(r"`(--[a-z-]+)`", read(ROOT / "docs" / "cli.md")))


def test_every_file_names_the_same_version():
    done = subprocess.run([sys.executable, ROOT / "tools" / "check_versions.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", CONTAINERS, ids=lambda path: path.name)
def test_containers_install_what_the_program_needs(path):
    script = read(ROOT / "tools" / "install_dependencies.sh")
    wanted = re.search(r"^program=\(([^)]*)\)", script, re.MULTILINE).group(1).split()
    assert set(wanted) <= set(read(path).replace("\\\n", " ").split())


def test_the_galaxy_wrapper_uses_options_that_exist_and_all_that_it_asks_for():
    tool = xml.parse(RECIPES / "galaxy" / "disc.xml").getroot()
    command = tool.find("command").text
    used = set(re.findall(r"(--[a-z-]+)", command))
    assert used and used <= OPTIONS
    asked = {param.get("argument") for param in tool.iter("param") if param.get("argument")}
    assert asked <= used
    assert {data.get("from_work_dir") for data in tool.iter("data")} <= {f"out/{name}" for name in re.findall(r"^## (\S+)$", read(ROOT / "docs" / "outputs.md"), re.MULTILINE)}


def test_the_nextflow_module_uses_options_that_exist():
    used = set(re.findall(r"(--[a-z]+) ", read(RECIPES / "nf-core" / "disc" / "main.nf"))) - {"--version"}
    assert used and used <= OPTIONS


def test_yaml_can_be_read():
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load(read(RECIPES / "conda" / "recipe.yaml"))
    assert {"package", "source", "build", "requirements", "tests", "about"} <= set(recipe)
    meta = yaml.safe_load(read(RECIPES / "nf-core" / "disc" / "meta.yml"))
    emitted = set(re.findall(r"emit: (\w+)", read(RECIPES / "nf-core" / "disc" / "main.nf")))
    assert {next(iter(entry)) for entry in meta["output"]} == emitted


def test_entries_of_lists_say_what_the_package_says():
    yaml = pytest.importorskip("yaml")
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    entry = yaml.safe_load(read(RECIPES / "scverse" / "meta.yaml"))
    assert entry["install"]["pypi"] == project["name"]
    zenodo = json.loads(read(ROOT / ".zenodo.json"))
    citation = yaml.safe_load(read(ROOT / "CITATION.cff"))
    assert zenodo["license"] == entry["license"] == citation["license"]
    assert zenodo["keywords"] == project["keywords"]
    assert [{"name": creator["name"]} for creator in zenodo["creators"]] == citation["authors"] == project["authors"]

"""Every experiment on tiny settings: it runs, and writes its files. The numbers mean nothing here.

Run with the Python of build/python-env, where the package is installed: tools/test.sh package. What needs data that are not there is skipped by name.
"""
import importlib
import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from experiments import common, paper  # noqa: E402

HELPERS = {"common", "paper", "scoring", "mnist", "genesets", "nulls", "backgrounds", "program_runs"}


def options(out, *flags):
    return common.arguments("", ["--quick", "--threads", "2", "--out", str(out), *flags])


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


@pytest.mark.parametrize("name", paper.EXPERIMENTS)
def test_runs_on_tiny_settings(name, out):
    module = importlib.import_module(f"experiments.{name}")
    status = common.run_study(name, module.__doc__.splitlines()[0], module.run, options(out))
    numbers = json.loads((out / name / "numbers.json").read_text())
    assert numbers["status"] == status and numbers["quick"]
    if status.startswith("skipped: data not there"):
        pytest.skip(f"{name}: {status}")
    assert status == "done"
    assert numbers["summary"] and numbers["tables"]
    assert (out / name / "figure.svg").stat().st_size > 1000
    assert "## Summary" in (out / name / "table.md").read_text()


def test_every_experiment_is_run_by_make_paper():
    files = {path.stem for path in (ROOT / "experiments").glob("*.py")} - HELPERS - {"__init__"}
    assert files == set(paper.EXPERIMENTS)


def test_summary_page_has_a_row_for_every_experiment(out):
    page = paper.page(out, paper.EXPERIMENTS, failed=["hard"])
    assert all(any(line.startswith(f"| {name} ") or line.startswith(f"| [{name}](") for line in page.splitlines()) for name in paper.EXPERIMENTS)
    assert "failed, see its output" in page


def test_without_data_an_experiment_is_skipped_by_name(tmp_path):
    module = importlib.import_module("experiments.tarp")
    status = common.run_study("tarp", "", module.run, options(tmp_path, "--data", str(tmp_path / "nowhere")))
    assert status == "skipped: data not there: hyperspectral/single_cubes/jasperRidge2_R198.mat"


def test_a_result_is_kept_by_its_settings(tmp_path):
    calls = []

    def work(a):
        calls.append(a)
        return {"value": 2 * a, "nothing": float("nan")}

    study = common.Study("kept", options(tmp_path))
    assert [study.cached(work, a=a)["value"] for a in (1, 2, 1)] == [2, 4, 2]
    assert calls == [1, 2]
    again = common.Study("kept", options(tmp_path, "--fresh"))
    assert again.cached(work, a=1) == {"value": 2, "nothing": None}
    assert calls == [1, 2, 1]


def test_calls_in_processes_of_their_own_give_the_same(tmp_path):
    settings = [{"values": [0, 1, k]} for k in (2, 5, 9)]
    study = common.Study("apart", common.arguments("", ["--threads", "2", "--out", str(tmp_path)]))
    found = study.each(common.half_width, settings, apart=True)
    assert found == [(setting, common.half_width(**setting)) for setting in settings]
    assert len(list((tmp_path / "apart" / "cache").iterdir())) == len(settings)

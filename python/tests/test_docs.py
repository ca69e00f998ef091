"""The documentation: every block of Python runs, the site builds without a warning, links lead somewhere."""
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page, language):
    return [text for tag, text in BLOCK.findall(page.read_text(encoding="utf-8")) if tag == language]


WITH_PYTHON = [page for page in PAGES if blocks(page, "python")]


def environment():
    path = sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"]
    return {**os.environ, "MPLBACKEND": "Agg", "PATH": path}


def run_python(text, folder):
    return subprocess.run([sys.executable, "-W", "error::DeprecationWarning:disc", "-c", text], cwd=folder, env=environment(),
                          capture_output=True, text=True)


# What the text around the blocks says is there.
BEFORE = {
    "outputs": """import subprocess
subprocess.run("disc simulate newly-connected --samples 300 -o . -q && disc run A.npy B.npy -o out -q --permutations 0",
               shell=True, check=True)""",
    "formats": """import numpy as np
values, genes, cells = np.ones((2, 3)), ["a", "b", "c"], ["x", "y"]""",
}
# The data of tutorials are not shipped; small files with the same names and labels stand in.
STAND_INS = {name: f"import sys; sys.path.insert(0, {str(ROOT / 'docs' / 'tutorials')!r}); import stand_ins; stand_ins.make('.', ['{name}'])"
             for name in ("kang", "kang-scanpy", "glioblastoma", "mouse-proteins", "abide", "landscape", "mnist")}
# The answers that the pages state; for stand-ins, what was planted.
AFTER = {
    "single-cell": "in_group = set(adata.var_names[adata.var['disc_group_stim'] > 0]); assert {f'gene{j}' for j in range(20, 35)} <= in_group and len(in_group) <= 16",
    "fmri": "assert set(group.features) == {f'region {j}' for j in range(61, 76)} and not found.groups['control']",
    "remote-sensing": "assert overlap > 0.9 and not found.groups['before']",
    "arrays": "assert found.groups['six'] and search.best_score_ > 0.95",
    "kang": "assert set(group.features) <= set(stand_ins.INTERFERON) and len(group) >= 8",
    "kang-scanpy": """assert set(adata.var_names[adata.var['disc_group_STIM'] > 0]) <= set(stand_ins.INTERFERON) and (adata.var['disc_group_STIM'] > 0).sum() >= 8
tested = monocytes.to_frame()
tested = tested.set_index('set'); assert tested['p']['HALLMARK_INTERFERON_GAMMA_RESPONSE'] < 0.01""",
    "glioblastoma": "assert found.summary['statistics']['min_p'] == 0.0625 and not found.groups['panobinostat'] and cells.groups['panobinostat']",
    "mouse-proteins": "assert found.summary['statistics']['units'] == 24",
    "abide": "assert set(found.groups['open'][0].features) == {f'f{j}' for j in range(31, 41)}",
    "landscape": "assert roc_auc_score(changed[marked], pixels[marked]) > 0.9 and roc_auc_score(tarp.ravel(), found_here.ravel()) > 0.99",
    "mnist": "assert found.groups['9'] and disc_score > 0.95 and abs(disc_score - pca_score) < 0.05",
    "python": "assert set(found.groups['treated'][0].features[:8]) == {f'f{j}' for j in range(1, 9)} and len(found.groups['treated'][0]) <= 9",
}


# The names of files in the commands of README.
COMMANDS_BEFORE = {"README": STAND_INS["glioblastoma"] + """
import anndata
cells = anndata.read_h5ad("glioblastoma.h5ad")
cells.obs = cells.obs.rename(columns={"patient_id": "donor"})
cells.write_h5ad("data.h5ad")""",
                   "designs": STAND_INS["glioblastoma"].replace("['glioblastoma']", "['glioblastoma', 'mouse-proteins']")}
# What the commands leave.
LEFT = {"README": "out/report.html", "designs": "plan.txt", "cli": "toy/out/groups.tsv", "kang": "kang/enrichment.tsv", "abide": "eyes/groups.tsv", "landscape": "taizhou/features.tsv"}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sh")], ids=lambda page: page.stem)
def test_blocks_of_commands_run(page, tmp_path):
    done = run_python(COMMANDS_BEFORE.get(page.stem, STAND_INS.get(page.stem, "")), tmp_path)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(["bash", "-e", "-c", "\n".join(blocks(page, "sh"))], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / LEFT[page.stem]).stat().st_size > 0


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.stem)
def test_blocks_of_python_run(page, tmp_path):
    """All blocks of a page, one after the other, in an empty folder."""
    if "import scanpy" in "".join(blocks(page, "python")):
        pytest.importorskip("scanpy")
    text = "\n".join([BEFORE.get(page.stem, STAND_INS.get(page.stem, "")), *blocks(page, "python"), AFTER.get(page.stem, "")])
    done = run_python(text, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)], cwd=ROOT,
                          capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    for page in WITH_PYTHON:
        if page.parent.name not in ("start", "tutorials"):
            continue
        cells = json.loads((tmp_path / page.parent.name / f"{page.stem}.ipynb").read_text())["cells"]
        assert ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"] == [
            text.strip("\n") for text in blocks(page, "python")]
    api = (tmp_path / "python.html").read_text()
    for name in ("disc.run(", "association_z", "disc.DiSC(", "disc.pl.image("):
        assert name in api


def test_links_of_the_readme_and_the_pages_lead_somewhere():
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append((page.name, target))
    assert broken == []

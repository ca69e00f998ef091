"""A process whose locale writes decimals with a comma, as programs with windows set it, gets the same numbers."""
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

SCRIPT = """
import json, locale, sys
import disc_features as disc
import numpy as np
if sys.argv[1]:
    locale.setlocale(locale.LC_ALL, sys.argv[1])
    assert locale.localeconv()["decimal_point"] == ","
generator = np.random.default_rng(0)
values = [generator.normal(size=(80, 30)) for _ in range(2)]
values[0][:, :6] += generator.normal(size=(80, 1)) * 1.5
analysis = disc.run(dict(zip("AB", values)), permutations=9, bootstraps=0, level=0.15, association_z=1.25)
analysis.save(sys.argv[2])
"""


def results(folder, name, locale_path):
    out = folder / (name or "plain")
    env = {**os.environ, "LOCPATH": str(locale_path)}
    subprocess.run([sys.executable, "-c", SCRIPT, name, out], env=env, check=True, timeout=120)
    page = (out / "report.html").read_text() if (out / "report.html").exists() else ""
    return json.loads((out / "summary.json").read_text()), re.findall(r'<script id="data"[^>]*>(.*?)</script>', page, re.S)


def test_a_decimal_comma_changes_nothing(tmp_path):
    if shutil.which("localedef") is None:
        pytest.skip("there is no localedef")
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], capture_output=True)
    if not (tmp_path / "de_DE.UTF-8").exists():
        pytest.skip(f"no German locale here: {made.stderr}")
    (plain, page), (german, german_page) = (results(tmp_path, name, tmp_path) for name in ("", "de_DE.UTF-8"))
    assert german["settings"] == plain["settings"]
    assert german["settings"]["given"]["level"] == 0.15
    assert german["conditions"] == plain["conditions"]
    assert len(german_page) == len(page)

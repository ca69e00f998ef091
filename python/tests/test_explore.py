"""disc.explore: a server as a child, shown in a notebook."""
import gc
import json
import urllib.error
import urllib.request

import disc_features as disc
import numpy as np
import pytest
from disc_features import _core

pytestmark = pytest.mark.skipif(not _core.has_report_page(), reason="built without the report page")


def page(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read().decode()


def ask(url, name, question):
    request = urllib.request.Request(f"{url}ask/{name}", json.dumps(question).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("explore")
    found = disc.simulate("newly-connected", samples=120, seed=1)
    files = {}
    for name, values in found.conditions.items():
        np.save(place / f"{name}.npy", values)
        files[name] = place / f"{name}.npy"
    disc.run(list(files.values()), permutations=39, bootstraps=0).save(place / "out")
    return place / "out"


def test_the_page_of_a_folder_is_served_until_it_is_stopped(folder):
    exploration = disc.explore(folder)
    assert exploration.url in exploration._repr_html_() and exploration.url in repr(exploration)
    assert page(exploration.url).lower().startswith("<!doctype html")
    features = [f"f{k}" for k in range(151, 176)]
    assert ask(exploration.url, "test", {"sets": [{"name": "a", "features": features}]})["tests"][0]["p"] <= 0.05
    exploration.stop()
    exploration.stop()
    assert "ended" in repr(exploration)
    with pytest.raises(urllib.error.URLError):
        page(exploration.url)


def test_an_analysis_is_served_and_ends_with_its_object(analysis):
    with disc.explore(analysis, height=500) as exploration:
        assert "f11" in page(exploration.url) or "DecompressionStream" in page(exploration.url)
        assert 'height="500"' in exploration._repr_html_()
        with pytest.raises(urllib.error.HTTPError):
            ask(exploration.url, "about", {})
    other = disc.explore(analysis)
    url = other.url
    del other
    gc.collect()
    with pytest.raises(urllib.error.URLError):
        page(url)


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(disc.Error, match="summary.json"):
        disc.explore(tmp_path)
    with pytest.raises(disc.InputError, match="folder"):
        disc.explore(3)

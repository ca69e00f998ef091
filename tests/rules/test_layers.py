"""Stages include only themselves and stages to their left."""
import re

import pytest
from rule_helpers import PUBLIC_HEADERS, ROOT, STAGES, read, shown, stage_of_header

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def included_stage(name, own):
    """The stage an #include belongs to, or None for what is not ours."""
    if name.startswith("disc/"):
        return stage_of_header(name.removeprefix("disc/").removesuffix(".hpp"))
    folder, _, rest = name.partition("/")
    if rest and folder in STAGES:
        return folder
    if not rest and name.endswith(".hpp") and (ROOT / "src" / own / name).is_file():
        return own
    return None


def violations(text, own):
    allowed = STAGES[:STAGES.index(own) + 1]
    found = []
    for name in INCLUDE.findall(text):
        stage = included_stage(name, own)
        if stage is not None and stage not in allowed:
            found.append(name)
    return found


@pytest.mark.parametrize("stage", STAGES)
def test_sources_include_only_stages_to_the_left(stage):
    wrong = {shown(path): bad for path in sorted((ROOT / "src" / stage).glob("*.[ch]pp"))
             if (bad := violations(read(path), stage))}
    assert not wrong


@pytest.mark.parametrize("header", [h for h in PUBLIC_HEADERS if h.stem != "disc"], ids=lambda h: h.stem)
def test_public_headers_include_only_stages_to_the_left(header):
    assert stage_of_header(header.stem) in STAGES
    text = read(header)
    assert violations(text, stage_of_header(header.stem)) == []
    private = [name for name in INCLUDE.findall(text) if name.endswith(".hpp") and not name.startswith("disc/")]
    assert private == [], "public headers must not include private ones"


def test_every_folder_of_sources_is_a_stage():
    assert {path.name for path in (ROOT / "src").iterdir() if path.is_dir()} <= set(STAGES)


def test_disc_hpp_includes_every_public_header():
    included = set(INCLUDE.findall(read(ROOT / "include" / "disc" / "disc.hpp")))
    assert included == {f"disc/{header.name}" for header in PUBLIC_HEADERS if header.stem != "disc"}


def test_the_rule_notices_a_violation():
    assert violations('#include "disc/pipeline.hpp"\n#include <vector>\n', "graph") == ["disc/pipeline.hpp"]
    assert violations('#include "groups/silhouette.hpp"\n', "io") == ["groups/silhouette.hpp"]
    assert violations('#include "disc/options.hpp"\n', "groups") == ["disc/options.hpp"]
    assert violations('#include "matrix/blas.hpp"\n#include "disc/base.hpp"\n', "graph") == []

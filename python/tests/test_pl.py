"""FigureData show what the result says."""
import disc_features as disc
import numpy as np
import pytest
from conftest import GROUP

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def test_significance(analysis):
    ax = disc.pl.significance(analysis)
    for line, condition in zip(ax.lines, ("A", "B")):
        np.testing.assert_array_equal(line.get_ydata(), analysis.sigma[condition])


def test_vectors(analysis):
    ax = disc.pl.vectors(analysis, "B", top=3)
    np.testing.assert_array_equal(ax.collections[1].get_offsets()[:, 1], analysis.vectors["B"][:, 0])
    assert {text.get_text() for text in ax.texts} <= {f"f{j + 1}" for j in GROUP}
    with pytest.raises(disc.InputError, match="has vectors 1 to"):
        disc.pl.vectors(analysis, "B", vector=99)


def test_weights(analysis):
    ax = disc.pl.weights(analysis, top=5)  # the first condition that has groups
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(analysis.groups["B"][0].weights)[-5:]
    with pytest.raises(disc.InputError, match="condition 'B' has 1 groups; there is no group 2"):
        disc.pl.weights(analysis, "B", group=2)


def test_group_graph(analysis):
    ax = disc.pl.group_graph(analysis)
    edges = analysis.groups["B"][0].evidence["edges_gained"]
    nodes = {name for edge in edges for name in (edge["a"], edge["b"])}
    assert {text.get_text() for text in ax.texts} == nodes
    assert len(ax.lines) == len(edges) + len(nodes)


@pytest.mark.parametrize("values", ["groups", "energy", 1])
def test_image(analysis, values):
    ax = disc.pl.image(analysis, (6, 10), "B", values=values)
    pixels = np.asarray(ax.images[0].get_array()).ravel()
    assert pixels.shape == (60,)
    if values == "groups":
        assert list(np.flatnonzero(pixels == 1)) == GROUP
    with pytest.raises(disc.InputError, match="60 features, the picture 64 pixels"):
        disc.pl.image(analysis, (8, 8))


def test_embedding(adata):
    disc.tl.differential(adata, by="condition", permutations=19, bootstraps=0)
    adata.obsm["X_pca"] = np.asarray(adata.X[:, :2])
    ax = disc.pl.embedding(adata, "pca")
    assert len(ax.collections[0].get_offsets()) == adata.n_obs
    with pytest.raises(disc.InputError, match="there is no embedding 'X_tsne' in obsm; there are X_pca"):
        disc.pl.embedding(adata, "tsne")


def test_axes_are_used_where_given(analysis):
    figure, ax = pyplot.subplots()
    assert disc.pl.significance(analysis, ax=ax) is ax
    with pytest.raises(disc.InputError, match="there is no condition 'C'"):
        disc.pl.weights(analysis, "C")


@pytest.mark.parametrize("draw", [disc.pl.weights, disc.pl.group_graph])
def test_no_plot_fails_where_there_is_no_group(analysis, draw):
    assert analysis.groups["A"] == []
    ax = draw(analysis, "A")
    assert "no group of features is connected" in ax.texts[0].get_text()


def test_figures_can_be_saved_and_shown(analysis, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(pyplot, "show", lambda: shown.append(True))
    _, ax = pyplot.subplots()
    assert disc.pl.weights(analysis, ax=ax, save=tmp_path / "weights.png", show=True) is ax
    assert (tmp_path / "weights.png").read_bytes().startswith(b"\x89PNG") and shown == [True]


def test_an_embedding_that_is_not_there_is_called_by_its_name(adata):
    disc.tl.differential(adata, groupby="condition", permutations=19, bootstraps=0)
    with pytest.raises(disc.InputError, match="there is no embedding 'X_umap' in obsm; there are none; scanpy.tl.umap makes it"):
        disc.pl.embedding(adata)

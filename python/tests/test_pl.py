"""Figures show what the result says."""
import disc_features as disc
import numpy as np
import pytest
from conftest import GROUP
from scipy.stats import norm

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def test_significance(analysis):
    ax = disc.pl.singular_values(analysis)
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
    with pytest.raises(disc.InputError, match="condition 'B' has no group 2; there are 1"):
        disc.pl.weights(analysis, "B", group=2)


def correlations(values, names):
    """Of normal scores, as the run has them."""
    columns = [int(name[1:]) - 1 for name in names]
    ranks = np.argsort(np.argsort(values[:, columns], axis=0), axis=0)
    return np.corrcoef(norm.ppf((ranks + 0.5) / len(values)).T)


def test_heatmap(analysis, conditions):
    parts = disc.pl.heatmap(analysis)  # the condition that has the group
    names = [label.get_text() for label in parts[0].get_yticklabels()]
    assert set(names) <= {f"f{j + 1}" for j in GROUP} and len(names) >= 10
    drawn = [np.asarray(part.images[0].get_array().filled(np.nan)) for part in parts]
    off = ~np.eye(len(names), dtype=bool)
    for values, of_condition in zip(drawn, conditions.values()):
        assert np.abs(values - correlations(of_condition, names))[off].max() < 0.02
    np.testing.assert_allclose(drawn[2][off], (drawn[1] - drawn[0])[off])
    assert [part.get_title()[:3] for part in parts[:2]] == ["A: ", "B: "] and parts[2].get_title() == "B less A"
    assert len(disc.pl.heatmap(analysis, "B", top=4)[0].get_yticklabels()) == 4


def test_network(analysis):
    parts = disc.pl.network(analysis, names=3)
    places = [part.collections[0].get_offsets() for part in parts]
    np.testing.assert_array_equal(places[0], places[1])
    solid = [sum(line.get_linestyle() == "-" for line in part.lines) for part in parts]
    assert solid[1] > 10 and solid[0] < solid[1] and len(parts[0].lines) == len(parts[1].lines) <= 100
    assert [len(part.texts) for part in parts] == [3, 3]
    assert len(disc.pl.network(analysis, max_lines=7)[0].lines) == 7
    assert "no pair of the group has" in disc.pl.network(analysis, min_correlation=1.1)[0].texts[0].get_text()


def test_pair(analysis, conditions):
    parts = disc.pl.pair(analysis, "f11", "f12")
    for part, values in zip(parts, conditions.values()):
        shown = np.asarray(part.collections[0].get_offsets())
        assert len(shown) == len(values)
        r = float(part.get_title().split("= ")[1])
        assert abs(r - np.corrcoef(values[:, [10, 11]].T)[0, 1]) < 0.15
    assert parts[0].get_xlim() == parts[1].get_xlim() and parts[0].get_ylim() == parts[1].get_ylim()
    low, high = parts[0].get_ylim()
    assert low < min(values[:, 11].min() for values in conditions.values()) and high > max(values[:, 11].max() for values in conditions.values())
    assert parts[0].get_xlabel() == "f11" and parts[0].get_ylabel() == "f12"
    most = analysis.groups["B"][0].evidence["edges_gained"][0]
    assert disc.pl.pair(analysis)[0].get_xlabel() == most["a"]
    with pytest.raises(disc.InputError, match="give both, or none"):
        disc.pl.pair(analysis, "f11")
    with pytest.raises(disc.InputError, match="kept no values of 'f60'"):
        disc.pl.pair(analysis, "f11", "f60")


def test_scores_of_samples_and_of_units(analysis, adata):
    dots = [np.asarray(one.get_offsets()) for one in disc.pl.scores(analysis).collections]
    assert [len(one) for one in dots] == [120, 130] and dots[1][:, 1].std() > 2 * dots[0][:, 1].std()
    disc.tl.differential(adata, by="condition", unit="donor", permutations=19, bootstraps=0)
    ax = disc.pl.scores(adata)
    assert [len(one.get_offsets()) for one in ax.collections] == [12, 12] and ax.get_ylabel() == "mean correlation within the group"
    assert len(ax.lines) == 12  # the same donor in both conditions
    assert disc.pl.scores(adata, value="score").get_ylabel() == "mean of the members"
    with pytest.raises(disc.InputError, match="there is no value 'mean' of units"):
        disc.pl.scores(adata, value="mean")


def test_enrichment(conditions, analysis, quick, tmp_path):
    names = [f"f{j + 1}" for j in range(60)]
    (tmp_path / "sets.gmt").write_text("HALLMARK_SOME_LIGHT\t\t" + "\t".join(names[10:22]) + "\nother\t\t" + "\t".join(names[15:50]) + "\n")
    found = disc.run(conditions, genesets=tmp_path / "sets.gmt", **quick)
    ax = disc.pl.enrichment(found)
    rows = found.to_frame("enrichment").sort_values("p", ascending=False)
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "some light"
    np.testing.assert_allclose([bar.get_width() for bar in ax.patches], -np.log10(rows["q"]))
    assert "the run had no named sets" in disc.pl.enrichment(analysis).texts[0].get_text()


@pytest.mark.parametrize("values", ["groups", "energy", 1])
def test_image(analysis, values):
    ax = disc.pl.image(analysis, (6, 10), "B", values=values)
    pixels = np.asarray(ax.images[0].get_array()).ravel()
    assert pixels.shape == (60,)
    if values == "groups":
        assert list(np.flatnonzero(pixels == 1)) == GROUP
    with pytest.raises(disc.InputError, match="60 features, the picture 64 pixels"):
        disc.pl.image(analysis, (8, 8))


def test_an_image_of_pixels_named_by_row_and_column():
    random = np.random.default_rng(0)
    names = [f"r{row}c{column}" for column in range(1, 6) for row in range(1, 5)]  # not in the order of the image
    found = disc.run({name: random.normal(size=(30, 20)) for name in "AB"}, features=names, permutations=0, bootstraps=0)
    energy = dict(zip(found.features, found.energy["B"]))
    for order in "CF":
        pixels = np.asarray(disc.pl.image(found, (4, 5), "B", values="energy", order=order).images[0].get_array())
        assert pixels[3, 1] == energy["r4c2"] and pixels[0, 4] == energy["r1c5"]


def test_embedding(adata):
    disc.tl.differential(adata, by="condition", permutations=19, bootstraps=0)
    adata.obsm["X_pca"] = np.asarray(adata.X[:, :2])
    ax = disc.pl.embedding(adata, "pca")
    assert len(ax.collections[0].get_offsets()) == adata.n_obs
    with pytest.raises(disc.InputError, match="there is no embedding 'X_tsne' in obsm; there are X_pca"):
        disc.pl.embedding(adata, "tsne")


def test_axes_are_used_where_given(analysis):
    figure, ax = pyplot.subplots()
    assert disc.pl.singular_values(analysis, ax=ax) is ax
    with pytest.raises(disc.InputError, match="there is no condition 'C'"):
        disc.pl.weights(analysis, "C")


@pytest.mark.parametrize("draw", ["weights", "heatmap", "network", "scores", "enrichment"])
def test_no_plot_fails_where_there_is_no_group(analysis, draw):
    assert analysis.groups["A"] == []
    ax = np.ravel(getattr(disc.pl, draw)(analysis, "A"))[0]
    assert "no group of features is connected" in ax.texts[0].get_text()


def test_no_plot_fails_where_nothing_was_found(quick):
    random = np.random.default_rng(5)
    found = disc.run({"A": random.normal(size=(40, 20)), "B": random.normal(size=(40, 20))}, **quick)
    assert not any(found.groups.values())
    for draw in (disc.pl.singular_values, disc.pl.vectors, disc.pl.weights, disc.pl.heatmap, disc.pl.network, disc.pl.pair, disc.pl.scores, disc.pl.enrichment):
        assert np.ravel(draw(found))[0].figure is not None


def test_axes_of_several_parts_are_used_where_given(analysis, tmp_path):
    _, given = pyplot.subplots(1, 3)
    assert list(disc.pl.heatmap(analysis, ax=given, save=tmp_path / "heatmap.pdf")) == list(given)
    assert (tmp_path / "heatmap.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(disc.InputError, match="the figure has 2 parts, so ax must hold 2 axes, not 3"):
        disc.pl.network(analysis, ax=given)


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

"""What the tables and messages of a run say about its answer: p and q that belong together, no p-value for what is not tested."""
import numpy as np

from program import disc, run_ok, summary, two_conditions, write_csv


def files(tmp_path):
    return [write_csv(tmp_path / f"{name}.csv", values) for name, values in zip("AB", two_conditions(samples=80))]


def test_clear_groups_have_a_small_p_and_a_q_that_is_not_larger(tmp_path, out):
    run_ok(*files(tmp_path), "--permutations", "99", "--bootstraps", "0", "-o", out)
    groups = [group for condition in summary(out)["conditions"] for group in condition["groups"]]
    assert len(groups) >= 2
    for group in groups:
        assert group["p"] <= 0.05
        assert group["q"] <= group["p"]  # p is corrected for all groups, q is the share of false ones among those reported


def test_vectors_carry_no_p_value(tmp_path, out):
    run_ok(*files(tmp_path), "--permutations", "19", "--bootstraps", "0", "-o", out)
    for condition in summary(out)["conditions"]:
        assert len(condition["sigma"]) > 0
        assert not {"p", "vector_p"} & condition.keys()


def test_one_name_that_occurs_twice_is_told_in_the_singular(tmp_path):
    table = tmp_path / "twice.csv"
    table.write_text("g1,g2,g2,g3\n1,2,3,4\n2,3,1,5\n3,1,4,2\n")
    done = disc("inspect", table)
    assert done.returncode == 0
    said = done.stdout + done.stderr
    assert "g2-1" in said and "names of features occur" not in said


def test_arrays_with_a_shape_are_images_of_a_few_bands(tmp_path, out):
    generator = np.random.default_rng(0)
    names = [tmp_path / f"{name}.npy" for name in "AB"]
    for name in names:
        np.save(name, generator.normal(size=(8, 100)) + generator.normal(size=(8, 1)))
    run_ok(*names, "--shape", "10x10", "--permutations", "0", "--bootstraps", "0", "-o", out)
    assert summary(out)["settings"]["used"]["scores"] == "values"
    run_ok(*names, "--permutations", "0", "--bootstraps", "0", "-o", out)
    assert summary(out)["settings"]["used"]["scores"] != "values"

"""Wrong input and wrong usage: the exit code, one clear sentence, nothing left behind."""

import os
import resource
import subprocess

import numpy as np
import pytest

from program import OUTPUT_FILES, disc, refused, run_ok, two_conditions, write_csv


def good_csv(tmp_path, name="good.csv"):
    return write_csv(tmp_path / name, two_conditions(samples=40)[0])


def bad_csv(tmp_path, text):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    return path


def refused_beside_good(tmp_path, out, bad, says, code=3):
    return refused(code, "run", good_csv(tmp_path), bad, "-o", out, says=says, out=out)


# ---- files ----


def test_missing_file(tmp_path, out):
    refused_beside_good(tmp_path, out, tmp_path / "absent.csv", says="absent.csv")


def test_folder_in_place_of_a_file(tmp_path, out):
    (tmp_path / "folder").mkdir()
    refused_beside_good(tmp_path, out, tmp_path / "folder", says="folder")


def test_empty_file(tmp_path, out):
    refused_beside_good(tmp_path, out, bad_csv(tmp_path, ""), says=["bad.csv", "empty"])


def test_only_a_header(tmp_path, out):
    refused_beside_good(tmp_path, out, bad_csv(tmp_path, "x,y,z\n"), says="bad.csv")


def test_ragged_row(tmp_path, out):
    bad = bad_csv(tmp_path, "x,y,z\n1,2,3\n4,5\n6,7,8\n")
    refused_beside_good(tmp_path, out, bad, says=["bad.csv:3", "2", "3"])


def test_text_in_a_number_cell(tmp_path, out):
    bad = bad_csv(tmp_path, "x,y,z\n1,2,3\n4,oops,6\n7,8,9\n")
    refused_beside_good(tmp_path, out, bad, says=["bad.csv:3:2", "oops"])


@pytest.mark.parametrize("value, word", [(np.nan, "NaN"), (np.inf, "Inf"), (-np.inf, "-Inf")])
def test_values_that_are_not_finite(tmp_path, out, value, word):
    a, b = two_conditions(samples=40)
    b[6, 4] = value
    bad = write_csv(tmp_path / "bad.csv", b)
    refused_beside_good(tmp_path, out, bad, says=["bad.csv", word, "gene5", "cell7"])


def test_no_common_features(tmp_path, out):
    values = two_conditions(samples=40)[0]
    bad = write_csv(tmp_path / "bad.csv", values, features=[f"other{j}" for j in range(values.shape[1])])
    refused_beside_good(tmp_path, out, bad, says=["no feature", "gene1", "other0"])


def test_numbers_of_unnamed_features_differ(tmp_path, out):
    np.save(tmp_path / "a.npy", np.random.default_rng(0).normal(size=(30, 20)))
    np.save(tmp_path / "b.npy", np.random.default_rng(1).normal(size=(30, 21)))
    refused(3, "run", tmp_path / "a.npy", tmp_path / "b.npy", "-o", out, says=["20", "21"], out=out)


def test_one_sample(tmp_path, out):
    bad = write_csv(tmp_path / "bad.csv", two_conditions(samples=40)[1][:1])
    refused_beside_good(tmp_path, out, bad, says=["bad.csv", "1 sample"])


@pytest.mark.parametrize("features", [1, 2])
def test_fewer_features_than_needed(tmp_path, out, features):
    for name in "ab":
        np.save(tmp_path / f"{name}.npy", np.random.default_rng(0).normal(size=(30, features)))
    done = disc("run", tmp_path / "a.npy", tmp_path / "b.npy", "-o", out)
    assert done.returncode in (2, 3), done.stderr
    assert "feature" in done.stderr and "internal" not in done.stderr
    assert not out.exists()


def test_features_repeat(tmp_path, out):
    bad = bad_csv(tmp_path, "x,y,x\n1,2,3\n4,5,7\n")
    refused_beside_good(tmp_path, out, bad, says=["bad.csv", "'x'"])


def test_truncated_npy(tmp_path, out, pair):
    data = pair[1].read_bytes()
    for size in (4, 60, 200, len(data) - 1):
        (tmp_path / "bad.npy").write_bytes(data[:size])
        refused(3, "run", pair[0], tmp_path / "bad.npy", "-o", out, says="bad.npy", out=out)


def test_pickled_npy_is_refused(tmp_path, out, pair):
    np.save(tmp_path / "bad.npy", np.array([[1, "a"], [None, 2]], dtype=object), allow_pickle=True)
    refused(3, "run", pair[0], tmp_path / "bad.npy", "-o", out, says=["bad.npy", "object"], out=out)


def test_npy_that_is_no_matrix(tmp_path, out, pair):
    np.save(tmp_path / "bad.npy", np.zeros((3, 4, 5)))
    refused(3, "run", pair[0], tmp_path / "bad.npy", "-o", out, says="bad.npy", out=out)


def test_unknown_format(tmp_path, out, pair):
    (tmp_path / "bad.bin").write_bytes(bytes(range(256)) * 4)
    refused(3, "run", pair[0], tmp_path / "bad.bin", "-o", out, says="bad.bin", out=out)


def test_no_member_of_that_name_in_npz(tmp_path, out, pair):
    np.savez(tmp_path / "bad.npz", x=np.zeros((4, 4)), y=np.ones((4, 4)))
    refused(3, "run", pair[0], tmp_path / "bad.npz", "--variable", "z", "-o", out, says=["bad.npz", "z"], out=out)


# ---- options ----


@pytest.mark.parametrize(
    "words, says",
    [
        (["--bandwidth-neighbors", "0"], "--bandwidth-neighbors 0: must be a whole number of at least 1"),
        (["--bandwidth-neighbors", "-3"], "--bandwidth-neighbors -3: must be a whole number"),
        (["--bandwidth-neighbors", "2.5"], "--bandwidth-neighbors 2.5: must be a whole number"),
        (["--bandwidth-neighbors", "56"], "--bandwidth-neighbors 56"),  # as many as features
        (["--eigenvectors", "0"], "--eigenvectors 0"),
        (["--eigenvectors", "55"], "--eigenvectors 55"),  # features - 1
        (["--vectors", "56"], "--vectors 56"),
        (["--vectors", "0"], "--vectors 0"),
        (["--kernel", "gauss"], "must be one of self-tuning, adaptive"),
        (["--density-exponent", "2"], "--density-exponent 2: must be a number from 0 to 1"),
        (["--tolerance", "0"], "--tolerance 0"),
        (["--preset", "paper"], "must be one of paper-code, paper-text"),
        (["--names", "A"], "--names A: must name every condition"),
        (["--names", "A,A"], "twice"),
        (["--samples-in", "diagonal"], "--samples-in"),
        (["--delimiter", "xyz"], "--delimiter xyz"),
        (["--threads", "-1"], "--threads"),
        (["--threads", "many"], "--threads"),
        (["--seed", "-1"], "--seed"),
        (["--nonsense", "1"], "--nonsense"),
        (["--bandwidth-neighbors"], "--bandwidth-neighbors"),
        (["--bandwidth-neighbors", "3", "--bandwidth-neighbors", "4"], "--bandwidth-neighbors"),
    ],
)
def test_wrong_options(pair, out, words, says):
    refused(2, "run", *pair, "-o", out, *words, says=says, out=out)


def test_one_condition_is_not_enough(pair, out):
    refused(2, "run", pair[0], "-o", out, says="FILES", out=out)


@pytest.mark.parametrize("words", [[], ["rnu"], ["run"], ["simulate"], ["inspect"], ["score"], ["--nonsense"]])
def test_incomplete_command(words):
    refused(2, *words, says="--help)")


def test_unknown_problem_names_those_there_are(tmp_path, out):
    refused(2, "simulate", "nothing", "-o", out, says=["nothing", "newly-connected"], out=out)


# ---- places to write to ----


def test_file_in_place_of_the_output_folder(pair, tmp_path):
    (tmp_path / "taken").write_text("mine")
    refused(3, "run", *pair, "-o", tmp_path / "taken", says="taken")
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.parametrize("place", ["/proc/disc-out", "/sys/disc-out"])
def test_output_folder_that_cannot_be_made(pair, place):
    refused(3, "run", *pair, "-o", place, says=place, out=place)


def test_unwritable_place_is_found_before_the_work(tmp_path, pair):
    (tmp_path / "taken").write_text("mine")
    done = disc("run", *pair, "-o", tmp_path / "taken" / "deeper")
    assert done.returncode == 3
    assert "disc: read" not in done.stderr


def test_failing_leaves_no_folders_that_were_made(tmp_path):
    refused(3, "run", tmp_path / "no.csv", tmp_path / "no2.csv", "-o", tmp_path / "x" / "y" / "z", says="no.csv")
    assert not (tmp_path / "x").exists()


def with_small_files(*words):
    """A limit on the size of files stands for a full disk."""
    return disc(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)))


KEEPS_NOTHING = ("--checkpoint-after", "1000")  # on a busy machine a stage may take long enough to be worth keeping


def test_disk_full(pair, out):
    done = with_small_files("run", *pair, "-o", out, *KEEPS_NOTHING)
    assert done.returncode == 3, done.stderr
    assert str(out) in done.stderr
    assert not out.exists()


def test_disk_full_keeps_the_old_results(pair, out):
    run_ok(*pair, "-o", out)
    before = {name: (out / name).read_bytes() for name in OUTPUT_FILES}
    assert with_small_files("run", *pair, "-o", out, "--bandwidth-neighbors", "9", *KEEPS_NOTHING).returncode == 3
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_disk_really_full(pair, tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", place], capture_output=True
    ).returncode == 0
    if not mounted:
        pytest.skip("a small file system cannot be mounted here")
    try:
        refused(3, "run", *pair, "-o", place / "out", *KEEPS_NOTHING, says=str(place), out=place / "out")
        assert list(place.iterdir()) == []
    finally:
        subprocess.run(["umount", place], check=True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is not there")
def test_standard_output_full(pair, out):
    with open("/dev/full", "w") as full:
        done = disc("run", *pair, "-o", out, stdout=full)
    assert done.returncode == 3
    assert "standard output" in done.stderr


# ---- score ----


def test_score_without_results(tmp_path):
    (tmp_path / "truth.tsv").write_text("condition\tgroup\tfeature\n")
    refused(3, "score", tmp_path / "absent", "--truth", tmp_path / "truth.tsv", says="absent")


def test_score_with_a_table_that_lacks_a_column(pair, out, tmp_path):
    run_ok(*pair, "-o", out)
    (tmp_path / "truth.tsv").write_text("condition\tfeature\nA\tf1\n")
    refused(3, "score", out, "--truth", tmp_path / "truth.tsv", says=["truth.tsv", "group"])


def test_score_with_other_names_of_conditions(pair, out, tmp_path):
    run_ok(*pair, "-o", out, "--names", "one,two")
    (tmp_path / "truth.tsv").write_text("condition\tgroup\tfeature\nA\t1\tf1\n")
    refused(3, "score", out, "--truth", tmp_path / "truth.tsv", says=["'A'", "one, two"])

"""What the experiments on MNIST share: the images, meta-features, and the classifier."""
import functools
import gzip

import disc_features as disc
import numpy as np
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FILES = ["mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz",
         "mnist/t10k-labels-idx1-ubyte.gz"]
PIXELS = 784


def images(study, most=None):
    """Training images and labels, test images and labels; the first `most` of each digit."""
    files = tuple(study.needs(*FILES))
    return read(files, most)


@functools.lru_cache(1)
def read(files, most):
    arrays = []
    for file in files:
        with gzip.open(file) as stream:
            content = stream.read()
        arrays.append(np.frombuffer(content, np.uint8, offset=16).reshape(-1, PIXELS) / 255.0 if "images" in file.name
                      else np.frombuffer(content, np.uint8, offset=8))
    if most is None:
        return arrays
    parts = []
    for pixels, labels in (arrays[:2], arrays[2:]):
        keep = np.sort(np.concatenate([np.flatnonzero(labels == digit)[:most] for digit in range(10)]))
        parts += [pixels[keep], labels[keep]]
    return parts


def full(analysis, vectors):
    """Rows for all pixels; those that took no part get zeros."""
    whole = np.zeros((PIXELS, vectors.shape[1]))
    whole[[int(name[1:]) - 1 for name in analysis.features]] = vectors
    return whole


def used(analysis):
    return np.array([int(name[1:]) - 1 for name in analysis.features])


def cluster_sums(rows, pixels, clusters, drop, seed=0):
    """0/1 columns, one per cluster of the rows; `drop`: one cluster more is asked for, and the largest is excluded."""
    labels = KMeans(clusters + drop, n_init=10, random_state=seed).fit_predict(rows)
    kept = [label for label in np.argsort(-np.bincount(labels))[drop:]]
    columns = np.zeros((PIXELS, len(kept)))
    for place, label in enumerate(kept):
        columns[pixels[labels == label], place] = 1
    return columns


def accuracy(columns, data):
    """Test accuracy in per cent of logistic regression on standardized meta-features X @ columns."""
    train, train_labels, test, test_labels = data
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
    model.fit(train @ columns, train_labels)
    return 100 * model.score(test @ columns, test_labels)


def by_digit(images, labels):
    """Conditions for disc.run."""
    return {str(digit): images[labels == digit] for digit in np.unique(labels)}


def projections(analysis, each=None):
    """The leading vectors of all digits side by side."""
    return np.column_stack([full(analysis, values[:, :each]) for values in analysis.vectors.values()])

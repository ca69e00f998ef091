"""Two stochastic block models (section 3.3, appendix F, figures 13 and 14): numerical slopes against theory.

    python -m experiments.theory [--seeds 3]

W_A has communities of l and l + s nodes, W_B splits the second into l and s = l^alpha; edges within a community with probability 0.9, between with
0.1. On log-log axes, over l = 500 to 2000: lambda_3(W_B) should grow with slope alpha; the norm of
Q_WA W_B Q_WA - Q_EWA E[W_B] Q_EWA no faster than l^0.5 + l^(1.5 alpha - 0.5) (Q removes the two leading eigenvectors of W_A, or of its expectation).
And the share of nodes that are assigned wrongly by a threshold of 1 / (2 sqrt(s)) on the leading eigenvector of Q_WA W_B Q_WA, relative to s,
should fall as l grows, for 0.5 < alpha < 1 (theorem 1); with these probabilities nobody is wrong, so it is also measured with 0.6 and 0.3.
"""
import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh
from scipy.stats import t as student

from . import common

CLEAR, UNCLEAR = (0.9, 0.1), (0.6, 0.3)  # probabilities of an edge within and between communities


def expected(sizes, within, between):
    community = np.repeat(np.arange(len(sizes)), sizes)
    return np.where(community[:, None] == community, np.float32(within), np.float32(between))


def sampled(mean, random):
    upper = np.triu(random.random(mean.shape, dtype=np.float32) < mean, 1).astype(np.float32)
    return upper + upper.T


def leading(matrix, count, random):
    """Eigenpairs of largest magnitude, falling."""
    values, vectors = eigsh(matrix, count, which="LM", v0=random.standard_normal(matrix.shape[0]).astype(np.float32), tol=1e-6)
    order = np.argsort(-np.abs(values))
    return values[order], vectors[:, order]


def projected(W, Z):
    """Q W Q as an operator, Q = I - Z Z'."""
    def apply(x):
        x = x.reshape(-1).astype(np.float32)
        x = W @ (x - Z @ (Z.T @ x))
        return x - Z @ (Z.T @ x)
    return LinearOperator(W.shape, matvec=apply, dtype=np.float32)


def draw(l, alpha, seed, within=CLEAR[0], between=CLEAR[1]):
    random = np.random.default_rng([seed, l, int(100 * alpha)])
    s = round(l ** alpha)
    mean_a, mean_b = expected([l, l + s], within, between), expected([l, l, s], within, between)
    W_a, W_b = sampled(mean_a, random), sampled(mean_b, random)
    Z, Z_mean = leading(W_a, 2, random)[1], leading(mean_a, 2, random)[1]
    lambda_3 = np.sort(leading(W_b, 3, random)[0])[0]
    observed, wanted = projected(W_b, Z), projected(mean_b, Z_mean)
    difference = LinearOperator(W_b.shape, matvec=lambda x: observed.matvec(x) - wanted.matvec(x), dtype=np.float32)
    vector = leading(observed, 1, random)[1][:, 0]
    member = np.arange(len(vector)) >= 2 * l
    wrong = np.sum((np.abs(vector) > 1 / (2 * np.sqrt(s))) != member)
    return {"lambda_3": lambda_3, "numerator": abs(leading(difference, 1, random)[0][0]), "wrong": wrong / s}


def slope(x, y):
    """Of a line through the logarithms: estimate and half width of its 95 % interval."""
    x, y = np.log(x), np.log(y)
    (gradient, _), covariance = np.polyfit(x, y, 1, cov=True)
    return float(gradient), float(student.ppf(0.975, len(x) - 2) * np.sqrt(covariance[0, 0]))


def run(study):
    sizes, alphas = study.size([500, 707, 1000, 1414, 2000], [40, 60, 80]), study.size([0.6, 0.7, 0.8, 0.9], [0.8])
    settings = [{"l": l, "alpha": alpha, "seed": seed} for alpha in alphas for l in sizes for seed in study.seeds(3, 2)]
    found = {}
    for setting, result in study.each(draw, settings, apart=True):
        found.setdefault(setting["alpha"], []).append((setting["l"], result))
    rows, wrong = [], []
    for alpha, results in found.items():
        l = np.array([size for size, _ in results], dtype=float)
        third, numerator = (slope(l, np.array([r[key] for _, r in results])) for key in ("lambda_3", "numerator"))
        bound = max(0.5, 1.5 * alpha - 0.5)
        rows.append([alpha, f"{third[0]:.3f} ± {third[1]:.3f}", f"{numerator[0]:.3f} ± {numerator[1]:.3f}", bound])
        wrong.append([alpha, *(f"{np.mean([r['wrong'] for size, r in results if size == one]):.3f}" for one in sizes)])
        study.compare(f"alpha {alpha}: slope of lambda_3; of the norm of the difference", f"{alpha}; at most {bound:.2f}",
                      f"{third[0]:.3f} ± {third[1]:.3f}; {numerator[0]:.3f} ± {numerator[1]:.3f}", None,
                      "within 0.05" if abs(third[0] - alpha) <= 0.05 else "not within 0.05")
    study.table("Slopes on log-log axes with 95 % intervals", ["alpha", "lambda_3(W_B) (theory: alpha)", "norm of the difference",
                                                               "exponent of the bound"], rows)
    study.table("Wrongly assigned nodes, relative to s, by l", ["alpha", *sizes], wrong)
    unclear = {}
    for setting, result in study.each(draw, [{**setting, "within": UNCLEAR[0], "between": UNCLEAR[1]} for setting in settings if setting["seed"] == 1], apart=True):
        unclear.setdefault(setting["alpha"], []).append(result["wrong"])
    study.table("The same with probabilities 0.6 and 0.3, one replicate", ["alpha", *sizes], [[alpha, *(f"{w:.3f}" for w in values)] for alpha, values in unclear.items()])
    study.compare(f"share of wrongly assigned nodes, l = {sizes[0]} to {sizes[-1]}", "falls", "; ".join(
        f"alpha {alpha}: {values[0]:.2f} to {values[-1]:.2f}" for alpha, values in unclear.items()), None, "edges with 0.6 and 0.3")
    plt = common.pyplot()
    figure, axes = plt.subplots(1, 3, figsize=(10, 3))
    for axis, key, title in zip(axes, ("lambda_3", "numerator", "wrong"), ("lambda_3 of W_B", "norm of the difference", "wrongly assigned / s (0.6, 0.3)")):
        for alpha, results in found.items():
            mean = unclear[alpha] if key == "wrong" else [np.mean([r[key] for size, r in results if size == l]) for l in sizes]
            axis.plot(sizes, mean, "o-", ms=3, label=f"alpha {alpha}")
        axis.set(title=title, xlabel="l", xscale="log", yscale="linear" if key == "wrong" else "log")
        axis.set_xticks(sizes, labels=sizes)
        if key != "wrong":
            low, high = axis.get_ylim()
            axis.set_yticks(ticks := np.round(np.geomspace(low, high, 5)[1:-1]), labels=[f"{tick:.0f}" for tick in ticks])
        axis.minorticks_off()
    axes[1].legend(frameon=False, loc="lower right")
    figure.tight_layout()
    study.figure(figure)


if __name__ == "__main__":
    common.main(__doc__, run)

"""Keywords of disc.run and disc.simulate with their types, for editors and type checkers. Made by tools/generate.py."""
from typing import Literal, TypedDict, Union


class RunOptions(TypedDict, total=False):
    """Options of a run and of reading files; None stands for the default."""

    samples_in: Union[Literal["rows", "columns"], None]
    "Whether samples are the rows or the columns of the files. Default: rows."

    delimiter: Union[str, None]
    "What separates cells of text tables: one character, or tab, comma, semicolon, space. Default: auto."

    decimal: Union[Literal["point", "comma"], None]
    "What decimals are written with in text tables. Default: point."

    labels: Union[str, None]
    "Columns of text tables that describe the samples and are no features, beside those that hold words; columns that --by, --unit and the like name are such columns by themselves. Default: none."

    header: Union[Literal["yes", "no", "auto"], None]
    "Whether the first line of text tables holds names. Default: auto."

    row_names: Union[Literal["yes", "no", "auto"], None]
    "Whether the first column of text tables holds names. Default: auto."

    features_are: Union[Literal["pixels", "bands"], None]
    "Whether the features of image cubes are their pixels or their bands. Default: pixels."

    variable: Union[str, None]
    "Array to read from .npz, .mat and .hdf5 files, genome of 10x .h5 files. Default: the only one."

    axes: Union[str, None]
    "What each axis of an array is, sample or feature; needed where there are more than two. Default: a matrix, see --samples-in."

    feature_names: Union[str, None]
    "Where features have several names: id or name for 10x data, a column of var for .h5ad, a row attribute for .loom. Default: name, the index of var, Gene."

    atlas: Union[str, None]
    "Image of parcel numbers: features of .nii files are means over its parcels. Default: voxels."

    classes: Union[str, None]
    ".cls file with the classes of the samples of a .gct file. Default: that of the same name beside it."

    only_features: Union[str, None]
    "File with one name per line: other features are excluded; auto: none are. Default: auto."

    missing: Union[Literal["error", "drop-samples", "drop-features", "mean"], None]
    "Values that are NaN or infinite: stop with an error, leave out those samples, or those features in all conditions, or put the feature's mean in its condition in their place. Default: error."

    detrend: Union[bool, Literal["yes", "no"], None]
    "Remove from every feature its linear trend over the samples of a file, for time series. Default: no."

    normalize: Union[Literal["none", "log-cpm", "sqrt", "rank", "zscore", "auto"], None]
    "Log-cpm for counts of reads: samples are thinned so that all conditions have the same depths, and scaled to equal depth, before logarithms are taken. sqrt of every value. rank and zscore of every feature within its condition. auto: log-cpm where all conditions hold counts of reads, else none. Default: auto."

    select: Union[str, None]
    "Features that take part: all, the N of largest variance (variable:N), or those that are not zero in a share X of the samples (expressed:X), whatever the conditions. auto: expressed:0.05 with --normalize log-cpm if that leaves 100 features, else all. Default: auto."

    standardize_files: Union[bool, Literal["yes", "no", "auto"], None]
    "Center and scale every feature within each file of a condition; auto: where conditions are made of several dense files of at least 20 samples each. Default: auto."

    remove_global_signal: Union[bool, Literal["yes", "no", "auto"], None]
    "Remove what all features of a sample share, such as light on all pixels; yes: divided out where it multiplies positive values, as size factors do; auto: subtracted where three of four pairs of features correlate by more than 1/3 in every condition. Default: auto."

    shape: Union[str, None]
    "Features are the pixels of an image, line by line, such as 28x28: the report draws vectors and groups as images; it changes nothing else; auto: as the file says. Default: auto."

    distance: Union[Literal["euclidean", "correlation", "abs-correlation", "spearman", "normal-scores", "cosine", "auto"], None]
    "Distance between two features; auto: for the association kernel the correlation of the scores (see scores), euclidean otherwise. Default: auto."

    scores: Union[Literal["normal", "values", "ranks", "auto"], None]
    "As what values enter correlations, within each condition: normal scores of their ranks, so that no outlier and no tail counts for more than its rank; the values themselves; or ranks; where no distance is given; auto: normal; values for images of fewer than 16 bands. Default: auto."

    kernel: Union[Literal["self-tuning", "adaptive", "rbf", "association", "precomputed"], None]
    "How distances become weights; precomputed: the files hold the weights (features x features). Default: association."

    graph: Union[Literal["dense", "prototypes", "knn", "auto"], None]
    "Which pairs of features are looked at: all of them (dense), all of them through prototypes that stand for many like features (prototypes), or those of each feature and its nearest (knn); auto: dense up to 5,000 features, 20,000 for kernels other than association; with more, prototypes where these lose at most a quarter of the variance of the features, as in images, else knn. Default: auto."

    prototypes: Union[int, Literal["auto"], None]
    "Prototypes that features are put together into in the form prototypes; auto: 1500. Default: auto."

    knn: Union[int, Literal["auto"], None]
    "Features that each is connected with in the form knn; auto: 20. Default: auto."

    knn_search: Union[Literal["exact", "approximate", "auto"], None]
    "How the nearest features are found: exact compares all pairs, approximate only near ones; auto: exact where that takes no longer than about a minute. Default: auto."

    recall: Union[float, None]
    "Share of the nearest features that an approximate search must find; what it found is measured. Default: 0.99."

    bandwidth_neighbors: Union[int, Literal["auto"], None]
    "A feature's bandwidth is the distance to its K-th nearest, at most features - 1; auto: about log2(features); for self-tuning and adaptive. Default: auto."

    bandwidth: Union[float, Literal["auto"], None]
    "Bandwidth of rbf; auto: the median distance. Default: auto."

    association_power: Union[float, None]
    "Exponent of the correlation in the association kernel. Default: 1."

    association_cut: Union[Literal["soft", "hard", "fdr"], None]
    "How the association kernel removes sampling noise: soft (r - z/sqrt(n)), hard (r where above z/sqrt(n)), fdr (by a false-discovery bound). Default: soft."

    association_z: Union[float, None]
    "Z of the soft and hard cut. Default: 1.5."

    association_fdr: Union[float, None]
    "Share of false edges that the fdr cut allows. Default: 0.05."

    density_exponent: Union[float, None]
    "Weights are divided by the degrees to this power, against uneven density. Default: 0."

    degree_regularization: Union[float, Literal["auto"], None]
    "This many mean degrees are spread over all pairs, so that a feature connected to nothing does not become a component; auto: 1 for association, 0 for the others. Default: auto."

    self_weight: Union[float, Literal["auto"], None]
    "Weight of a feature with itself; auto: 0 for association, 1 for the others. Default: auto."

    negative_weights: Union[Literal["error", "zero", "absolute"], None]
    "What becomes of precomputed weights below zero, such as negative correlations. Default: error."

    precision: Union[Literal["double", "single"], None]
    "Numbers of the features x features matrices; single takes half the memory. Default: double."

    solver: Union[Literal["lapack", "lanczos", "chebyshev", "auto"], None]
    "Lapack: all eigenpairs, the reference; lanczos: block Lanczos; chebyshev: a subspace filtered by polynomials, for graphs of neighbors; auto: by the number of features. Default: auto."

    tolerance: Union[float, None]
    "Residual at which the solvers stop, relative to the largest value; at least 1e-6 in single precision. Default: 1e-10."

    max_restarts: Union[int, None]
    "Restarts after which the solvers give up. Default: 300."

    engine: Union[Literal["local", "mpi"], None]
    "Who does the work: local, this machine; mpi, all processes that mpirun or srun started, by PETSc and SLEPc (docs/distributed.md). Default: local."

    petsc_options: Union[str, None]
    "Options for PETSc and SLEPc, as on their command lines, such as \"-eps_ncv 200\"; for the engine mpi. Default: auto."

    method: Union[Literal["disc", "generalized", "regularized-inverse", "whitened", "diffusion-maps", "changing-data"], None]
    "What is computed from the graphs; diffusion-maps and changing-data are baselines. Default: disc."

    eigenvectors: Union[int, Literal["auto"], None]
    "Eigenvectors of each other condition that count as explained, at most features - 2. auto: for the association kernel those above the noise on which two halves of the samples agree; else 20, at most a quarter of the features. Default: auto."

    constant_vector: Union[Literal["keep", "drop"], None]
    "Whether the trivial eigenvector counts as explained too. Default: keep."

    vectors: Union[int, Literal["auto"], None]
    "Differential vectors per condition, at most features - 1; all lead if a number is given. auto: 10, or up to 60 where more are above the noise; those before the largest drop lead. Default: auto."

    epsilon: Union[float, None]
    "Ridge of the generalized method, relative to the mean degree. Default: 0.01."

    inverse_strength: Union[float, None]
    "Strength of the regularized-inverse method. Default: 1."

    whitening: Union[float, Literal["auto"], None]
    "Ridge of the whitened method; auto: the knee of the spectrum, at least 0.01. Default: auto."

    diffusion_time: Union[float, None]
    "Power of the eigenvalues in diffusion-maps and changing-data. Default: 1."

    grouping: Union[Literal["communities", "kmeans", "threshold", "auto"], None]
    "Communities of the condition's own graph, tested against the others; k-means on the rows of the differential vectors; or a threshold on each vector; auto: communities for the association kernel, kmeans for the others. Default: auto."

    groups: Union[int, Literal["auto"], None]
    "Number of groups per condition; auto: 2 to 10, by the best silhouette; for kmeans. Default: auto."

    drop_largest: Union[bool, Literal["yes", "no"], None]
    "K-means asks for one cluster more and drops the largest as background. Default: yes."

    restarts: Union[int, None]
    "Starts of k-means, of which the best is kept. Default: 20."

    min_group_size: Union[int, None]
    "Smaller groups are dropped. Default: 3."

    threshold_size: Union[int, Literal["auto"], None]
    "Size s of a group for the threshold 1 / (2 sqrt(s)); auto: the largest s that at least s features pass. Default: auto."

    permutations: Union[int, Literal["auto"], None]
    "Permutations of the units between the conditions, for p-values; all of them where fewer exist; 0: no p-values; auto: 199, fewer where nothing can become significant any more; for communities. Default: auto."

    max_permutations: Union[int, None]
    "Go on to so many permutations where p is the smallest that --permutations can give; 0: never. Default: 0."

    tail: Union[Literal["counted", "pareto"], None]
    "Where p is the smallest that the permutations can give: counted, nothing more; pareto, beside it an extrapolated p_tail, from a generalized Pareto distribution through their largest statistics. Default: counted."

    level: Union[float, None]
    "Groups with a larger p-value are only listed as candidates. Default: 0.05."

    block: Union[int, Literal["auto"], None]
    "Consecutive samples that stay together when labels are exchanged, where no unit is given; 0: every sample for itself. auto: as many as make blocks nearly independent where consecutive samples are alike, as in time series (correlation above 0.1). Default: auto."

    bootstraps: Union[int, Literal["auto"], None]
    "Bootstraps of the units, for the stability of groups and intervals; auto: 40, or half of the permutations. Default: auto."

    memory_limit: Union[str, None]
    "Memory the run may take, such as 8G; graphs are then made in the form that fits, and a run that does not fit is refused before it begins; auto: what the machine has. Default: auto."

    genesets: Union[str, None]
    "File of named sets of features (.gmt) that every group is compared with, into enrichment.tsv; auto: none. Default: auto."

    contrast: Union[str, None]
    "\"B vs A,C\": only what B has and A and C do not; auto: every condition against all others. Default: auto."


class SimulateOptions(TypedDict, total=False):
    """Options of a simulation; None stands for the default."""

    samples: Union[int, None]
    "Samples per condition (default: 10000, 124 for scene); not for block-model."

    features: Union[int, None]
    "Features in all: a multiple of the problem's own, or for scene a square number (default: 10000 for scene); not for block-model and hard."

    partial: Union[float, None]
    "Partial: how much of the connection is kept, from 0 to 1."

    block_size: Union[int, None]
    "Block-model: nodes of a large community."

    block_exponent: Union[float, None]
    "Block-model: the small community has block-size to this power nodes."

    block_within: Union[float, None]
    "Block-model: probability of an edge within a community."

    block_between: Union[float, None]
    "Block-model: probability of an edge between communities."

    rho: Union[float, None]
    "Hard: mean correlation within a group."

    variant: Union[str, None]
    "Hard: one of its variants."

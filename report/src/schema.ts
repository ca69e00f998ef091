// summary.json as a run writes it. Made by tools/generate.py from docs/outputs.toml.

export interface SummaryFile {
  /** Version of the program */
  version: string;
  /** Date and time at which the run began, UTC; `null` if the library was called without the program */
  date: string | null;
  /** What was asked for and what was used */
  settings: WrittenSettings;
  /** How many features took part, and why the others did not */
  features: WrittenFeatures;
  /** What was done to the data first, in order */
  preparation: WrittenPreparation[];
  /** Which pairs of features were looked at for vectors and energies */
  graph: WrittenGraph;
  /** How many features the components in samples.tsv were computed from; 0 where there are none */
  component_features: number;
  /** One entry per condition */
  conditions: WrittenCondition[];
  /** How the p-values were made; `null` where groups are made the paper's way */
  statistics: WrittenStatistics | null;
  /** The constants that decide results, as src/stats/policy.hpp has them; `null` where groups are made the paper's way */
  policy: WrittenPolicy[] | null;
  /** Sentences that change how to read the result: not converged, disconnected graph, vectors defined only as a plane, ... */
  warnings: string[];
  /** Whether all solvers reached their tolerance */
  converged: boolean;
  /** The files that were read */
  inputs: WrittenInput[];
  /** Seed of everything random */
  seed: number;
  /** Threads that were used; the result does not depend on them */
  threads: number;
  /** How long each stage took, in order */
  timings: WrittenTiming[];
  /** Largest resident memory of the process */
  peak_memory_bytes: number;
}

export interface WrittenSettings {
  /** Flags as the user gave them, numbers as numbers; what was given several times (`--condition`) has a line each */
  given: Record<string, unknown>;
  /** Every option of the table in [cli.md](cli.md) with the value that was used; `null`: did not apply */
  used: Record<string, unknown>;
}

export interface WrittenFeatures {
  /** Features of all files together */
  total: number;
  /** How many took part */
  used: number;
  /** Features that did not take part */
  excluded: WrittenFeaturesExcluded[];
}

export interface WrittenPreparation {
  /** The option and its value, such as `missing mean` */
  step: string;
  /** Where it was done; `null`: in all conditions together */
  condition: string | null;
  /** What is counted, such as `values replaced` or `features excluded` */
  changed: string;
  /** How many were changed */
  count: number;
}

export interface WrittenCondition {
  /** Name of the condition */
  name: string;
  /** Its name in vectors.npz */
  key: string;
  /** Number of samples */
  samples: number;
  /** Leading eigenvalues of the walk, falling: those whose eigenvectors are in `U_NAME` */
  eigenvalues: (number | null)[];
  /** Whether its groups were asked for (`--contrast`) */
  is_target: boolean;
  /** Eigenvectors of this condition that count as explained for the others */
  eigenvectors_used: number;
  /** How that number was chosen */
  dimensions: WrittenConditionDimensions;
  /** How the answer depends on the number of eigenvectors */
  sigma_by_eigenvectors: WrittenConditionSigmaByEigenvector[];
  /** Last of the eigenvalues minus the next one; near 0, the choice of `--eigenvectors` cuts between eigenvectors that the data do not tell apart */
  eigenvalue_gap: number;
  /** Connected components of the graph; more than 1: it falls apart */
  components: number;
  /** Dimension of what the other conditions explain */
  basis_rank: number;
  /** Singular values, falling: near 1 is a structure the others do not have; for the alternative methods, their eigenvalues */
  sigma: (number | null)[];
  /** Per vector, a number: vectors with the same number have the same singular value, and only the subspace that they span is defined */
  degenerate_subspace: number[];
  /** Per leading vector, the share of it that no smooth function of the vectors before it explains (Dsilva et al. 2018). Near 0 it shows nothing new; groups do not depend on it */
  local_linear_residual: (number | null)[];
  /** How many vectors the energy sums over: those before the largest relative drop among the first ten sigma; the first ten where features are put together into prototypes; all of them with `--vectors` */
  leading_vectors: number;
  /** Features whose nearest neighbors are exact copies */
  duplicates: number;
  /** Share of the nearest features that were found; below 1 after an approximate search, measured on a sample */
  neighbor_recall: number;
  /** Pairs so close that their distance was computed again by direct differences */
  recomputed_pairs: number;
  /** Of the solvers, two entries: `eigenvectors` and `vectors` */
  convergence: Record<string, WrittenConditionConvergence>;
  /** Number of groups asked for or chosen; small groups are dropped after that. For communities: groups and candidates together */
  groups_requested: number;
  /** The answer: the groups of this condition and their parts */
  groups: WrittenConditionGroup[];
  /** How many single pairs changed; `null` where they were not looked for */
  pairs: WrittenConditionPairs | null;
  /** Up to 20 groups that are no answer, because chance could make them */
  candidates: WrittenConditionCandidate[];
}

export interface WrittenConditionDimensions {
  /** Eigenvectors beside the trivial one */
  chosen: number;
  /** `parallel analysis` (all above the noise), `split halves` (fewer: those on which two halves of the samples agree), `eigengap` (the halves agree on fewer than come before the largest gap, which counts then), `given`, or `20, at most a quarter of the features` */
  rule: string;
  /** The largest eigenvalue that features without any connection would show, on the scale of this graph; what is above counts */
  noise_threshold: number | null;
  /** How many are above it; 0 where the number was given or the noise is not known */
  above_noise: number;
  /** Up to how many eigenvectors two random halves of the samples span the same space (no angle above 26 degrees); 0: nowhere, or not asked */
  by_split_halves: number;
  /** The alternative rule, where the eigenvalues fall most steeply */
  by_largest_gap: number;
  /** How many eigenvectors there were to choose from */
  computed: number;
}

export interface WrittenConditionConvergence {
  /** Whether the solver reached its tolerance */
  converged: boolean;
  /** Restarts of the block solver; 1 for LAPACK */
  iterations: number;
  /** Products of the operator with a vector; 0 for LAPACK */
  applications: number;
  /** Largest residual of the pairs returned */
  residual: number;
}

export interface WrittenConditionPairs {
  /** How many changed, at a false discovery rate of 0.1 */
  found: number;
  /** How many are in the file */
  listed: number;
}

export interface WrittenConditionGroup {
  /** The same as `group` in groups.tsv: `1`, `2`, or `1.1` for a part */
  id: string;
  /** 1; 2 for a part of another group */
  level: number;
  /** Id of the group that it is a part of; `null` for level 1 */
  parent: string | null;
  /** Number of features */
  size: number;
  /** Mean of the members' energy */
  mean_energy: number;
  /** Up to ten members, by falling energy */
  top_features: string[];
  /** P-value of the group, family-wise: corrected for everything that was looked at. Absent without permutations */
  p?: number;
  /** Only with `--tail pareto`, and where p is the smallest that the permutations can give: p extrapolated by a generalized Pareto distribution through their largest statistics. Not counted, so not exact: it says by how much p may be smaller */
  p_tail?: number;
  /** Expected share of false groups among this one and all with larger scores, see *p and q*; 1 for parts, which have none */
  q: number | null;
  /** Whether p is at most `--level`; a part may not be. True for all groups without permutations */
  significant: boolean;
  /** `gained` or `lost`, see groups.tsv */
  direction: string;
  /** Where it was found: `strength`, `separation`, `sweep`, `lost`, or `projected:N` or `compact:N` with N directions taken out, see [the views](method.md#groups) */
  view: string;
  /** The statistic on the scale of its view: above the median of the permutations' maxima, in units of their spread. Groups of different views compare by it */
  score: number | null;
  /** How much more the group is connected here than in the condition most like it, in standard errors, as its view measures it. Larger than a z score, because the group was searched for: do not compare it with 1.96 */
  statistic: number | null;
  /** How strongly the members are connected in each condition; signs are not taken into account */
  conditions: WrittenConditionGroupCondition[];
  /** Mean Jaccard index between the group and the most similar candidate when units are bootstrapped; 1: always the same */
  stability: number;
  /** Mean over its features of (mean here - mean elsewhere) in standard deviations: whether *values* changed too; it plays no role in the p-value */
  mean_change: number | null;
  /** Mean over its features of log2 (variance here / elsewhere); it plays no role in the p-value */
  variance_change: number | null;
  /** Up to five hub features: the members of largest weight */
  hubs: string[];
  /** Up to ten pairs with the largest gain */
  edges_gained: WrittenConditionGroupEdgesGained[];
  /** Names of the members in the core, see groups.tsv */
  core: string[];
  /** Number of members in the core */
  core_size: number;
  /** With `--genesets`: up to five named sets that agree best, by rising p; columns as in enrichment.tsv */
  sets?: WrittenConditionGroupSet[];
}

export interface WrittenConditionGroupCondition {
  /** Name of the condition */
  condition: string;
  /** Mean correlation between its members. Near 0 for a group with signs, whose halves go against each other */
  mean_correlation: number;
  /** Lower end of its 95 % interval, by bootstrapping units */
  mean_correlation_low: number;
  /** Upper end */
  mean_correlation_high: number;
  /** Share of the weight of its members' connections that leaves the group; 0: separate from all others, near 1: no group */
  conductance: number;
}

export interface WrittenStatistics {
  /** How many were compared with the true labels */
  permutations: number;
  /** Features that took part in the search: as many as a permutation affords (a thousand with 2,000 samples, 1,500 or more with few or with units); at most 50,000 in the form `knn`, drawn at random. All others may join the groups found */
  n_features_tested: number;
  /** Whether these are all there are: the test is exact */
  exact: boolean;
  /** Whether it was clear before the end that nothing is significant */
  stopped_early: boolean;
  /** Smallest p-value that so many permutations can give. Where all arrangements are used, one that only exchanges the names of the conditions shows the same groups, so with equal halves it is twice as large */
  min_p: number;
  /** How many units were exchanged; of a time series, how many blocks */
  units: number;
  /** Units of the design; more than `units` where some were put together at random to save time and memory */
  units_in_design: number;
  /** No `--unit` was given and there are no blocks: every sample was taken as independent */
  samples_are_units: boolean;
  /** Where groups were looked for. With few samples or features some numbers of directions are missing */
  views: string[];
  /** How samples depend on each other, and what was done about it */
  sampling: WrittenStatisticsSampling;
}

export interface WrittenPolicy {
  /** Name of the constant; src/stats/policy.hpp says its unit and why it has this value */
  name: string;
  /** Its value, or its values */
  values: (number | null)[];
}

export interface WrittenGraph {
  /** Dense, prototypes or knn */
  form: string;
  /** Why it was chosen, where there are many features */
  why: string | null;
  /** How many prototypes stand for the features */
  prototypes: number | null;
  /** Share of the variance of the features that prototypes lose, or would have lost; `null`: not measured */
  loss: number | null;
}

export interface WrittenFeaturesExcluded {
  /** Name of the feature */
  feature: string;
  /** Why it was excluded */
  reason: string;
}

export interface WrittenInput {
  /** The file as it was given */
  file: string;
  /** A 64-bit digest of its bytes */
  digest: string;
}

export interface WrittenTiming {
  /** Name of the stage */
  stage: string;
  /** How long it took */
  seconds: number;
}

export interface WrittenConditionSigmaByEigenvector {
  /** A number of eigenvectors of the other conditions */
  eigenvectors: number;
  /** The first three singular values with so many. A structure that only this condition has keeps its sigma; shared structure leaks in where the number is too small */
  sigma: (number | null)[];
}

export interface WrittenConditionCandidate {
  /** Number of features */
  size: number;
  /** As for groups */
  p: number;
  /** As for groups */
  q: number | null;
  /** As for groups */
  direction: string;
  /** As for groups */
  view: string;
  /** As for groups */
  score: number | null;
  /** As for groups */
  statistic: number | null;
  /** Names of the features */
  features: string[];
}

export interface WrittenConditionGroupEdgesGained {
  /** A feature */
  a: string;
  /** Another one */
  b: string;
  /** Their correlation in this condition */
  correlation: number;
  /** The largest correlation in another condition */
  elsewhere: number;
}

export interface WrittenConditionGroupSet {
  /** Name of the set */
  set: string;
  /** Features in both */
  shared: number;
  /** Features of the set that were tested */
  set_size: number;
  /** As in enrichment.tsv */
  p: number;
  /** As in enrichment.tsv */
  q: number;
}

export interface WrittenStatisticsSampling {
  /** Of consecutive samples, median over features */
  autocorrelation: number | null;
  /** Samples exchanged as one; 0: none */
  block: number;
  /** Samples of each block, among these, that take no part, so that neighboring blocks do not depend on each other */
  gap: number;
  /** Of samples of a unit: median intraclass correlation */
  similarity: number | null;
  /** Whether features were centered within units */
  centered: boolean;
  /** Whether units of unequal size count alike */
  weighted: boolean;
  /** Whether large units counted with some of their samples only, because those of the other condition are smaller */
  matched: boolean;
  /** Samples that entered the test after that */
  samples_used: number;
  /** The number of independent samples that they are worth, as a share */
  effective_share: number;
}

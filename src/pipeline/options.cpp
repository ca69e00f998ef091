// The option table: one row per option. Defaults are those of the option structs; nothing repeats them.
#include "disc/options.hpp"

#include <algorithm>

#include "disc/spelling.hpp"
#include "pipeline/option_makers.hpp"

namespace disc {
namespace {

// ---- Where a field lives -------------------------------------------------------------------------------------------

constexpr auto genesets_field = [](auto& options) -> auto& { return options.genesets; };
constexpr auto data = [](auto member) {
  return [member](auto& all) -> auto& { return all.prepare.*member; };
};
constexpr auto graph = [](auto member) {
  return [member](auto& all) -> auto& { return all.graph.*member; };
};
constexpr auto solver = [](auto member) {
  return [member](auto& all) -> auto& { return all.solver.*member; };
};
constexpr auto vectors = [](auto member) {
  return [member](auto& all) -> auto& { return all.differential.*member; };
};
constexpr auto design = [](auto member) {
  return [member](auto& all) -> auto& { return all.design.*member; };
};
constexpr auto statistics = [](auto member) {
  return [member](auto& all) -> auto& { return all.statistics.*member; };
};
constexpr auto groups = [](auto member) {
  return [member](auto& all) -> auto& { return all.groups.*member; };
};

// ---- The table -----------------------------------------------------------------------------------------------------

std::vector<OptionField> make_table() {
  using Graph = GraphOptions;
  using Difference = DifferentialOptions;
  using Groups = GroupOptions;
  using Stats = StatisticsOptions;
  using Sampling = DesignOptions;
  using Data = PrepareOptions;
  return {
      text("only-features", "Data", data(&Data::only_features),
           "file with one name per line: other features are excluded; auto: none are"),
      choice("missing", "Data", data(&Data::missing), missing_names,
             "values that are NaN or infinite: stop with an error, leave out those samples, or those features in all "
             "conditions, or put the feature's mean in its condition in their place"),
      choice("detrend", "Data", data(&Data::detrend), yes_no_names,
             "remove from every feature its linear trend over the samples of a file, for time series"),
      choice(
          "normalize", "Data", data(&Data::normalization), normalization_names,
          "log-cpm for counts of reads: samples are thinned so that all conditions have the same depths, and "
          "scaled to equal depth, before logarithms are taken. sqrt of every value. rank and zscore of every feature "
          "within its condition. auto: log-cpm where all conditions hold counts of reads, else none"),
      selection(
          "select", "Data", data(&Data::select),
          "features that take part: all, the N of largest variance (variable:N), or those that are not zero in "
          "a share X of the samples (expressed:X), whatever the conditions. auto: expressed:0.05 with --normalize "
          "log-cpm if that leaves 100 features, else all"),
      choice("standardize-files", "Data", data(&Data::standardize_files), yes_no_names,
             "center and scale every feature within each file of a condition; auto: where conditions are made of "
             "several dense files of at least 20 samples each"),
      choice("remove-global-signal", "Data", data(&Data::remove_global_signal), yes_no_names,
             "remove what all features of a sample share, such as light on all pixels; yes: divided out where it "
             "multiplies positive values, as size factors do; auto: subtracted where three of four pairs of features "
             "correlate by more than 1/3 in every condition"),
      image_shape(
          "features are the pixels of an image, line by line, such as 28x28: the report draws vectors and groups "
          "as images; it changes nothing else; auto: as the file says"),

      choice(
          "distance", "Graph", graph(&Graph::distance), distance_names,
          "distance between two features; auto: for the association kernel the correlation of the scores (see scores), "
          "euclidean otherwise"),
      choice(
          "scores", "Graph", graph(&Graph::scores), scores_names,
          "as what values enter correlations, within each condition: normal scores of their ranks, so that no outlier "
          "and no tail counts for more than its rank; the values themselves; or ranks; where no distance is given; "
          "auto: normal; values for images of fewer than 16 bands"),
      choice("kernel", "Graph", graph(&Graph::kernel), kernel_names,
             "how distances become weights; precomputed: the files hold the weights (features x features)"),
      choice(
          "graph", "Graph", graph(&Graph::form), form_names,
          "which pairs of features are looked at: all of them (dense), all of them through prototypes that stand for "
          "many like features (prototypes), or those of each feature and its nearest (knn); auto: dense up to 5,000 "
          "features, 20,000 for kernels other than association; with more, prototypes where these lose at most a "
          "quarter of the variance of the features, as in images, else knn"),
      whole("prototypes", "Graph", graph(&Graph::prototypes), 4,
            "prototypes that features are put together into in the form prototypes; auto: 1500"),
      whole("knn", "Graph", graph(&Graph::knn), 1, "features that each is connected with in the form knn; auto: 20"),
      choice("knn-search", "Graph", graph(&Graph::knn_search), search_names,
             "how the nearest features are found: exact compares all pairs, approximate only near ones; auto: exact "
             "where that takes no longer than about a minute"),
      number("recall", "Graph", graph(&Graph::recall), between(0, 1),
             "share of the nearest features that an approximate search must find; what it found is measured"),
      whole("bandwidth-neighbors", "Graph", graph(&Graph::bandwidth_neighbors), 1,
            "a feature's bandwidth is the distance to its K-th nearest, at most features - 1; auto: about "
            "log2(features); for self-tuning and adaptive"),
      number("bandwidth", "Graph", graph(&Graph::bandwidth), above(0), "bandwidth of rbf; auto: the median distance"),
      number("association-power", "Graph", graph(&Graph::association_power), above(0),
             "exponent of the correlation in the association kernel"),
      choice("association-cut", "Graph", graph(&Graph::association_cut), cut_names,
             "how the association kernel removes sampling noise: soft (r - z/sqrt(n)), hard (r where above "
             "z/sqrt(n)), fdr (by a false-discovery bound)"),
      number("association-z", "Graph", graph(&Graph::association_z), at_least(0), "z of the soft and hard cut"),
      number("association-fdr", "Graph", graph(&Graph::association_fdr), between(0, 1),
             "share of false edges that the fdr cut allows"),
      number("density-exponent", "Graph", graph(&Graph::density_exponent), from_to(0, 1),
             "weights are divided by the degrees to this power, against uneven density"),
      number("degree-regularization", "Graph", graph(&Graph::degree_regularization), from_to(0, 1e6),
             "this many mean degrees are spread over all pairs, so that a feature connected to nothing does not "
             "become a component; auto: 1 for association, 0 for the others"),
      number("self-weight", "Graph", graph(&Graph::self_weight), from_to(0, 1e6),
             "weight of a feature with itself; auto: 0 for association, 1 for the others"),
      choice("negative-weights", "Graph", graph(&Graph::negative_weights), negative_names,
             "what becomes of precomputed weights below zero, such as negative correlations"),
      choice("precision", "Graph", graph(&Graph::precision), precision_names,
             "numbers of the features x features matrices; single takes half the memory"),

      choice("solver", "Solver", solver(&SolverOptions::solver), solver_names,
             "lapack: all eigenpairs, the reference; lanczos: block Lanczos; chebyshev: a subspace filtered by "
             "polynomials, for graphs of neighbors; auto: by the number of features"),
      number("tolerance", "Solver", solver(&SolverOptions::tolerance), from_to(1e-14, 1e-2),
             "residual at which the solvers stop, relative to the largest value; at least 1e-6 in single "
             "precision"),
      whole("max-restarts", "Solver", solver(&SolverOptions::max_restarts), 1,
            "restarts after which the solvers give up"),
      choice(
          "engine", "Solver", [](auto& o) -> auto& { return o.engine.kind; }, engine_names,
          "who does the work: local, this machine; mpi, all processes that mpirun or srun started, by PETSc and "
          "SLEPc (docs/distributed.md)"),
      text(
          "petsc-options", "Solver", [](auto& o) -> auto& { return o.engine.petsc_options; },
          "options for PETSc and SLEPc, as on their command lines, such as \"-eps_ncv 200\"; for the engine mpi"),

      choice("method", "Differential vectors", vectors(&Difference::method), method_names,
             "what is computed from the graphs; diffusion-maps and changing-data are baselines"),
      whole("eigenvectors", "Differential vectors", vectors(&Difference::eigenvectors), 1,
            "eigenvectors of each other condition that count as explained, at most features - 2. auto: for the "
            "association kernel those above the noise on which two halves of the samples agree; else 20, at most a "
            "quarter of the features"),
      choice("constant-vector", "Differential vectors", vectors(&Difference::constant_vector), constant_names,
             "whether the trivial eigenvector counts as explained too"),
      whole(
          "vectors", "Differential vectors", vectors(&Difference::vectors), 1,
          "differential vectors per condition, at most features - 1; all lead if a number is given. auto: 10, or up to "
          "60 where more are above the noise; those before the largest drop lead"),
      number("epsilon", "Differential vectors", vectors(&Difference::epsilon), above(0),
             "ridge of the generalized method, relative to the mean degree"),
      number("inverse-strength", "Differential vectors", vectors(&Difference::inverse_strength), above(0),
             "strength of the regularized-inverse method"),
      number("whitening", "Differential vectors", vectors(&Difference::whitening), above(0),
             "ridge of the whitened method; auto: the knee of the spectrum, at least 0.01"),
      number("diffusion-time", "Differential vectors", vectors(&Difference::diffusion_time), at_least(0),
             "power of the eigenvalues in diffusion-maps and changing-data"),

      choice(
          "grouping", "Groups", groups(&Groups::grouping), grouping_names,
          "communities of the condition's own graph, tested against the others; k-means on the rows of the "
          "differential vectors; or a threshold on each vector; auto: communities for the association kernel, kmeans "
          "for the others"),
      whole("groups", "Groups", groups(&Groups::groups), 1,
            "number of groups per condition; auto: 2 to 10, by the best silhouette; for kmeans"),
      choice("drop-largest", "Groups", groups(&Groups::drop_largest), yes_no_names,
             "k-means asks for one cluster more and drops the largest as background"),
      whole("restarts", "Groups", groups(&Groups::restarts), 1, "starts of k-means, of which the best is kept"),
      whole("min-group-size", "Groups", groups(&Groups::min_group_size), 1, "smaller groups are dropped"),
      whole("threshold-size", "Groups", groups(&Groups::threshold_size), 1,
            "size s of a group for the threshold 1 / (2 sqrt(s)); auto: the largest s that at least s features pass"),

      whole("permutations", "Statistics", statistics(&Stats::permutations), 0,
            "permutations of the units between the conditions, for p-values; all of them where fewer exist; 0: no "
            "p-values; auto: 199, fewer where nothing can become significant any more; for communities"),
      whole("max-permutations", "Statistics", statistics(&Stats::max_permutations), 0,
            "go on to so many permutations where p is the smallest that --permutations can give; 0: never"),
      choice("tail", "Statistics", statistics(&Stats::tail), tail_names,
             "where p is the smallest that the permutations can give: counted, nothing more; pareto, beside it "
             "an extrapolated p_tail, from a generalized Pareto distribution through their largest statistics"),
      number("level", "Statistics", statistics(&Stats::level), between(0, 1),
             "groups with a larger p-value are only listed as candidates"),
      whole("block", "Statistics", statistics(&Stats::block), 0,
            "consecutive samples that stay together when labels are exchanged, where no unit is given; 0: every sample "
            "for itself. auto: as many as make blocks nearly independent where consecutive samples are alike, as in "
            "time series (correlation above 0.1)"),
      whole(
          "bootstraps", "Statistics", statistics(&Stats::bootstraps), 0,
          "bootstraps of the units, for the stability of groups and intervals; auto: 40, or half of the permutations"),
      memory_size(
          "memory-limit", "Statistics", [](auto& all) -> auto& { return all.memory_limit; },
          "memory the run may take, such as 8G; graphs are then made in the form that fits, and a run that does "
          "not fit is refused before it begins; auto: what the machine has"),
      text("genesets", "Statistics", genesets_field,
           "file of named sets of features (.gmt) that every group is compared with, into enrichment.tsv; auto: none"),
      text("metadata", "Design", design(&Sampling::metadata),
           "table of the samples, separated by tabs or commas: column sample (or the first one), condition where names "
           "of samples "
           "repeat, and the columns named below"),
      text("by", "Design", design(&Sampling::by),
           "for one file: label of its samples, or column of the table, whose values are the conditions; --names "
           "chooses "
           "some of them; auto: one file per condition"),
      text("where", "Design", design(&Sampling::where),
           "part of the samples, by their labels: \"cell_type == CD14 Mono and age >= 60\"; with ==, !=, <, <=, >, >=, "
           "in "
           "(A, B), and, or, not, and brackets; auto: all"),
      text("within", "Design", design(&Sampling::within),
           "column of kinds of samples, such as cell_type: correlations within each, in the same mixture in all "
           "conditions, so that what differs is no matter of which kinds there are; auto: no kinds"),
      text("unit", "Design", design(&Sampling::unit),
           "column, or label that the files carry, that says which samples belong together, such as donor; they "
           "are exchanged as one; mouse:_ is the part of mouse before the last _; auto: every sample for itself"),
      text("strata", "Design", design(&Sampling::strata),
           "column within whose values units are exchanged, such as batch"),
      text("paired", "Design", design(&Sampling::paired),
           "column that says which samples of different conditions belong together, such as subject; they are "
           "exchanged with each other only"),
      text("covariate", "Design", design(&Sampling::covariate),
           "columns, comma-separated, whose linear effect is removed within each condition first"),
      text("contrast", "Design", design(&Sampling::contrast),
           "\"B vs A,C\": only what B has and A and C do not; auto: every condition against all others"),
  };
}

const OptionField* search(std::string_view name) {
  const auto& table = option_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const OptionField& field) { return field.name == name; });
  return found == table.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& value) {
  std::vector<std::string> known;
  for (const OptionField& field : option_table()) known.push_back(field.name);
  throw OptionError(name, value, "there is no option of this name" + did_you_mean(name, known));
}

const Preset& find_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw OptionError("preset", name, "must be one of " + joined(names) + did_you_mean(name, names));
}

void set_all(RunOptions& options, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) {
    const OptionField* field = search(name);
    if (field == nullptr) refuse_unknown(name, value);
    field->set(options, value);
  }
}

}  // namespace

const std::vector<OptionField>& option_table() {
  static const std::vector<OptionField> table = make_table();
  return table;
}

const OptionField& find_option(std::string_view name) {
  const OptionField* field = search(name);
  if (field == nullptr) refuse_unknown(std::string(name), "");
  return *field;
}

RunOptions make_options(const std::string& preset, const std::map<std::string, std::string>& given) {
  RunOptions options;
  if (!preset.empty()) set_all(options, find_preset(preset).values);
  set_all(options, given);
  return options;
}

}  // namespace disc

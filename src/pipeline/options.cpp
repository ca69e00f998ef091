// The option table: one row per option. Defaults are those of the option structs; nothing repeats them.
#include "disc/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "disc/io.hpp"
#include "disc/spelling.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/option_names.hpp"

namespace disc {
namespace {

// ---- Makers: how a kind of value is read, checked and shown --------------------------------------------------------

// Which numbers are allowed, in words and as a test.
struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool low_allowed = true;
  bool high_allowed = true;

  bool contains(double value) const {
    return std::isfinite(value) && (low_allowed ? value >= low : value > low) &&
           (high_allowed ? value <= high : value < high);
  }
  std::string words() const {
    const std::string start = format_number(low);
    if (std::isinf(high)) return (low_allowed ? "of at least " : "above ") + start;
    if (low_allowed && high_allowed) return "from " + start + " to " + format_number(high);
    return (low_allowed ? "of at least " : "above ") + start + (high_allowed ? " and up to " : " and below ") +
           format_number(high);
  }
};
Range at_least(double low) { return {.low = low}; }
Range above(double low) { return {.low = low, .low_allowed = false}; }
Range from_to(double low, double high) { return {.low = low, .high = high}; }
Range between(double low, double high) {
  return {.low = low, .high = high, .low_allowed = false, .high_allowed = false};
}

template <class Number>
std::optional<Number> parse_number(const std::string& text, const Range& range) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::fpclassify(value) == FP_SUBNORMAL) value = 0;  // what has lost its digits, and overflows as a divisor
  }
  if (failure != std::errc() || rest != end || !range.contains(static_cast<double>(value))) return std::nullopt;
  return value;
}

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

// An optional field may also be "auto".
template <class Access>
constexpr bool may_be_auto = is_optional<std::remove_cvref_t<std::invoke_result_t<Access, RunOptions&>>>;

// Completes a row: `parse` gives an empty optional for a value that breaks the rule.
template <class Access, class Parse, class Show>
OptionField finish(OptionField field, Access access, std::string rule, Parse parse, Show show) {
  if (may_be_auto<Access>) rule += ", or auto";
  field.set = [name = field.name, choices = field.choices, access, rule, parse](RunOptions& options,
                                                                                const std::string& text) {
    if constexpr (may_be_auto<Access>) {
      if (text == "auto") return access(options).reset();
    }
    const auto value = parse(text);
    if (!value) throw OptionError(name, text, "must be " + rule + did_you_mean(text, choices));
    access(options) = *value;
  };
  field.text = [access, show](const RunOptions& options) -> std::string {
    const auto& value = access(options);
    if constexpr (may_be_auto<Access>) {
      return value ? show(*value) : "auto";
    } else {
      return show(value);
    }
  };
  field.help += " (default: " + field.text(RunOptions{}) + ")";
  return field;
}

template <class Access>
OptionField whole(const char* name, const char* section, Access access, Index low, const std::string& help) {
  const Range range = at_least(static_cast<double>(low));
  return finish(
      {.name = name, .section = section, .type = "integer", .help = help}, access, "a whole number " + range.words(),
      [range](const std::string& text) { return parse_number<Index>(text, range); },
      [](Index value) { return std::to_string(value); });
}

template <class Access>
OptionField number(const char* name, const char* section, Access access, const Range& range, const std::string& help) {
  return finish(
      {.name = name, .section = section, .type = "number", .help = help}, access, "a number " + range.words(),
      [range](const std::string& text) { return parse_number<double>(text, range); },
      [](double value) { return format_number(value); });
}

// Any text; "auto" where none is given.
template <class Access>
OptionField text(const char* name, const char* section, Access access, const std::string& help) {
  return finish(
      {.name = name, .section = section, .type = "text", .help = help}, access, "text",
      [](const std::string& value) { return std::optional<std::string>(value); },
      [](const std::string& value) { return value.empty() ? "auto" : value; });
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

template <class Access, class Enum, std::size_t count>
OptionField choice(const char* name, const char* section, Access access, const std::array<Choice<Enum>, count>& names,
                   const std::string& help) {
  OptionField field{
      .name = name, .section = section, .type = std::is_same_v<Enum, bool> ? "switch" : "choice", .help = help};
  for (const auto& known : names) field.choices.emplace_back(known.name);
  const std::string rule = "one of " + joined(field.choices);
  return finish(
      std::move(field), access, rule,
      [names](const std::string& text) -> std::optional<Enum> {
        for (const auto& known : names) {
          if (text == known.name) return known.value;
        }
        return std::nullopt;
      },
      [names](Enum value) {
        const auto* known =
            std::find_if(names.begin(), names.end(), [&](const auto& row) { return row.value == value; });
        return std::string(known == names.end() ? "?" : known->name);
      });
}

// "all", "variable:2000" or "expressed:0.05".
template <class Access>
OptionField selection(const char* name, const char* section, Access access, const std::string& help) {
  using Rule = FeatureSelection::Rule;
  return finish(
      {.name = name, .section = section, .type = "selection", .help = help}, access,
      "all, variable:N with a whole number N of at least 1, or expressed:X with a share X above 0 and up to 1",
      [](const std::string& text) -> std::optional<FeatureSelection> {
        if (text == "all") return FeatureSelection{};
        const std::size_t colon = text.find(':');
        const std::string rule = text.substr(0, colon);
        const std::string value = colon == std::string::npos ? "" : text.substr(colon + 1);
        if (rule == "variable") {
          const auto count = parse_number<Index>(value, at_least(1));
          if (count) return FeatureSelection{.rule = Rule::variable, .count = *count};
        } else if (rule == "expressed") {
          const auto share = parse_number<double>(value, {.low = 0, .high = 1, .low_allowed = false});
          if (share) return FeatureSelection{.rule = Rule::expressed, .share = *share};
        }
        return std::nullopt;
      },
      [](const FeatureSelection& value) -> std::string {
        if (value.rule == Rule::variable) return "variable:" + std::to_string(value.count);
        return value.rule == Rule::expressed ? "expressed:" + format_number(value.share) : "all";
      });
}

// "8G", "500M", or a number of GiB.
template <class Access>
OptionField memory_size(const char* name, const char* section, Access access, const std::string& help) {
  return finish({.name = name, .section = section, .type = "text", .help = help}, access,
                "an amount of memory, such as 8G or 500M", parse_memory,
                [](double bytes) { return format_number(bytes / gibibyte); });
}

// "28x28": height and width.
std::optional<ImageShape> parse_shape(const std::string& text) {
  const std::size_t middle = text.find('x');
  if (middle == std::string::npos) return std::nullopt;
  const Range range{.low = 1, .high = 1e9};
  const std::optional<Index> height = parse_number<Index>(text.substr(0, middle), range);
  const std::optional<Index> width = parse_number<Index>(text.substr(middle + 1), range);
  return height && width ? std::optional(ImageShape{*height, *width}) : std::nullopt;
}

OptionField image_shape(const std::string& help) {
  return finish(
      {.name = "shape", .section = "Data", .type = "text", .help = help},
      [](auto& options) -> auto& { return options.shape; }, "height x width, such as 28x28", parse_shape,
      [](const ImageShape& value) { return std::to_string(value.height) + "x" + std::to_string(value.width); });
}

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
      choice("normalize", "Data", data(&Data::normalisation), normalisation_names,
             "log-cpm for counts of reads: conditions are thinned to the depth of the shallowest one, samples are "
             "scaled to equal depth, then logarithms; sqrt of every value; rank and zscore of every feature within "
             "its condition; auto: log-cpm where all conditions are sparse and hold whole numbers above 2, else none"),
      selection(
          "select", "Data", data(&Data::select),
          "features that take part: all, the N of largest variance (variable:N), or those that are not zero in "
          "a share X of the samples (expressed:X); chosen without looking at the conditions; auto: expressed:0.05 "
          "with --normalize log-cpm, for correlations of rarer features rest on a handful of samples (all if "
          "fewer than 100 features are seen as often), else all"),
      choice("standardize-files", "Data", data(&Data::standardize_files), yes_no_names,
             "centre and scale every feature within each file of a condition; auto: where conditions are made of "
             "several dense files of at least 20 samples each"),
      choice("remove-global-signal", "Data", data(&Data::remove_global_signal), yes_no_names,
             "remove what all features of a sample share, such as light on all pixels; auto: where three "
             "of four pairs of features correlate by more than 1/3 in every condition"),
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
          "auto: normal"),
      choice("kernel", "Graph", graph(&Graph::kernel), kernel_names,
             "how distances become weights; precomputed: the files hold the weights (features x features)"),
      choice("graph", "Graph", graph(&Graph::form), form_names,
             "which pairs of features are looked at: all of them (dense), or those of each feature and its nearest "
             "(knn); auto: dense up to 5,000 features, 20,000 for kernels other than association"),
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
             "polynomials, "
             "for "
             "graphs of neighbors; auto: by the number of features"),
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
      whole(
          "eigenvectors", "Differential vectors", vectors(&Difference::eigenvectors), 1,
          "eigenvectors of each other condition that count as explained, at most features - 2; auto: for the "
          "association kernel those above the noise (parallel analysis) on which two halves of the samples agree, else "
          "20, at most a quarter of the features"),
      choice("constant-vector", "Differential vectors", vectors(&Difference::constant_vector), constant_names,
             "whether the trivial eigenvector counts as explained too"),
      whole(
          "vectors", "Differential vectors", vectors(&Difference::vectors), 1,
          "differential vectors per condition, at most features - 1, all used for the groups; auto: 10, or up to 60 "
          "where more are above the noise, of which the significant ones (or without p-values those before the largest "
          "drop) are used"),
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
            "random exchanges of units between the conditions, for p-values; all of them where fewer exist; 0: no "
            "p-values; auto: 199, fewer where nothing can become significant any more; for communities"),
      number("level", "Statistics", statistics(&Stats::level), between(0, 1),
             "groups with a larger p-value are only listed as candidates"),
      whole("block", "Statistics", statistics(&Stats::block), 0,
            "consecutive samples that stay together when labels are exchanged, where no unit is given; 0: every sample "
            "for "
            "itself; auto: where consecutive samples are alike (correlation above .1, as in time series), as many as "
            "make "
            "blocks nearly independent"),
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
      text("unit", "Design", design(&Sampling::unit),
           "column, or label that the files bring along, that says which samples belong together, such as donor; they "
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

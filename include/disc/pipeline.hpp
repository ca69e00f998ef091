// The whole method in one call, and its result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "disc/differential.hpp"
#include "disc/figure_data.hpp"
#include "disc/graph.hpp"
#include "disc/groups.hpp"
#include "disc/io.hpp"
#include "disc/matrix.hpp"
#include "disc/prepare.hpp"
#include "disc/spectral.hpp"
#include "disc/stats.hpp"

namespace disc {

/// What is known about the samples, and which question is asked.
struct DesignOptions {
  std::string
      metadata;    ///< a tab-separated table: column "sample" (or the first), "condition" if names repeat, and others
  std::string by;  ///< column of labels, of the table or of the one file there is, whose values are the conditions
  std::string where;  ///< condition on labels that samples must meet, "cell_type == CD14 Mono": disc/where.hpp
  std::string
      within;        ///< column of kinds of samples, such as cell types: correlations within each, in the same mixture
  std::string unit;  ///< column that says which samples belong together; empty: every sample is a unit
  std::string strata;     ///< column within whose values units are exchanged
  std::string paired;     ///< column that says which samples of two conditions belong together
  std::string covariate;  ///< columns, comma-separated, whose linear effect is removed within each condition
  std::string contrast;   ///< "B vs A,C": what B has and A and C do not; empty: every condition against all others
};

/// Who does the work: this process, or all processes of an MPI job (disc/distributed.hpp).
enum class EngineKind { local, mpi };
struct EngineOptions {
  EngineKind kind = EngineKind::local;
  std::string petsc_options;  ///< options of PETSc and SLEPc, as on their command lines; ignored by the local engine
};

/// Everything that can be chosen, by stage. The option table (disc/options.hpp) gives every field its flag and help.
struct RunOptions {
  PrepareOptions prepare;
  /// Features are the pixels of an image: the report draws them so. Height times width is the first file's number of features.
  std::optional<ImageShape> shape;
  DesignOptions design;
  GraphOptions graph;
  SolverOptions solver;
  DifferentialOptions differential;
  GroupOptions groups;
  StatisticsOptions statistics;
  /// Bytes that the run may take: the form of the graphs is chosen so that it fits, and if none does it is refused before it
  /// begins. Unset: what the machine has available, with a warning if that is not enough.
  std::optional<double> memory_limit;
  EngineOptions engine;
  std::string genesets;  ///< file of named sets of features (.gmt) that the groups are compared with; empty: none
};

/// The leading sigma of a condition if every other condition explained this many eigenvectors.
struct SigmaAtDimension {
  Index eigenvectors = 0;
  Vector sigma;
};

struct ConditionResult {
  std::string name;
  Index samples = 0;
  Eigenpairs pairs;       ///< those that belong to the bases: the trivial one is there only if it was kept
  Matrix eigenvectors;    ///< U: right eigenvectors of P, p x eigenvectors used
  bool is_target = true;  ///< its vectors and groups were asked for
  Dimensions dimensions;
  std::vector<SigmaAtDimension> sigma_path;
  DifferentialVectors vectors;
  FeatureGroups groups;                       ///< the answer
  std::vector<FeatureGroup> candidates;       ///< that were tested and are no answer, by falling score
  std::optional<ChangedPairs> pairs_changed;  ///< unset: not looked for
  Index duplicates = 0, recomputed_pairs = 0;
  double neighbor_recall = 1;  ///< share of the nearest features that were found
};

/// Which pairs of features were looked at, and why. method (27)
struct FormChoice {
  std::string why;             ///< a sentence; empty: as asked for
  Index prototypes = 0;        ///< 0: there are none
  std::optional<double> loss;  ///< share of the features' variance that their prototypes lose; unset: not measured
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

struct Analysis {
  std::vector<std::string> features;  ///< used
  std::vector<Excluded> excluded;
  std::vector<PreparationStep> preparation;  ///< what was done to the data first
  Index total_features = 0;
  std::vector<ConditionResult> conditions;
  RunOptions used;                       ///< nothing unset
  std::optional<Statistics> statistics;  ///< p-values and evidence; unset where groups are made the paper's way
  FormChoice form;
  std::vector<SetOverlap> enrichment;  ///< named sets that share features with a group, by condition and group
  FigureData figure_data;              ///< what the other results do not show
  std::vector<StageTime> timings;
  std::vector<std::string> warnings;  ///< not converged, disconnected, planes: what changes how to read the result
  bool converged = true;
};

/// Which groups of features are connected in each condition and not in the others? Conditions that are moved in are freed as
/// soon as they are prepared.
Analysis run(std::vector<Dataset> conditions, const RunOptions& options, const Context& context);

/// What is known about the run beside its result, for the record.
struct RunRecord {
  std::map<std::string, std::string> given;                 ///< options as the user gave them, by name
  std::vector<std::pair<std::string, std::string>> inputs;  ///< file and digest
  std::uint64_t seed = 0;
  int threads = 0;
  std::string date;  ///< and time, ISO 8601; empty: not recorded
};

struct OutputFile {
  std::string name, bytes;
};
/// The files of a run: groups.tsv, features.tsv, pairs.tsv, samples.tsv, units.tsv, vectors.npz, figure_data.npz, summary.json, and
/// enrichment.tsv where named sets were given. docs/outputs.md
std::vector<OutputFile> encode_outputs(const Analysis& analysis, const RunRecord& record);

/// Names of all files that a run may write into its folder, the report included.
const std::vector<std::string>& output_names();
/// Throws OptionError for a folder where a file of these names is one of `inputs` (files, or folders of files), or is there although
/// no run wrote results there.
void check_output_folder(const std::filesystem::path& folder, std::span<const std::filesystem::path> inputs);

/// Writes all of them, or none. With a folder that was opened before the work began, a place that cannot be written is
/// found before the work and not after it.
void write_outputs(const std::vector<OutputFile>& files, OutputFolder& folder);
void write_outputs(const Analysis& analysis, const RunRecord& record, const std::filesystem::path& folder);
/// The same one after the other, so that few are in memory at a time; the caller commits them.
void write_files(const Analysis& analysis, const RunRecord& record, OutputFolder& folder);

/// One dataset per value of the label `design.by`, which the table `design.metadata` or the dataset itself has: those that
/// `wanted` names, or all, numbers by size and words by letters. Samples without a value are excluded with a warning.
std::vector<Dataset> split_conditions(const Dataset& dataset, const DesignOptions& design,
                                      std::span<const std::string> wanted, const Context& context);

/// One name per condition: the given ones (as many as files, unique; throws OptionError otherwise), or each file's name
/// without extension. Where file names repeat, their folders tell them apart: a/X.npy and b/X.npy are a_X and b_X.
std::vector<std::string> name_conditions(std::span<const std::filesystem::path> files,
                                         std::span<const std::string> given);

/// Largest resident memory of this process so far, in bytes.
std::int64_t peak_memory_bytes();

}  // namespace disc

// disc._core: what the Python package needs of the engine. Names, checks and sentences are the engine's own.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "datasets.hpp"
#include "disc/disc.hpp"
#include "supervise.hpp"

namespace disc::python {
namespace {

// ---- Errors --------------------------------------------------------------------------------------------------------

void raise(const char* type, const char* sentence, nb::dict fields) {
  const nb::object error = nb::module_::import_("disc_features.errors").attr(type)(sentence, **fields);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  nb::dict fields;
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    fields["file"] = error.place().file;
    fields["line"] = error.place().line;
    fields["column"] = error.place().column;
    fields["value"] = error.place().value;
    raise("InputError", error.what(), fields);
  } catch (const OptionError& error) {
    fields["option"] = error.option();
    raise("OptionError", error.what(), fields);
  } catch (const Cancelled&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const Error& error) {
    raise("Error", error.what(), fields);
  }
}

// ---- The option table ----------------------------------------------------------------------------------------------

nb::list options_as_dicts() {
  nb::list rows;
  for (const OptionField& field : option_table()) {
    nb::dict row;
    row["name"] = field.name;
    row["section"] = field.section;
    row["type"] = field.type;
    row["choices"] = field.choices;
    row["help"] = field.help;
    row["default"] = field.text(RunOptions{});
    rows.append(row);
  }
  return rows;
}

nb::dict reading_as_dict() {
  nb::dict all;
  for (const ReadField& field : read_option_table()) all[field.name.c_str()] = field.help;
  return all;
}

nb::dict simulation_as_dict() {
  nb::dict all;
  for (const SimulateField& field : simulate_option_table()) all[field.name.c_str()] = field.help;
  return all;
}

nb::dict presets_as_dict() {
  nb::dict all;
  for (const Preset& preset : presets()) all[preset.name.c_str()] = preset.description;
  return all;
}

// The samples that meet an expression, given the values of every label it speaks of.
std::vector<Index> rows_where(const std::string& expression,
                              const std::map<std::string, std::vector<std::string>>& labels) {
  return SampleFilter(expression).rows(1, [&](Index, const std::string& label) { return labels.at(label); }).front();
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

// The files of a run by name: the package reads its results from the same bytes that the program writes.
nb::dict run_to_files(std::vector<Dataset> conditions, const std::string& preset, const Texts& given,
                      const std::vector<std::pair<std::string, std::string>>& inputs, int threads, std::uint64_t seed,
                      nb::object progress) {
  const RunOptions options = make_options(preset, given);
  RunRecord record{.given = given, .inputs = inputs, .seed = seed, .threads = Context({.threads = threads}).threads()};
  if (!preset.empty()) record.given["preset"] = preset;
  std::vector<std::string> warnings;
  Analysis analysis = supervised<Analysis>(
      Session{threads, seed, std::move(progress)},
      [conditions = std::move(conditions), options](const Context& context) {
        return run(conditions, options, context);
      },
      &warnings);
  for (const std::string& warning : warnings) {
    auto& known = analysis.warnings;
    if (std::find(known.begin(), known.end(), warning) == known.end()) known.push_back(warning);
  }
  nb::dict files;
  for (const OutputFile& file : encode_outputs(analysis, record)) {
    files[file.name.c_str()] = nb::bytes(file.bytes.data(), file.bytes.size());
  }
  return files;
}

std::vector<OutputFile> to_files(const nb::dict& files) {
  std::vector<OutputFile> contents;
  for (const auto& [name, bytes] : files) {
    const auto content = nb::cast<nb::bytes>(bytes);
    contents.push_back({nb::cast<std::string>(name), {content.c_str(), content.size()}});
  }
  return contents;
}

void write_files(const std::filesystem::path& folder, const nb::dict& files) {
  OutputFolder output(folder);
  check_output_folder(folder, {});
  write_outputs(to_files(files), output);
}

// Files that are no run.
void write_plain_files(const std::filesystem::path& folder, const nb::dict& files) {
  OutputFolder output(folder);
  for (const OutputFile& file : to_files(files)) output.write(file.name, file.bytes);
  output.commit();
}

nb::bytes report(const nb::dict& files) {
  const std::string page = report_html(to_files(files));
  return nb::bytes(page.data(), page.size());
}

std::vector<Index> all_columns(const Dataset& data) {
  std::vector<Index> columns(static_cast<std::size_t>(data.values.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

Matrix to_matrix(const DoubleArray2& array) {
  Matrix matrix(static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1)));
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = 0; i < matrix.rows(); ++i) matrix(i, j) = array(i, j);
  }
  return matrix;
}

// Counts as the run saw them: brought to one depth, in logarithms. What is no count already is on a scale of its own.
Dataset on_scale(const Dataset& data, bool in_logarithms) {
  if (!in_logarithms) return data;
  try {
    return normalize_counts(std::span(&data, 1), Context({.threads = 1})).front();
  } catch (const InputError&) {
    return data;
  }
}

OwnedArray project(const Dataset& data, const std::vector<Index>& columns, const DoubleArray2& vectors,
                   bool in_logarithms) {
  const Matrix weights = to_matrix(vectors);
  if (static_cast<Index>(columns.size()) != weights.rows()) throw InputError("one row of weights per column is needed");
  for (const Index column : columns) {
    if (column < 0 || column >= data.values.cols()) throw InputError("there is no column " + std::to_string(column));
  }
  Matrix projected;
  {
    const nb::gil_scoped_release unlocked;
    projected = meta_features(on_scale(data, in_logarithms), columns, weights);
  }
  return to_numpy(std::move(projected));
}

// Leading eigenvalues and eigenvectors of the random walk on the columns of one matrix. method (1) to (5)
std::pair<OwnedArray, OwnedArray> walk_spectrum(Dataset data, Index count, const std::string& preset,
                                                const Texts& given, int threads, std::uint64_t seed,
                                                nb::object progress) {
  struct Spectrum {
    Matrix values, vectors;
  };
  const RunOptions options = make_options(preset, given);
  Spectrum found = supervised<Spectrum>(
      Session{threads, seed, std::move(progress)}, [data = std::move(data), options, count](const Context& context) {
        const RandomWalk walk = make_walk(build_graph(data, all_columns(data), options.graph, context), context);
        const Eigenpairs pairs = leading_eigenpairs(walk, count, options.solver, context);
        return Spectrum{pairs.values, walk_eigenvectors(walk, pairs)};
      });
  return {to_numpy(std::move(found.values)), to_numpy(std::move(found.vectors))};
}

// ---- Data whose groups are known -----------------------------------------------------------------------------------

nb::dict simulate_problem(const std::string& problem, const Texts& given, std::uint64_t seed) {
  const SimulateOptions options = make_simulate_options(problem, given);
  const auto simulation = supervised<Simulation>(
      Session{0, seed, nb::none()}, [options](const Context& context) { return simulate(options, context); });
  nb::dict conditions;
  for (const Dataset& data : simulation.conditions) {
    RowMatrix values;
    data.values.copy_rows(0, data.values.rows(), all_columns(data), values);
    conditions[data.name.c_str()] = to_numpy(Matrix(values));
  }
  nb::list truth;
  for (const NamedGroups::Row& row : simulation.truth.rows) {
    truth.append(nb::make_tuple(row.condition, row.group, row.feature));
  }
  nb::dict result;
  result["conditions"] = conditions;
  result["truth"] = truth;
  result["precomputed"] = simulation.precomputed;
  return result;
}

}  // namespace

NB_MODULE(_core, module) {
  nb::register_exception_translator(translate);
  module.def("version", [] { return std::string(version()); });
  module.def("option_table", options_as_dicts);
  module.def("read_option_table", reading_as_dict);
  module.def("simulate_option_table", simulation_as_dict);
  module.def("presets", presets_as_dict);
  bind_datasets(module);
  bind_follow_up(module);
  module.def("name_conditions", [](const std::vector<std::filesystem::path>& files,
                                   const std::vector<std::string>& given) { return name_conditions(files, given); });
  module.def("file_digest", file_digest);
  module.def("where_labels", [](const std::string& expression) { return SampleFilter(expression).labels(); });
  module.def("where_rows", rows_where, nb::arg("expression"), nb::arg("labels"));
  module.def("did_you_mean", [](const std::string& written, const std::vector<std::string>& known) {
    return did_you_mean(written, known);
  });
  module.def("run", run_to_files, nb::arg("conditions"), nb::arg("preset"), nb::arg("given"), nb::arg("inputs"),
             nb::arg("threads"), nb::arg("seed"), nb::arg("progress").none());
  module.def("write_files", write_files, nb::arg("folder"), nb::arg("files"));
  module.def("write_plain_files", write_plain_files, nb::arg("folder"), nb::arg("files"));
  module.def("has_report_page", has_report_page);
  module.def("report_html", report, nb::arg("files"));
  module.def("project", project, nb::arg("data"), nb::arg("columns"), nb::arg("vectors"),
             nb::arg("in_logarithms") = false);
  module.def("walk_spectrum", walk_spectrum, nb::arg("data"), nb::arg("count"), nb::arg("preset"), nb::arg("given"),
             nb::arg("threads"), nb::arg("seed"), nb::arg("progress").none());
  module.def("simulate", simulate_problem, nb::arg("problem"), nb::arg("given"), nb::arg("seed"));
}

}  // namespace disc::python

#include "datasets.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <type_traits>

#include "disc/manifest.hpp"
#include "disc/options.hpp"
#include "supervise.hpp"

namespace disc::python {
namespace {

// The engine drops its data on any thread. When the interpreter is about to end there is nothing to give back to.
std::shared_ptr<const void> keep_alive(nb::object object) {
  return {new nb::object(std::move(object)), [](const nb::object* kept) {
            if (nb::is_alive() == false) return;
            const nb::gil_scoped_acquire locked;
            delete kept;
          }};
}

void check_rows(const IndexArray& columns, const IndexArray& row_starts, Index rows, Index cols) {
  const auto stored = static_cast<std::int64_t>(columns.size());
  bool good = static_cast<Index>(row_starts.size()) == rows + 1 && row_starts(0) == 0 &&
              row_starts(static_cast<std::size_t>(rows)) == stored;
  for (Index i = 0; good && i < rows; ++i) {
    const std::int64_t begin = row_starts(static_cast<std::size_t>(i));
    const std::int64_t end = row_starts(static_cast<std::size_t>(i) + 1);
    good = begin >= 0 && begin <= end && end <= stored;
    for (std::int64_t k = begin; good && k < end; ++k) {
      const std::int64_t column = columns(static_cast<std::size_t>(k));
      const std::int64_t before = k == begin ? -1 : columns(static_cast<std::size_t>(k) - 1);
      good = column > before && column < cols;
    }
  }
  if (!good) throw InputError("the arrays of a sparse matrix contradict each other: it is damaged");
}

Dataset unnamed(SampleMatrix values) {
  Dataset data;
  data.features = numbered_names("f", values.cols());
  data.samples = numbered_names("s", values.rows());
  data.features_named = false;
  data.values = std::move(values);
  return data;
}

void set_features(Dataset& data, std::vector<std::string> names) {
  if (static_cast<Index>(names.size()) != data.values.cols()) {
    throw InputError(std::to_string(names.size()) + " names for " + std::to_string(data.values.cols()) + " features");
  }
  data.features = std::move(names);
  data.features_named = true;
}

void set_samples(Dataset& data, std::vector<std::string> names) {
  if (static_cast<Index>(names.size()) != data.values.rows()) {
    throw InputError(std::to_string(names.size()) + " names for " + std::to_string(data.values.rows()) + " samples");
  }
  data.samples = std::move(names);
}

void add_label(Dataset& data, const std::string& name, std::vector<std::string> values) {
  if (static_cast<Index>(values.size()) != data.values.rows()) {
    throw InputError("'" + name + "' has " + std::to_string(values.size()) + " values for the " +
                     std::to_string(data.values.rows()) + " samples of condition '" + data.name + "'");
  }
  data.labels.push_back({name, std::move(values)});
}

Session in_silence() { return {.threads = 0, .seed = 0, .progress = nb::none()}; }

// One condition from one file or from several that are put below each other.
// Conditions and their files, read together as on the command line: a condition of one file beside others of several gets the same labels.
std::vector<Dataset> read_files(
    const std::vector<std::pair<std::string, std::vector<std::filesystem::path>>>& conditions, const Texts& given) {
  const ReadOptions options = make_read_options(given);
  Manifest manifest;
  for (const auto& [name, files] : conditions) {
    for (const std::filesystem::path& file : files) manifest.rows.push_back({file, name, {}});
  }
  return supervised<std::vector<Dataset>>(in_silence(), [manifest, options](const Context& context) {
    return read_conditions(manifest, options, context);
  });
}

std::vector<Dataset> split(const Dataset& dataset, const std::string& by, const std::string& samples,
                           const std::vector<std::string>& wanted, const std::string& where) {
  DesignOptions design;
  design.metadata = samples;
  design.where = where;
  design.by = by;
  return supervised<std::vector<Dataset>>(
      in_silence(), [=](const Context& context) { return split_conditions(dataset, design, wanted, context); });
}

}  // namespace

Dataset dense_dataset(nb::object array) {
  std::optional<SampleMatrix> values;
  const auto use_as = [&]<class Number>(const Number*) {
    nb::ndarray<const Number, nb::ndim<2>, nb::device::cpu> view;
    if (values || !nb::try_cast(array, view, false)) return;
    values.emplace(view.data(), static_cast<Index>(view.shape(0)), static_cast<Index>(view.shape(1)), view.stride(0),
                   view.stride(1), keep_alive(array));
  };
  [&]<class... Pointers>(std::type_identity<std::variant<Pointers...>>) {
    (use_as(Pointers{}), ...);
  }(std::type_identity<ValuesInPlace>());
  if (!values) throw InputError("an array of numbers of a type that is used in place is needed");
  return unnamed(std::move(*values));
}

Dataset sparse_dataset(Index rows, Index cols, const DoubleArray1& values, const IndexArray& columns,
                       const IndexArray& row_starts) {
  if (values.size() != columns.size()) throw InputError("a sparse matrix has as many values as columns");
  check_rows(columns, row_starts, rows, cols);
  static_assert(sizeof(Index) == sizeof(std::int64_t));
  const auto* starts = reinterpret_cast<const Index*>(row_starts.data());
  const auto* inner = reinterpret_cast<const Index*>(columns.data());
  const Eigen::Map<const EigenSparseMatrix> view(rows, cols, static_cast<Index>(values.size()), starts, inner,
                                                 values.data());
  return unnamed(SampleMatrix(SparseMatrix(view)));
}

OwnedArray to_numpy(Matrix values) {
  auto* kept = new Matrix(std::move(values));
  const nb::capsule owner(kept, [](void* matrix) noexcept { delete static_cast<Matrix*>(matrix); });
  const auto rows = static_cast<std::size_t>(kept->rows());
  const auto cols = static_cast<std::size_t>(kept->cols());
  return OwnedArray(kept->data(), {rows, cols}, owner, {1, static_cast<std::int64_t>(rows)});
}

void bind_datasets(nb::module_& module) {
  nb::class_<Dataset>(module, "Dataset")
      .def_rw("name", &Dataset::name)
      .def_rw("source", &Dataset::source)
      .def_ro("features_named", &Dataset::features_named)
      .def_prop_rw(
          "features", [](const Dataset& data) { return data.features; }, set_features)
      .def_prop_rw(
          "samples", [](const Dataset& data) { return data.samples; }, set_samples)
      .def_prop_ro("shape", [](const Dataset& data) { return std::pair(data.values.rows(), data.values.cols()); })
      .def_prop_ro("labels",
                   [](const Dataset& data) {
                     std::vector<std::string> names;
                     for (const LabelColumn& label : data.labels) names.push_back(label.name);
                     return names;
                   })
      .def("add_label", add_label);
  module.def("dense_dataset", dense_dataset, nb::arg("array"));
  module.def("sparse_dataset", sparse_dataset, nb::arg("rows"), nb::arg("cols"), nb::arg("values"), nb::arg("columns"),
             nb::arg("row_starts"));
  module.def("read_files", read_files, nb::arg("conditions"), nb::arg("given"));
  module.def("split_conditions", split, nb::arg("dataset"), nb::arg("by"), nb::arg("samples"), nb::arg("wanted"),
             nb::arg("where") = "");
}

}  // namespace disc::python

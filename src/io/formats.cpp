// The table of formats, and the way from a file to a dataset.
#include <algorithm>
#include <cctype>

#include "io/foreign_formats.hpp"
#include "io/format.hpp"
#include "io/hdf5.hpp"
#include "io/scene.hpp"
#include "io/variables.hpp"

namespace disc {
namespace io {
namespace {

// Asked in this order: a signature settles the format, so text comes last.
const std::vector<Format>& format_table() {
  static const std::vector<Format> table{
      {"npy", {".npy"}, "numpy array, two-dimensional", recognizes_npy, read_npy},
      {"xlsx", {".xlsx", ".xlsm"}, "Excel, the first sheet or that of --variable", recognizes_xlsx, read_xlsx},
      {"npz", {".npz"}, "numpy archive, or a sparse matrix saved by scipy", recognizes_npz, read_npz},
      {"matrix-market",
       {".mtx", ".mm"},
       "Matrix Market, coordinate or array",
       recognizes_matrix_market,
       read_matrix_market},
      {"idx", {".idx"}, "IDX images, as MNIST is kept in, with the file of their labels", recognizes_idx, read_idx},
      {"mat", {".mat"}, "MATLAB, version 5 to 7.3", recognizes_mat, read_mat},
      {"h5ad", {".h5ad"}, "anndata, dense or sparse, with labels", recognizes_h5ad, read_h5ad},
      {"loom", {".loom"}, "loompy, with the attributes of the cells as labels", recognizes_loom, read_loom},
      {"10x-h5", {".h5"}, "10x Genomics (Cell Ranger), version 2 or 3", recognizes_10x_h5, read_10x_h5},
      {"hdf5", {".hdf5", ".hdf"}, "any other HDF5 file, one array of it", recognizes_hdf5, read_hdf5},
      {"tiff",
       {".tif", ".tiff"},
       "GeoTIFF scenes: bands, or pages of one band each, and where they lie",
       recognizes_tiff,
       read_tiff},
      {"envi",
       {".hdr", ".img", ".bsq", ".bil", ".bip"},
       "image cube: a header, and the values beside it",
       recognizes_envi,
       read_envi},
      {"nifti",
       {".nii"},
       "brain images, NIfTI-1 and -2; with --atlas means over parcels",
       recognizes_nifti,
       read_nifti},
      {"gct", {".gct"}, "gene expression, with the classes of a .cls file", recognizes_gct, read_gct},
      {"csv",
       {".csv", ".tsv", ".txt", ".tab", ".dat", ".1d"},
       "text table; delimiter, header and row names are detected",
       recognizes_csv,
       read_csv},
  };
  return table;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); });
  return text;
}

std::filesystem::path without_gz(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (lower_case(name.extension().string()) == ".gz") name.replace_extension();
  return name;
}

std::string known_extensions() {
  std::string list;
  for (const Format& format : format_table()) {
    for (const std::string_view extension : format.extensions)
      list += (list.empty() ? "" : ", ") + std::string(extension);
  }
  return list;
}

// The format whose mark the content bears; text has none.
const Format* marked_format(std::string_view bytes) {
  const std::vector<Format>& table = format_table();
  const auto found =
      std::find_if(table.begin(), table.end() - 1, [&](const Format& one) { return one.recognizes(bytes); });
  return found == table.end() - 1 ? nullptr : &*found;
}

// By content first: a wrong extension does no harm. By extension next: the reader of the format that was meant can say
// what is wrong with the content. Text without a known extension is a table.
const Format& choose_format(std::string_view bytes, const std::string& file) {
  const std::vector<Format>& table = format_table();
  const Format& text = table.back();
  if (const std::string advice = advice_for_content(bytes, file); !advice.empty())
    throw InputError({.file = file}, advice);
  if (const Format* marked = marked_format(bytes)) return *marked;
  if (const std::string advice = advice_for_name(bytes, file); !advice.empty())
    throw InputError({.file = file}, advice);
  const std::string extension = lower_case(without_gz(file).extension().string());
  for (const Format& format : table) {
    if (std::find(format.extensions.begin(), format.extensions.end(), extension) != format.extensions.end())
      return format;
  }
  if (text.recognizes(bytes)) return text;
  throw InputError({.file = file}, "the format is not recognized; files that can be read end in " + known_extensions() +
                                       ", each also with .gz");
}

SparseMatrix taken(SparseMatrix& from, bool turn) {
  SparseMatrix values;
  if (turn) {
    values = from.transpose();
  } else {
    values.swap(from);
  }
  return values;
}

SampleMatrix oriented(const FileTable& table, SamplesIn samples_in) {
  const bool turn = samples_in == SamplesIn::columns;
  if (const auto* sparse = std::get_if<std::shared_ptr<SparseMatrix>>(&table.values))
    return SampleMatrix(taken(**sparse, turn));
  DenseValues dense = std::get<DenseValues>(table.values);
  if (turn) {
    std::swap(dense.rows, dense.cols);
    std::swap(dense.row_stride, dense.col_stride);
  }
  return {dense.values, dense.rows, dense.cols, dense.row_stride, dense.col_stride, std::move(dense.owner)};
}

// What to call a condition: the name of the file or folder without its extensions.
std::string condition_name(const std::string& file) {
  std::filesystem::path path(file);
  if (!path.has_filename()) path = path.parent_path();  // "ctrl/" is called ctrl
  return as_utf8(without_gz(path).stem().string());
}

// Names are kept, compared and written many times over, some side by side in fields as long as the longest.
void check_names(std::vector<std::string>& names, const char* kind, const std::string& file) {
  constexpr std::size_t longest = 4096;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > longest) {
      throw InputError({.file = file, .value = printable(names[i])},
                       std::string(kind) + " " + std::to_string(i + 1) + " has " + std::to_string(names[i].size()) +
                           " bytes; at most " + std::to_string(longest) + " are allowed");
    }
    names[i] = as_utf8(names[i]);
  }
}

// Alike in all formats.
void make_features_unique(ReadResult& result, const Context& context) {
  std::vector<std::string>& names = result.dataset.features;
  const std::vector<std::string> given = names;
  const Index changed = make_unique(names);
  if (changed == 0) return;
  const std::size_t first = static_cast<std::size_t>(std::ranges::mismatch(given, names).in1 - given.begin());
  const std::string sentence =
      changed == 1 ? "the feature name '" + printable(given[first]) + "' appears twice; the second is called '" +
                         printable(names[first]) + "'"
                   : std::to_string(changed) + " features have names that appear before, such as '" +
                         printable(given[first]) + "'; they are called '" + printable(names[first]) + "' and so on";
  result.notes.push_back(sentence);
  context.warn(result.dataset.source + ": " + sentence);
}

ReadResult to_dataset(FileTable table, std::string_view format, const std::string& file, const ReadOptions& options,
                      const Context& context) {
  const SamplesIn samples_in = table.samples_in.value_or(options.samples_in);
  if (samples_in == SamplesIn::columns) std::swap(table.row_names, table.column_names);

  ReadResult result{.dataset = {}, .format = format, .notes = std::move(table.notes)};
  Dataset& dataset = result.dataset;
  dataset.name = condition_name(file);
  dataset.source = file;
  dataset.values = oriented(table, samples_in);
  if (dataset.values.rows() == 0 || dataset.values.cols() == 0) {
    throw InputError({.file = file}, "holds " + std::to_string(dataset.values.rows()) + " samples and " +
                                         std::to_string(dataset.values.cols()) + " features; there is nothing to read");
  }
  dataset.features_named = !table.column_names.empty();
  dataset.features =
      dataset.features_named ? std::move(table.column_names) : numbered_names("f", dataset.values.cols());
  dataset.samples = table.row_names.empty() ? numbered_names("s", dataset.values.rows()) : std::move(table.row_names);
  dataset.labels = std::move(table.labels);
  check_names(dataset.features, "the name of feature", file);
  check_names(dataset.samples, "the name of sample", file);
  for (LabelColumn& label : dataset.labels) {
    label.name = as_utf8(label.name);
    check_names(label.values, "the label of sample", file);
  }
  dataset.is_image = table.is_image || !table.shape.empty();
  dataset.shape = std::move(table.shape);
  make_features_unique(result, context);
  return result;
}

ReadResult read_bytes(Bytes bytes, const std::string& file, const std::filesystem::path& folder,
                      const ReadOptions& options, const Context& context) {
  context.check_stop();
  if (bytes.view.empty()) throw InputError({.file = file}, "the file is empty");
  const Source source{decompressed(std::move(bytes), file, context), file, folder};
  if (source.bytes.view.empty()) throw InputError({.file = file}, "the file is empty once decompressed");
  const Format& format = choose_format(source.bytes.view, file);
  return to_dataset(format.read(source, options, context), format.name, file, options, context);
}

}  // namespace

std::pair<Index, Index> FileTable::size() const {
  if (const auto* sparse = std::get_if<std::shared_ptr<SparseMatrix>>(&values)) {
    return {(*sparse)->rows(), (*sparse)->cols()};
  }
  const DenseValues& dense = std::get<DenseValues>(values);
  return {dense.rows, dense.cols};
}

ReadResult read_file(const std::filesystem::path& file, const ReadOptions& options, const Context& context) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    if (const std::string advice = advice_for_folder(file); !advice.empty())
      throw InputError({.file = file.string()}, advice);
    if (std::filesystem::exists(file / "groups.tsv", ignored) &&
        std::filesystem::exists(file / "summary.json", ignored)) {
      throw InputError({.file = file.string()},
                       "holds the results of a run, and data are needed; disc test, disc replicate and disc "
                       "project take such a folder first");
    }
    if (!recognizes_10x_folder(file)) {
      throw InputError({.file = file.string()},
                       "is a folder without a matrix.mtx; folders are read as Cell Ranger writes "
                       "them, with matrix.mtx, barcodes.tsv and features.tsv or genes.tsv");
    }
    return to_dataset(read_10x_folder(file, options, context), "10x-folder", file.string(), options, context);
  }
  const std::filesystem::path folder = std::filesystem::absolute(file, ignored).parent_path();
  // The values of a cube have no mark of their own; what is beside them tells.
  Bytes bytes = load_file(file, context);
  const std::filesystem::path header =
      marked_format(bytes.view) == nullptr ? find_envi_header(file) : std::filesystem::path();
  if (!header.empty()) bytes = load_file(header, context);
  return read_bytes(std::move(bytes), file.string(), folder, options, context);
}

}  // namespace io

void keep_libraries_quiet_at_exit() { io::keep_hdf5_quiet_at_exit(); }

Dataset read_dataset(const std::filesystem::path& file, const ReadOptions& options, const Context& context) {
  return io::read_file(file, options, context).dataset;
}

Dataset read_dataset_from_memory(std::string_view bytes, const std::string& name, const ReadOptions& options,
                                 const Context& context) {
  return io::read_bytes({bytes, nullptr}, name, {}, options, context).dataset;
}

std::vector<FormatDescription> readable_formats() {
  std::vector<FormatDescription> descriptions{
      {"10x-folder", "a folder",
       "10x Genomics (Cell Ranger): matrix.mtx, barcodes.tsv, and features.tsv or genes.tsv"}};
  for (const io::Format& format : io::format_table()) {
    FormatDescription description{std::string(format.name), "", std::string(format.description)};
    for (const std::string_view extension : format.extensions) {
      description.extensions += (description.extensions.empty() ? "" : ", ") + std::string(extension);
    }
    descriptions.push_back(std::move(description));
  }
  return descriptions;
}

}  // namespace disc

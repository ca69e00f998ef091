// The folders of Cell Ranger: matrix.mtx, barcodes.tsv, and genes.tsv (version 2) or features.tsv (version 3), each perhaps
// compressed, perhaps all with the same text in front of their names.
#include <algorithm>

#include "io/lines.hpp"
#include "io/sparse_entries.hpp"
#include "io/ten_x.hpp"

namespace disc::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view matrix_name = "matrix.mtx";

// The file of this name, plain or compressed; empty if there is none.
fs::path find_file(const fs::path& folder, const std::string& name) {
  for (const char* ending : {"", ".gz"}) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / (name + ending), ignored)) return folder / (name + ending);
  }
  return {};
}

// What stands in front of "matrix.mtx" in each matrix of the folder; usually nothing.
std::vector<std::string> prefixes(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    if (name.ends_with(matrix_name)) found.push_back(name.substr(0, name.size() - matrix_name.size()));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Source load(const fs::path& file, const Context& context) {
  return {decompressed(load_file(file, context), file.string(), context), file.string(), {}};
}

// The columns of a table without a header; lines may have more cells than are asked for.
std::vector<std::vector<std::string>> read_columns(const fs::path& file, std::size_t most, const Context& context) {
  const Source source = load(file, context);
  std::vector<std::vector<std::string>> columns;
  LineReader lines(source.bytes.view);
  Index number = 0;
  for (std::string_view line; lines.next(line);) {
    ++number;
    if (line.empty()) continue;
    const bool first = columns.empty();
    for (std::size_t k = 0; k < (first ? most : columns.size()); ++k) {
      if (line.data() == nullptr) {
        if (first) break;
        throw InputError({.file = source.file, .line = number},
                         "the line has fewer cells than the first, which has " + std::to_string(columns.size()));
      }
      const std::size_t end = std::min(line.find('\t'), line.size());
      if (first) columns.emplace_back();
      columns[k].emplace_back(line.substr(0, end));
      line = end < line.size() ? line.substr(end + 1) : std::string_view();
    }
  }
  if (columns.empty()) throw InputError({.file = source.file}, "the file is empty");
  return columns;
}

TenXFeatures read_features(const fs::path& folder, const std::string& prefix, const Context& context) {
  fs::path file = find_file(folder, prefix + "features.tsv");
  if (file.empty()) file = find_file(folder, prefix + "genes.tsv");
  if (file.empty()) {
    throw InputError({.file = folder.string()}, "has a " + prefix + "matrix.mtx but no " + prefix + "features.tsv or " +
                                                    prefix + "genes.tsv, plain or with .gz");
  }
  std::vector<std::vector<std::string>> columns = read_columns(file, 3, context);
  TenXFeatures features;
  features.ids = columns[0];
  features.names = std::move(columns[columns.size() > 1 ? 1 : 0]);
  if (columns.size() > 2) features.types = std::move(columns[2]);
  return features;
}

}  // namespace

bool recognizes_10x_folder(const fs::path& folder) { return !prefixes(folder).empty(); }

FileTable read_10x_folder(const fs::path& folder, const ReadOptions& options, const Context& context) {
  const std::vector<std::string> found = prefixes(folder);
  if (found.size() != 1) {
    std::string list;
    for (const std::string& prefix : found) list += (list.empty() ? "" : ", ") + printable(prefix) + "matrix.mtx";
    throw InputError({.file = folder.string()},
                     "holds several matrices, " + list + "; a folder must hold one condition");
  }
  const std::string& prefix = found.front();
  const fs::path barcodes = find_file(folder, prefix + "barcodes.tsv");
  if (barcodes.empty()) {
    throw InputError({.file = folder.string()},
                     "has a " + prefix + "matrix.mtx but no " + prefix + "barcodes.tsv, plain or with .gz");
  }
  const Source matrix = load(find_file(folder, prefix + std::string(matrix_name)), context);
  const FileTable table = read_matrix_market(matrix, {}, context);
  const auto* values = std::get_if<std::shared_ptr<SparseMatrix>>(&table.values);
  if (values == nullptr) throw InputError({.file = matrix.file}, "must be a Matrix Market file with coordinates");
  return ten_x_table(transposed(**values), std::move(read_columns(barcodes, 1, context).front()),
                     read_features(folder, prefix, context), options, folder.string());
}

}  // namespace disc::io

#include "report/run_files.hpp"

#include <algorithm>
#include <cmath>

#include "io/bytes.hpp"

namespace disc::report {
namespace {

const Context& one_thread() {
  static const Context context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}});
  return context;
}

}  // namespace

const OutputFile* RunFiles::find(const std::string& name) const {
  const auto found = std::ranges::find(files_, name, &OutputFile::name);
  return found == files_.end() ? nullptr : &*found;
}

const OutputFile& RunFiles::at(const std::string& name) const {
  const OutputFile* file = find(name);
  if (file == nullptr) throw InputError({.file = name}, "the file is missing among the results of a run");
  return *file;
}

Json RunFiles::json(const std::string& name) const {
  try {
    return Json::parse(at(name).bytes);
  } catch (const Json::parse_error& error) {
    throw InputError({.file = name}, "is damaged at byte " + std::to_string(error.byte) + "; disc run writes it again");
  }
}

TextTable RunFiles::table(const std::string& name) const { return decode_tsv(at(name).bytes, name); }

RowMatrix RunFiles::array(const std::string& archive, const std::string& name) const {
  ReadOptions options;
  options.variable = name;
  options.samples_in = SamplesIn::columns;  // rows are features, as their names in the archive say
  const Dataset data = read_dataset_from_memory(at(archive).bytes, archive, options, one_thread());
  std::vector<Index> all(static_cast<std::size_t>(data.values.cols()));
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<Index>(j);
  RowMatrix values;
  data.values.copy_rows(0, data.values.rows(), all, values);
  return values.transpose();
}

std::vector<Index> RunFiles::places(const std::string& archive, const std::string& name, Index limit) const {
  const RowMatrix values = array(archive, name);
  std::vector<Index> places;
  for (const double value : values.reshaped()) {
    if (!(value >= 0 && value < static_cast<double>(limit)) || value != std::floor(value)) {
      throw InputError({.file = archive, .value = format_number(value)},
                       "array '" + name + "' holds " + format_number(value) + ", which is no whole number below " +
                           std::to_string(limit));
    }
    places.push_back(static_cast<Index>(value));
  }
  return places;
}

std::vector<OutputFile> read_run(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError({.file = folder.string()}, "is no folder; the one that disc run wrote is needed");
  }
  if (!std::filesystem::exists(folder / "summary.json")) {
    throw InputError({.file = folder.string()}, "holds no summary.json; the folder that disc run wrote is needed");
  }
  std::vector<OutputFile> files;
  for (const char* name : {"summary.json", "groups.tsv", "features.tsv", "vectors.npz", "samples.tsv", "pictures.npz",
                           "enrichment.tsv", "pairs.tsv"}) {
    if (!std::filesystem::exists(folder / name)) continue;  // those that are needed are asked for later
    files.push_back({name, std::string(io::load_file(folder / name, one_thread()).view)});
  }
  return files;
}

}  // namespace disc::report

#include "report/run_files.hpp"

#include <cmath>

namespace disc::report {
namespace {

const Context& one_thread() {
  static const Context context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}});
  return context;
}

// `place_of(name)`: where the file of that name is, if it is there.
template <class PlaceOf>
RunFiles mapped(PlaceOf&& place_of) {
  std::map<std::string, io::Bytes> found;
  for (const char* name : {"summary.json", "groups.tsv", "features.tsv", "vectors.npz", "samples.tsv",
                           "figure_data.npz", "enrichment.tsv", "pairs.tsv", "units.tsv"}) {
    if (const auto place = place_of(name)) found[name] = io::load_file(*place, one_thread());
  }
  return RunFiles(std::move(found));
}

}  // namespace

std::string_view RunFiles::text(const std::string& name) const {
  const auto found = files_.find(name);
  if (found == files_.end()) throw InputError({.file = name}, "the file is missing among the results of a run");
  return found->second.view;
}

bool RunFiles::has_array(const std::string& archive, const std::string& name) const {
  return has(archive) &&
         text(archive).find(name + ".npy") != std::string_view::npos;  // archives list names as they are
}

Json RunFiles::json(const std::string& name) const {
  try {
    return Json::parse(text(name));
  } catch (const Json::parse_error& error) {
    throw InputError({.file = name}, "is damaged at byte " + std::to_string(error.byte) + "; disc run writes it again");
  }
}

TextTable RunFiles::table(const std::string& name) const { return decode_tsv(text(name), name); }

RowMatrix RunFiles::array(const std::string& archive, const std::string& name) const {
  ReadOptions options;
  options.variable = name;
  options.samples_in = SamplesIn::columns;  // rows are features, as their names in the archive say
  const Dataset data = read_dataset_from_memory(text(archive), archive, options, one_thread());
  std::vector<Index> all(static_cast<std::size_t>(data.values.cols()));
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<Index>(j);
  RowMatrix values;
  data.values.copy_rows(0, data.values.rows(), all, values);
  return values.transpose();
}

RowMatrix RunFiles::vectors(const std::string& key) const {
  try {
    return array("vectors.npz", "V_" + key);
  } catch (const InputError&) {
    if (has_array("vectors.npz", "V_" + key)) return {};  // without a column: diffusion maps of noise have none
    throw;
  }
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

RunFiles files_in_memory(const std::vector<OutputFile>& files) {
  std::map<std::string, io::Bytes> found;
  for (const OutputFile& file : files) found[file.name] = {file.bytes, nullptr};
  return RunFiles(std::move(found));
}

RunFiles files_written(const OutputFolder& folder) {
  return mapped([&](const std::string& name) { return folder.written(name); });
}

RunFiles files_of_run(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError({.file = folder.string()}, "is no folder; the one that disc run wrote is needed");
  }
  finish_outputs(folder);
  if (!std::filesystem::exists(folder / "summary.json")) {
    throw InputError({.file = folder.string()}, "holds no summary.json; the folder that disc run wrote is needed");
  }
  return mapped([&](const std::string& name) -> std::optional<std::filesystem::path> {
    if (!std::filesystem::exists(folder / name)) return std::nullopt;  // those that are needed are asked for later
    return folder / name;
  });
}

}  // namespace disc::report

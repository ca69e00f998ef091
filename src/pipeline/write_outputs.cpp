// The files of a run, all or none; what is in them is made in encode_*.cpp.
#include <array>
#include <cctype>
#include <fstream>
#include <functional>
#include <set>

#include "io/npz_writer.hpp"
#include "pipeline/encode.hpp"

namespace disc {
namespace {

// Names of archive members: no path separators, no control characters, unique.
std::vector<std::string> member_keys(const std::vector<ConditionResult>& conditions) {
  std::vector<std::string> keys;
  std::set<std::string> taken;
  for (const ConditionResult& condition : conditions) {
    std::string key = condition.name;
    for (char& letter : key) {
      if (letter == '/' || letter == '\\' || std::iscntrl(static_cast<unsigned char>(letter)) != 0) letter = '_';
    }
    const std::string plain = key;
    for (int copy = 2; !taken.insert(key).second; ++copy) key = plain + "_" + std::to_string(copy);
    keys.push_back(key);
  }
  return keys;
}

// The only file that may be as large as the data.
std::vector<io::NpzMember> vectors_of(const Analysis& analysis, const std::vector<std::string>& keys) {
  std::vector<io::NpzMember> members;
  members.push_back({"features", [&] {
                       const auto count = static_cast<Index>(analysis.features.size());
                       return encode_npy({"features", {count}, {}, analysis.features});
                     }});
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    const ConditionResult& condition = analysis.conditions[m];
    members.push_back({"V_" + keys[m], [&] { return io::encode_npy(condition.vectors.vectors); }});
    members.push_back({"U_" + keys[m], [&] { return io::encode_npy(condition.eigenvectors); }});
    members.push_back({"sigma_" + keys[m], [&] {
                         const Vector& sigma = condition.vectors.sigma;
                         return encode_npy({"sigma", {sigma.size()}, {sigma.begin(), sigma.end()}, {}});
                       }});
  }
  return members;
}

constexpr const char* vectors_name = "vectors.npz";

struct File {
  std::string name;
  std::function<std::string()> bytes;
};

std::vector<File> files_but_vectors(const Analysis& analysis, const RunRecord& record,
                                    const std::vector<std::string>& keys) {
  std::vector<File> files{{"groups.tsv", [&] { return groups_tsv(analysis); }},
                          {"features.tsv", [&] { return features_tsv(analysis); }},
                          {"pairs.tsv", [&] { return pairs_tsv(analysis); }},
                          {"samples.tsv", [&] { return samples_tsv(analysis); }},
                          {"units.tsv", [&] { return units_tsv(analysis); }},
                          {"figure_data.npz", [&] { return figure_data_npz(analysis, keys); }},
                          {"summary.json", [&] { return summary_json(analysis, record, keys); }}};
  if (const auto place = place_of(analysis, record, Context())) {
    files.push_back({"maps.tif", [&analysis, place] { return maps_tif(analysis, *place); }});
  }
  if (!analysis.used.genesets.empty()) files.push_back({"enrichment.tsv", [&] { return enrichment_tsv(analysis); }});
  return files;
}

// What a run wrote says so in its first lines.
bool holds_results(const std::filesystem::path& folder) {
  std::ifstream summary(folder / "summary.json", std::ios::binary);
  std::string start(4096, '\0');
  summary.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.starts_with('{') && start.find("\"version\"") != std::string::npos;
}

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code error;
  return std::filesystem::equivalent(one, other, error) && !error;
}

}  // namespace

const std::vector<std::string>& output_names() {
  static const std::vector<std::string> names{"groups.tsv",     "features.tsv",    "pairs.tsv",    "samples.tsv",
                                              "units.tsv",      "figure_data.npz", "summary.json", "vectors.npz",
                                              "enrichment.tsv", "maps.tif",        "report.html",  "disc_mqc.json"};
  return names;
}

void check_output_folder(const std::filesystem::path& folder, std::span<const std::filesystem::path> inputs) {
  const bool is_ours = holds_results(folder);
  std::error_code error;
  for (const std::string& name : output_names()) {
    const std::filesystem::path file = folder / name;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) continue;
    for (const std::filesystem::path& input : inputs) {
      if (!is_same_file(file, input) && !is_same_file(file, input / name)) continue;
      throw OptionError("output", folder.string(),
                        "the results would replace " + file.string() + ", which the run reads; choose another folder");
    }
    if (is_ours || std::filesystem::is_directory(file, error))
      continue;  // a folder in the way is refused when files are written
    throw OptionError(
        "output", folder.string(),
        "the results would replace " + file.string() + ", which no run of disc wrote; choose another folder");
  }
}

std::vector<OutputFile> encode_outputs(const Analysis& analysis, const RunRecord& record) {
  const std::vector<std::string> keys = member_keys(analysis.conditions);
  std::vector<OutputFile> outputs;
  for (const File& file : files_but_vectors(analysis, record, keys)) outputs.push_back({file.name, file.bytes()});
  outputs.push_back({vectors_name, io::encode_npz(vectors_of(analysis, keys))});
  return outputs;
}

void write_files(const Analysis& analysis, const RunRecord& record, OutputFolder& folder) {
  const std::vector<std::string> keys = member_keys(analysis.conditions);
  io::write_npz(folder.place(vectors_name), folder.path() / vectors_name, vectors_of(analysis, keys));
  for (const File& file : files_but_vectors(analysis, record, keys)) folder.write(file.name, file.bytes());
}

void write_outputs(const std::vector<OutputFile>& files, OutputFolder& folder) {
  for (const OutputFile& file : files) folder.write(file.name, file.bytes);
  // A report alone joins the results that are there; a whole run replaces them.
  const bool is_whole_run = folder.written("summary.json").has_value();
  folder.commit(is_whole_run ? std::span<const std::string>(output_names()) : std::span<const std::string>());
}

void write_outputs(const Analysis& analysis, const RunRecord& record, const std::filesystem::path& folder) {
  OutputFolder output(folder);  // first: what cannot be written is known before the work
  check_output_folder(folder, {});
  write_files(analysis, record, output);
  output.commit(output_names());
}

}  // namespace disc

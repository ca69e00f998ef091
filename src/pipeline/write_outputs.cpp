// The files of a run, all or none; what is in them is made in encode_*.cpp.
#include <array>
#include <cctype>
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

// What an earlier run left here is not taken for a part of this one. The page alone, made again, is no run.
void remove_outdated(OutputFolder& folder) {
  if (!folder.written("summary.json")) return;
  for (const std::string_view name : output_names()) {
    if (!folder.written(std::string(name))) folder.remove(std::string(name));
  }
}

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
                          {"figure_data.npz", [&] { return figure_data_npz(analysis, keys); }},
                          {"summary.json", [&] { return summary_json(analysis, record, keys); }}};
  if (!analysis.used.genesets.empty()) files.push_back({"enrichment.tsv", [&] { return enrichment_tsv(analysis); }});
  return files;
}

}  // namespace

std::span<const std::string_view> output_names() {
  static constexpr std::array<std::string_view, 9> names{"groups.tsv",      "features.tsv",   "pairs.tsv",
                                                         "samples.tsv",     "enrichment.tsv", "summary.json",
                                                         "figure_data.npz", "vectors.npz",    "report.html"};
  return names;
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
  remove_outdated(folder);
}

void write_outputs(const std::vector<OutputFile>& files, OutputFolder& folder) {
  for (const OutputFile& file : files) folder.write(file.name, file.bytes);
  remove_outdated(folder);
  folder.commit();
}

void write_outputs(const Analysis& analysis, const RunRecord& record, const std::filesystem::path& folder) {
  OutputFolder output(folder);  // first: what cannot be written is known before the work
  write_files(analysis, record, output);
  output.commit();
}

}  // namespace disc

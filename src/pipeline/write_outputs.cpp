// The files of a run, all or none; what is in them is made in encode_*.cpp.
#include <cctype>
#include <set>

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

std::string vectors_npz(const Analysis& analysis, const std::vector<std::string>& keys) {
  std::vector<NamedArray> arrays;
  arrays.push_back({"features", {static_cast<Index>(analysis.features.size())}, {}, analysis.features});
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    const ConditionResult& condition = analysis.conditions[m];
    const Vector& sigma = condition.vectors.sigma;
    arrays.push_back(to_array("V_" + keys[m], condition.vectors.vectors));
    arrays.push_back(to_array("U_" + keys[m], condition.eigenvectors));
    arrays.push_back({"sigma_" + keys[m], {sigma.size()}, {sigma.begin(), sigma.end()}, {}});
  }
  return encode_npz(std::move(arrays));
}

}  // namespace

std::vector<OutputFile> encode_outputs(const Analysis& analysis, const RunRecord& record) {
  const std::vector<std::string> keys = member_keys(analysis.conditions);
  std::vector<OutputFile> files{{"groups.tsv", groups_tsv(analysis)},
                                {"features.tsv", features_tsv(analysis)},
                                {"pairs.tsv", pairs_tsv(analysis)},
                                {"samples.tsv", samples_tsv(analysis)},
                                {"vectors.npz", vectors_npz(analysis, keys)},
                                {"pictures.npz", pictures_npz(analysis, keys)},
                                {"summary.json", summary_json(analysis, record, keys)}};
  if (!analysis.used.genesets.empty()) files.push_back({"enrichment.tsv", enrichment_tsv(analysis)});
  return files;
}

void write_outputs(const std::vector<OutputFile>& files, OutputFolder& folder) {
  for (const OutputFile& file : files) folder.write(file.name, file.bytes);
  folder.commit();
}

void write_outputs(const Analysis& analysis, const RunRecord& record, const std::filesystem::path& folder) {
  OutputFolder output(folder);  // first: what cannot be written is known before the work
  write_outputs(encode_outputs(analysis, record), output);
}

}  // namespace disc

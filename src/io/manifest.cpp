#include "disc/manifest.hpp"

#include <glob.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "io/sparse_entries.hpp"

namespace disc {
namespace {

using Columns = std::unordered_map<std::string_view, Index>;

std::vector<std::string> matching_files(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);  // sorted by glob
  }
  ::globfree(&found);
  return files;
}

// What each file is called among the others: its name, or its whole path where names repeat.
std::vector<std::string> short_names(const Manifest& manifest) {
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (const ManifestRow& row : manifest.rows) {
    std::filesystem::path name = row.file.filename().empty() ? row.file.parent_path().filename() : row.file.filename();
    if (name.extension() == ".gz") name = name.stem();
    names.push_back(name.stem().string());
    ++uses[names.back()];
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (uses[names[i]] > 1) names[i] = manifest.rows[i].file.string();
  }
  return names;
}

// The features that all parts have, in the order of the first one, and the column of each in every part.
struct CommonFeatures {
  std::vector<std::string> names;
  std::vector<std::vector<Index>> columns;  // per part
};

CommonFeatures common_features(std::span<const Dataset* const> parts, const std::string& condition,
                               const Context& context) {
  std::vector<Columns> columns;
  Columns all;
  for (const Dataset* part : parts) {
    Columns& own = columns.emplace_back();
    for (std::size_t j = 0; j < part->features.size(); ++j) {
      own.emplace(part->features[j], static_cast<Index>(j));
      all.emplace(part->features[j], 0);
    }
    if (!part->features_named && part->values.cols() != parts.front()->values.cols()) {
      throw InputError({.file = part->source}, "has " + std::to_string(part->values.cols()) +
                                                   " features and no names, but " + parts.front()->source + " has " +
                                                   std::to_string(parts.front()->values.cols()) +
                                                   "; without names the numbers must agree");
    }
  }
  CommonFeatures common;
  common.columns.resize(parts.size());
  for (const std::string& feature : parts.front()->features) {
    if (!std::ranges::all_of(columns, [&](const Columns& own) { return own.contains(feature); })) continue;
    common.names.push_back(feature);
    for (std::size_t k = 0; k < parts.size(); ++k) common.columns[k].push_back(columns[k].at(feature));
  }
  if (common.names.empty()) {
    throw InputError("the files of condition '" + condition + "' have no feature in common: " + parts.front()->source +
                     " has '" + parts.front()->features.front() + "', ..., " + parts.back()->source + " has '" +
                     parts.back()->features.front() + "', ...");
  }
  if (const std::size_t absent = all.size() - common.names.size(); absent > 0) {
    context.warn("condition " + condition + ": " + std::to_string(absent) +
                 " features are not in all of its files and are excluded");
  }
  return common;
}

SampleMatrix stacked(std::span<const Dataset* const> parts, const CommonFeatures& common, const Context& context) {
  Index rows = 0;
  for (const Dataset* part : parts) rows += part->values.rows();
  const auto width = static_cast<Index>(common.names.size());
  Index first = 0;
  if (std::ranges::all_of(parts, [](const Dataset* part) { return part->values.is_sparse(); })) {
    std::vector<std::vector<io::Entry>> entries;
    for (std::size_t k = 0; k < parts.size(); first += parts[k]->values.rows(), ++k) {
      std::vector<Index> place(static_cast<std::size_t>(parts[k]->values.cols()), -1);
      for (Index j = 0; j < width; ++j) {
        place[static_cast<std::size_t>(common.columns[k][static_cast<std::size_t>(j)])] = j;
      }
      std::vector<io::Entry>& own = entries.emplace_back();
      const SparseMatrix& values = *parts[k]->values.sparse();
      for (Index i = 0; i < values.rows(); ++i) {
        for (SparseMatrix::InnerIterator entry(values, i); entry; ++entry) {
          const Index column = place[static_cast<std::size_t>(entry.col())];
          if (column >= 0) own.push_back({first + i, column, entry.value()});
        }
      }
    }
    SparseMatrix all;
    all.swap(*io::from_entries(rows, width, std::move(entries), context));
    return SampleMatrix(std::move(all));
  }
  RowMatrix all(rows, width);
  RowMatrix own;
  for (std::size_t k = 0; k < parts.size(); first += own.rows(), ++k) {
    parts[k]->values.copy_rows(0, parts[k]->values.rows(), common.columns[k], own);
    all.middleRows(first, own.rows()) = own;
  }
  return SampleMatrix(std::move(all));
}

void append(std::vector<std::string>& values, const std::string& value, Index times) {
  values.insert(values.end(), static_cast<std::size_t>(times), value);
}

const LabelColumn* find_label(const Dataset& data, const std::string& name) {
  const auto found = std::ranges::find(data.labels, name, &LabelColumn::name);
  return found == data.labels.end() ? nullptr : &*found;
}

// The label `file`, those of the manifest, and those that all files have themselves.
std::vector<LabelColumn> joined_labels(const Manifest& manifest, std::span<const std::size_t> rows,
                                       std::span<const Dataset* const> parts, std::span<const std::string> names) {
  std::vector<LabelColumn> labels{{"file", {}}};
  for (const std::string& name : manifest.label_names) labels.push_back({name, {}});
  const std::size_t given = labels.size();
  for (const LabelColumn& own : parts.front()->labels) {
    const bool is_taken = std::ranges::find(labels, own.name, &LabelColumn::name) != labels.end();
    const bool in_all = std::ranges::all_of(parts, [&](auto* part) { return find_label(*part, own.name) != nullptr; });
    if (!is_taken && in_all) labels.push_back({own.name, {}});
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Index samples = parts[k]->values.rows();
    append(labels[0].values, names[rows[k]], samples);
    for (std::size_t c = 1; c < given; ++c) append(labels[c].values, manifest.rows[rows[k]].labels[c - 1], samples);
    for (std::size_t c = given; c < labels.size(); ++c) {
      const auto& own = find_label(*parts[k], labels[c].name)->values;
      labels[c].values.insert(labels[c].values.end(), own.begin(), own.end());
    }
  }
  return labels;
}

Dataset joined(const Manifest& manifest, std::span<const std::size_t> rows, std::span<const Dataset> files,
               std::span<const std::string> names, const Context& context) {
  std::vector<const Dataset*> parts;
  for (const std::size_t row : rows) parts.push_back(&files[row]);
  Dataset result;
  result.name = manifest.rows[rows.front()].condition;
  result.source = parts.front()->source + (parts.size() > 1 ? " and others" : "");
  CommonFeatures common = common_features(parts, result.name, context);
  result.values = stacked(parts, common, context);
  result.features = std::move(common.names);
  result.features_named = std::ranges::any_of(parts, [](const Dataset* part) { return part->features_named; });
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (const std::string& sample : parts[k]->samples) result.samples.push_back(names[rows[k]] + ":" + sample);
  }
  result.labels = joined_labels(manifest, rows, parts, names);
  const bool one_shape = std::ranges::all_of(parts, [&](auto* part) { return part->shape == parts[0]->shape; });
  if (one_shape) result.shape = parts.front()->shape;
  result.is_image = std::ranges::all_of(parts, &Dataset::is_image);
  return result;
}

// Many files are read side by side, few one after the other, each with all threads.
std::vector<Dataset> read_all(const Manifest& manifest, const ReadOptions& options, const Context& context) {
  constexpr std::size_t many = 8;
  std::vector<Dataset> files(manifest.rows.size());
  const auto read = [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    files[at] = read_dataset(manifest.rows[at].file, options, context);
  };
  if (files.size() >= many) {
    context.parallel_for(static_cast<Index>(files.size()), read);
  } else {
    for (Index i = 0; i < static_cast<Index>(files.size()); ++i) read(i);
  }
  return files;
}

}  // namespace

Manifest read_manifest(const std::filesystem::path& table) {
  const TextTable text = read_tsv(table);
  const auto file = static_cast<std::size_t>(text.column("file", table.string()));
  const auto condition = static_cast<std::size_t>(text.column("condition", table.string()));
  Manifest manifest;
  for (std::size_t c = 0; c < text.columns.size(); ++c) {
    if (c != file && c != condition) manifest.label_names.push_back(text.columns[c]);
  }
  std::set<std::string> seen;
  for (std::size_t row = 0; row < text.rows.size(); ++row) {
    const std::vector<std::string>& cells = text.rows[row];
    const InputError::Place place{.file = table.string(), .line = static_cast<Index>(row) + 2, .value = cells[file]};
    const std::filesystem::path path = table.parent_path() / cells[file];
    if (cells[file].empty() || cells[condition].empty()) {
      throw InputError(place, "a row needs both a file and a condition; one of them is empty");
    }
    if (!std::filesystem::exists(path)) {
      throw InputError(place, "there is no file '" + path.string() + "'; files are looked for beside the manifest");
    }
    if (!seen.insert(path.lexically_normal().string()).second) {
      throw InputError(place, "the file '" + cells[file] + "' is listed twice");
    }
    ManifestRow& entry = manifest.rows.emplace_back(ManifestRow{path, cells[condition], {}});
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c != file && c != condition) entry.labels.push_back(cells[c]);
    }
  }
  if (manifest.rows.empty()) throw InputError({.file = table.string()}, "the manifest has a header but lists no files");
  return manifest;
}

Manifest manifest_of_conditions(std::span<const std::string> texts) {
  Manifest manifest;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw OptionError("condition", text, "must be a name, =, and its files: A=one.csv,two.csv");
    }
    const std::string name = text.substr(0, equals);
    for (std::size_t begin = equals + 1; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string file = text.substr(begin, end - begin);
      begin = end + 1;
      if (file.empty()) throw OptionError("condition", text, "names an empty file; files are separated by one comma");
      const bool is_pattern = file.find_first_of("*?[") != std::string::npos;
      const std::vector<std::string> files = is_pattern ? matching_files(file) : std::vector<std::string>{file};
      if (files.empty()) throw OptionError("condition", text, "no file fits the pattern '" + file + "'");
      for (const std::string& path : files) manifest.rows.push_back({path, name, {}});
    }
  }
  return manifest;
}

std::vector<Dataset> read_conditions(const Manifest& manifest, const ReadOptions& options, const Context& context) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> rows_of;
  for (std::size_t row = 0; row < manifest.rows.size(); ++row) {
    std::vector<std::size_t>& rows = rows_of[manifest.rows[row].condition];
    if (rows.empty()) order.push_back(manifest.rows[row].condition);
    rows.push_back(row);
  }
  std::vector<Dataset> files = read_all(manifest, options, context);
  std::vector<Dataset> conditions;
  const bool one_file_each = order.size() == manifest.rows.size();
  const std::vector<std::string> names = short_names(manifest);
  for (const std::string& condition : order) {
    const std::vector<std::size_t>& rows = rows_of[condition];
    if (one_file_each && manifest.label_names.empty()) {
      conditions.push_back(std::move(files[rows.front()]));
      conditions.back().name = condition;
    } else {
      conditions.push_back(joined(manifest, rows, files, names, context));
      if (one_file_each)
        std::erase_if(conditions.back().labels, [](const auto& label) { return label.name == "file"; });
    }
    for (const std::size_t row : rows) files[row] = {};  // its memory is no longer needed
  }
  return conditions;
}

}  // namespace disc

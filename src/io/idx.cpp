// IDX files, in which MNIST and its relatives are kept: a type, the lengths of the axes, then the values, all big-endian. The first
// axis are the samples, the others a picture; the labels of the samples are in a second file.
#include <optional>

#include "io/raw_numbers.hpp"
#include "io/variables.hpp"

namespace disc::io {
namespace {

constexpr std::size_t type_at = 2, axes_at = 3, lengths_at = 4;

std::optional<RawType> type_of(std::string_view bytes) {
  if (bytes.size() < lengths_at || bytes[0] != 0 || bytes[1] != 0) return std::nullopt;
  switch (bytes[type_at]) {
    case 0x08:
      return RawType{'u', 1, true};
    case 0x09:
      return RawType{'i', 1, true};
    case 0x0b:
      return RawType{'i', 2, true};
    case 0x0c:
      return RawType{'i', 4, true};
    case 0x0d:
      return RawType{'f', 4, true};
    case 0x0e:
      return RawType{'f', 8, true};
    default:
      return std::nullopt;
  }
}

NumberArray read_array(const Source& source, const Context& context) {
  const std::string_view bytes = source.bytes.view;
  const std::optional<RawType> type = type_of(bytes);
  if (!type) throw InputError({.file = source.file}, "is not an IDX file: it must begin with two zeros and a type");
  const auto axes = static_cast<unsigned char>(bytes[axes_at]);
  const std::size_t begin = lengths_at + 4 * std::size_t{axes};
  std::vector<Index> shape;
  Index needed = type->size;
  bool too_large = false;
  for (std::size_t at = lengths_at; at < begin && begin <= bytes.size(); at += 4) {
    shape.push_back(read_unsigned(bytes.data() + at, true));
    too_large = too_large || __builtin_mul_overflow(needed, shape.back(), &needed);
  }
  if (begin > bytes.size() || too_large || static_cast<std::size_t>(needed) > bytes.size() - begin) {
    throw InputError({.file = source.file},
                     "the IDX file is truncated: it is too short for the shape " + shape_text(shape));
  }
  auto [values, owner] = keep_numbers(*type, bytes.data() + begin, needed / type->size, source.bytes.owner, context);
  return {std::move(shape), false, values, std::move(owner)};
}

// train-images-idx3-ubyte.gz -> train-labels-idx1-ubyte, with or without .gz.
std::filesystem::path find_labels(const Source& source) {
  std::string name = std::filesystem::path(source.file).filename().string();
  const std::size_t place = name.find("images");
  if (source.folder.empty() || place == std::string::npos) return {};
  name.replace(place, 6, "labels");
  if (const std::size_t axes = name.find("idx3"); axes != std::string::npos) name.replace(axes, 4, "idx1");
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  for (const char* ending : {"", ".gz"}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(source.folder / (name + ending), ignored)) {
      return source.folder / (name + ending);
    }
  }
  return {};
}

void add_labels(const Source& source, Index samples, FileTable& table, const Context& context) {
  const std::filesystem::path file = find_labels(source);
  if (file.empty()) return;
  const std::string name = file.string();
  const NumberArray labels = read_array({decompressed(load_file(file, context), name, context), name, {}}, context);
  if (labels.shape.size() != 1 || labels.shape[0] != samples) {
    throw InputError({.file = name}, "holds labels of shape " + shape_text(labels.shape) + ", but there are " +
                                         std::to_string(samples) + " images");
  }
  LabelColumn column{"label", {}};
  const SampleMatrix values(labels.values, samples, 1, 1, 1, labels.owner);
  for (Index i = 0; i < samples; ++i) column.values.push_back(format_number(values.at(i, 0)));
  table.labels.push_back(std::move(column));
  table.notes.push_back("labels from " + name);
}

}  // namespace

bool recognizes_idx(std::string_view bytes) {
  // Few bytes are fixed, so the number of axes must make sense as well.
  return type_of(bytes) && bytes[axes_at] > 0 && bytes[axes_at] < 8;
}

FileTable read_idx(const Source& source, const ReadOptions& options, const Context& context) {
  const NumberArray images = read_array(source, context);
  if (images.shape.size() < 2) {
    throw InputError({.file = source.file},
                     "holds one axis of shape " + shape_text(images.shape) + ": labels, not images; give the images");
  }
  std::string axes = options.axes;
  if (axes.empty()) {
    axes = "sample";
    for (std::size_t k = 1; k < images.shape.size(); ++k) axes += ",feature";
  }
  FileTable table = table_of_array(images, axes, source.file);
  add_labels(source, images.shape[0], table, context);
  return table;
}

}  // namespace disc::io

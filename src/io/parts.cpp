#include "disc/parts.hpp"

#include "io/envi.hpp"
#include "io/npy.hpp"
#include "io/raw_numbers.hpp"

namespace disc {
namespace io {
namespace {

RawType type_of(const NpyHeader& header) { return {header.kind, header.item_size, header.big_endian}; }

bool can_be_divided(const NpyHeader& header, const ReadOptions& options) {
  return header.is_number() && header.shape.size() == 2 && !header.fortran_order && options.axes.empty();
}

// Samples x some features of an array, which has either as its rows. What is usable in the file stays there.
DenseValues some_features(const Bytes& bytes, const NpyHeader& header, const ReadOptions& options, Index first,
                          Index count, const Context& context) {
  const RawType type = type_of(header);
  const Index rows = header.shape[0];
  const Index cols = header.shape[1];
  const char* const from = bytes.view.data() + header.data_begin;
  const bool samples_in_rows = options.samples_in == SamplesIn::rows;
  const Index samples = samples_in_rows ? rows : cols;
  if (const auto whole = usable_in_place(type, from); whole && bytes.owner) {
    const Index skipped = samples_in_rows ? first : first * cols;
    const ValuesInPlace values = std::visit([&](auto* all) { return ValuesInPlace(all + skipped); }, *whole);
    if (samples_in_rows) return {values, samples, count, cols, 1, bytes.owner};
    return {values, samples, count, 1, cols, bytes.owner};
  }
  const auto values = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(samples * count));
  if (!samples_in_rows) {
    convert_numbers(type, from + first * cols * type.size, count * cols, values.get(), context);
    return {values.get(), samples, count, 1, cols, values};
  }
  context.parallel_for(samples, [&](Index i) {
    convert_numbers(type, from + (i * cols + first) * type.size, count, values.get() + i * count, context);
  });
  return {values.get(), samples, count, count, 1, values};
}

std::vector<std::string> numbered_from(Index first, Index count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index j = first + 1; j <= first + count; ++j) names.push_back("f" + std::to_string(j));
  return names;
}

bool is_cube(const Bytes& bytes, const std::filesystem::path& file) {
  return recognizes_envi(bytes.view) || (!recognizes_npy(bytes.view) && !find_envi_header(file).empty());
}

}  // namespace
}  // namespace io

std::optional<Index> features_to_divide(const std::filesystem::path& file, const ReadOptions& options,
                                        const Context& context) {
  if (std::filesystem::is_directory(file)) return std::nullopt;
  const io::Bytes bytes = io::load_file(file, context);
  if (io::recognizes_npy(bytes.view)) {
    const io::NpyHeader header = io::parse_npy_header(bytes.view, file.string());
    if (!io::can_be_divided(header, options)) return std::nullopt;
    return header.shape[options.samples_in == SamplesIn::rows ? 1 : 0];
  }
  if (options.features_are == FeaturesAre::pixels && io::is_cube(bytes, file)) {
    return io::count_pixels(io::load_cube(file, context).files);
  }
  return std::nullopt;
}

Dataset read_features(const std::filesystem::path& file, const ReadOptions& options, Index first, Index count,
                      const Context& context) {
  const io::Bytes bytes = io::load_file(file, context);
  Dataset dataset;
  dataset.name = file.stem().string();
  dataset.source = file.string();
  io::DenseValues values;
  if (io::recognizes_npy(bytes.view)) {
    const io::NpyHeader header = io::parse_npy_header(bytes.view, file.string());
    io::count_values(header, bytes.view, file.string());
    values = io::some_features(bytes, header, options, first, count, context);
    dataset.features = io::numbered_from(first, count);
    dataset.features_named = false;
    dataset.samples = numbered_names("s", values.rows);
  } else {
    io::FileTable table = io::envi_table(io::load_cube(file, context).files, options, context, {first, count});
    values = std::get<io::DenseValues>(table.values);
    dataset.features = std::move(table.column_names);
    dataset.samples = std::move(table.row_names);
    dataset.shape = std::move(table.shape);
    dataset.is_image = true;
  }
  dataset.values = SampleMatrix(values.values, values.rows, values.cols, values.row_stride, values.col_stride,
                                std::move(values.owner));
  return dataset;
}

}  // namespace disc

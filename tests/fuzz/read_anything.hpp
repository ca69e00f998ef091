// What all fuzz targets do: a reader gets any bytes at all, and may answer with a dataset or with an InputError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "disc/io.hpp"

namespace disc::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void read_anything(const std::uint8_t* data, std::size_t size, const std::string& name,
                          const ReadOptions& options) {
  static const Context context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}});
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const Dataset dataset = read_dataset_from_memory(bytes, name, options, context);
    // What comes back must hold together, and every value must be there to be read.
    require(dataset.values.rows() > 0 && dataset.values.cols() > 0);
    require(static_cast<Index>(dataset.features.size()) == dataset.values.cols());
    require(static_cast<Index>(dataset.samples.size()) == dataset.values.rows());
    const Index rows[] = {0, dataset.values.rows() - 1};
    const Index columns[] = {0, dataset.values.cols() - 1};
    RowMatrix part;
    for (const Index row : rows) dataset.values.copy_rows(row, 1, columns, part);
  } catch (const InputError&) {
    // The right answer to most inputs.
  }
}

}  // namespace disc::fuzz

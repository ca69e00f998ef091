// What a format is: one file with a reader, and one row of the table in formats.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "disc/io.hpp"
#include "io/bytes.hpp"

namespace disc::io {

/// Dense values in any strided layout.
struct DenseValues {
  const double* values = nullptr;
  Index rows = 0, cols = 0, row_stride = 0, col_stride = 0;
  std::shared_ptr<const void> owner;
};

/// What a file holds, rows and columns as in the file. Which of them are samples is settled afterwards, in one place.
struct FileTable {
  std::variant<DenseValues, std::shared_ptr<SparseMatrix>> values;  ///< shared: Eigen's sparse matrices cannot be moved
  std::vector<std::string> row_names, column_names;                 ///< empty: the file has none
  std::vector<std::string> notes;                                   ///< what was detected, for `inspect`
};

/// An input, decompressed; `file` stands for it in messages.
struct Source {
  Bytes bytes;
  std::string file;
};

struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;  ///< with the point, in lower case
  std::string_view description;
  bool (*recognises)(std::string_view bytes);
  FileTable (*read)(const Source& source, const ReadOptions& options, const Context& context);
};

bool recognises_csv(std::string_view bytes);
FileTable read_csv(const Source& source, const ReadOptions& options, const Context& context);
bool recognises_npy(std::string_view bytes);
FileTable read_npy(const Source& source, const ReadOptions& options, const Context& context);
bool recognises_npz(std::string_view bytes);
FileTable read_npz(const Source& source, const ReadOptions& options, const Context& context);
bool recognises_matrix_market(std::string_view bytes);
FileTable read_matrix_market(const Source& source, const ReadOptions& options, const Context& context);

/// A dataset with the notes of its reader and the name of its format.
struct ReadResult {
  Dataset dataset;
  std::string_view format;
  std::vector<std::string> notes;
};
ReadResult read_file(const std::filesystem::path& file, const ReadOptions& options, const Context& context);

}  // namespace disc::io

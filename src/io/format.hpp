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
  ValuesInPlace values;
  Index rows = 0, cols = 0, row_stride = 0, col_stride = 0;
  std::shared_ptr<const void> owner;
};

/// What a file holds, rows and columns as in the file. Which of them are samples is settled afterwards, in one place.
struct FileTable {
  std::variant<DenseValues, std::shared_ptr<SparseMatrix>> values;  ///< shared: Eigen's sparse matrices cannot be moved
  std::vector<std::string> row_names, column_names;                 ///< empty: the file has none
  std::vector<std::string> notes;                                   ///< what was detected, for `inspect`
  std::vector<LabelColumn> labels;                                  ///< of the samples
  std::vector<Index> shape;                                         ///< of the features, see Dataset
  bool is_image = false;                                            ///< see Dataset
  std::optional<SamplesIn> samples_in;  ///< where the format itself says what is a sample; the user is not asked

  std::pair<Index, Index> size() const;  ///< rows and columns
};

/// An input, decompressed; `file` stands for it in messages.
struct Source {
  Bytes bytes;
  std::string file;
  std::filesystem::path folder{};  ///< where files that belong to it lie; empty: it did not come from a file
};

struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;  ///< with the point, in lower case
  std::string_view description;
  bool (*recognizes)(std::string_view bytes);
  FileTable (*read)(const Source& source, const ReadOptions& options, const Context& context);
};

bool recognizes_csv(std::string_view bytes);
FileTable read_csv(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_npy(std::string_view bytes);
FileTable read_npy(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_npz(std::string_view bytes);
FileTable read_npz(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_matrix_market(std::string_view bytes);
FileTable read_matrix_market(const Source& source, const ReadOptions& options, const Context& context);

bool recognizes_idx(std::string_view bytes);
FileTable read_idx(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_mat(std::string_view bytes);
FileTable read_mat(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_h5ad(std::string_view bytes);
FileTable read_h5ad(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_loom(std::string_view bytes);
FileTable read_loom(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_xlsx(std::string_view bytes);
FileTable read_xlsx(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_10x_h5(std::string_view bytes);
FileTable read_10x_h5(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_hdf5(std::string_view bytes);
FileTable read_hdf5(const Source& source, const ReadOptions& options, const Context& context);

/// Folders that are one matrix, as Cell Ranger writes them.
bool recognizes_10x_folder(const std::filesystem::path& folder);
FileTable read_10x_folder(const std::filesystem::path& folder, const ReadOptions& options, const Context& context);
bool recognizes_gct(std::string_view bytes);
FileTable read_gct(const Source& source, const ReadOptions& options, const Context& context);
bool recognizes_nifti(std::string_view bytes);
FileTable read_nifti(const Source& source, const ReadOptions& options, const Context& context);
/// Given the header of an ENVI cube.
bool recognizes_envi(std::string_view bytes);
FileTable read_envi(const Source& source, const ReadOptions& options, const Context& context);
/// The header of a cube whose values are in `file`; empty if there is none beside it.
std::filesystem::path find_envi_header(const std::filesystem::path& file);

/// A dataset with the notes of its reader and the name of its format.
struct ReadResult {
  Dataset dataset;
  std::string_view format;
  std::vector<std::string> notes;
};
ReadResult read_file(const std::filesystem::path& file, const ReadOptions& options, const Context& context);

}  // namespace disc::io

#include "io/foreign_formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "disc/base.hpp"
#include "io/zip_archive.hpp"

namespace disc::io {
namespace {

constexpr const char* r_advice =
    "this is a file of R; in R: write.csv(data, \"data.csv\"), samples in rows, or for a Seurat object "
    "write.csv(t(as.matrix(GetAssayData(object))), \"data.csv\")";
constexpr const char* parquet_advice =
    "this is a Parquet or Feather file; in Python: disc.run(pandas.read_parquet(...), by=...), or save it with to_csv";
constexpr const char* zarr_advice =
    "this is a zarr store; in Python: anndata.read_zarr(\"data.zarr\").write_h5ad(\"data.h5ad\"), or for SpatialData "
    "the store "
    "under tables/";

bool has_extension(const std::string& file, std::string_view extension) {
  std::string name = file.substr(0, file.ends_with(".gz") ? file.size() - 3 : file.size());
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return name.ends_with(extension);
}

std::string advice_for_archive(std::string_view bytes, const std::string& file) {
  try {
    const ZipArchive archive(bytes, file);
    const auto holds = [&](std::string_view end) {
      return std::ranges::any_of(archive.members(), [&](const std::string& name) { return name.ends_with(end); });
    };
    if (holds("xl/workbook.bin")) return "this is a binary Excel file (.xlsb); save it as .xlsx or .csv";
    if (holds("content.xml")) return "this is a file of LibreOffice; save it as .xlsx or .csv";
    if (holds(".zgroup") || holds(".zarray") || holds("zarr.json")) return zarr_advice;
  } catch (const InputError&) {
  }
  return "";
}

}  // namespace

std::string advice_for_content(std::string_view bytes, const std::string& file) {
  if (bytes.starts_with("PK\x03\x04")) return advice_for_archive(bytes, file);
  if (bytes.starts_with("\xd0\xcf\x11\xe0")) return "this is an old Excel file (.xls); save it as .xlsx or .csv";
  if (bytes.starts_with("PAR1") || bytes.starts_with("ARROW1") || bytes.starts_with("FEA1")) return parquet_advice;
  if (bytes.starts_with("RDX") || bytes.starts_with("RDA") || bytes.starts_with(std::string_view("X\n\0\0\0", 5)))
    return r_advice;
  return "";
}

std::string advice_for_name(std::string_view bytes, const std::string& file) {
  const bool is_text = bytes.substr(0, 4096).find('\0') == std::string_view::npos && !bytes.starts_with("\x80");
  if (is_text) return "";
  constexpr std::array<std::string_view, 4> r_extensions{".rds", ".rdata", ".rda", ".qs"};
  const bool is_of_r =
      std::ranges::any_of(r_extensions, [&](auto extension) { return has_extension(file, extension); });
  if (is_of_r) return r_advice;
  if (has_extension(file, ".pkl") || has_extension(file, ".pickle")) {
    return "this is a pickled object of Python, which is not read: it could run anything; in Python: disc.run(data, "
           "...), or save a "
           "data frame with to_csv and an array with numpy.save";
  }
  return "";
}

std::string advice_for_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const char* name : {".zgroup", ".zattrs", ".zmetadata", ".zarray", "zarr.json"}) {
    if (std::filesystem::exists(folder / name, ignored)) return zarr_advice;
  }
  return "";
}

}  // namespace disc::io

// Arrays written the way numpy reads them. The same arrays always give the same bytes.
#include <zip.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>

#include "disc/io.hpp"

namespace disc {
namespace {

// The code points of a UTF-8 text; bytes that are not valid UTF-8 become the replacement character.
std::u32string code_points(std::string_view text) {
  constexpr char32_t replacement = 0xfffd;
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int following = lead < 0x80                   ? 0
                          : lead >= 0xc2 && lead < 0xe0 ? 1
                          : lead >= 0xe0 && lead < 0xf0 ? 2
                          : lead >= 0xf0 && lead < 0xf5 ? 3
                                                        : -1;
    char32_t point = following <= 0 ? lead : lead & (0x3fU >> following);
    bool valid = following >= 0;
    for (int k = 0; valid && k < following; ++k) {
      valid = at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
      if (valid) point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3f);
    }
    valid = valid && point < 0x110000 && !(point >= 0xd800 && point < 0xe000);
    points += valid ? point : replacement;
  }
  return points;
}

template <class T>
void append_little_endian(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

void append_header(std::string& bytes, const std::string& type, const std::vector<Index>& shape) {
  std::string lengths;
  for (const Index length : shape) lengths += std::to_string(length) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) lengths.resize(lengths.size() - 2);
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + lengths + "), }";
  // Values begin at a multiple of 64 bytes, after magic (6), version (2), length (2), and the line end.
  constexpr std::size_t before = 10, alignment = 64;
  header.append(alignment - (before + header.size() + 1) % alignment, ' ');
  header += '\n';
  bytes.append("\x93NUMPY\x01", 7);
  bytes += '\0';
  append_little_endian(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header;
}

struct CloseError {
  void operator()(zip_error_t* error) const {
    zip_error_fini(error);
    delete error;
  }
};

[[noreturn]] void fail(zip_error_t* error) {
  throw Error(std::string("cannot build an npz archive: ") + zip_error_strerror(error));
}

void add_member(zip_t* archive, const std::string& name, const std::string& bytes) {
  zip_source_t* member = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
  if (member == nullptr) fail(zip_get_error(archive));
  const zip_int64_t index = zip_file_add(archive, name.c_str(), member, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(member);
    fail(zip_get_error(archive));
  }
  // Doubles hardly shrink, so they are stored. The first day zip can express keeps the bytes reproducible.
  constexpr zip_uint16_t first_day = 1 << 5 | 1;
  const auto place = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, place, 0, first_day, 0) != 0) {
    fail(zip_get_error(archive));
  }
}

std::string contents(zip_source_t* source) {
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0) fail(zip_source_error(source));
  std::string bytes(status.size, '\0');
  const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (count != static_cast<zip_int64_t>(bytes.size())) fail(zip_source_error(source));
  return bytes;
}

}  // namespace

std::string encode_npy(const NamedArray& array) {
  std::string bytes;
  if (!array.integers.empty()) {
    append_header(bytes, "<i8", array.shape);
    for (const Index value : array.integers) append_little_endian(bytes, static_cast<std::int64_t>(value));
    return bytes;
  }
  if (array.texts.empty()) {
    append_header(bytes, "<f8", array.shape);
    bytes.reserve(bytes.size() + array.numbers.size() * sizeof(double));
    for (const double value : array.numbers) append_little_endian(bytes, value);
    return bytes;
  }
  std::vector<std::u32string> texts;
  std::size_t longest = 1;
  for (const std::string& text : array.texts) {
    texts.push_back(code_points(text));
    longest = std::max(longest, texts.back().size());
  }
  append_header(bytes, "<U" + std::to_string(longest), array.shape);
  for (std::u32string& text : texts) {
    text.resize(longest, U'\0');
    for (const char32_t point : text) append_little_endian(bytes, static_cast<std::uint32_t>(point));
  }
  return bytes;
}

std::string encode_npz(std::vector<NamedArray> arrays) {
  std::vector<std::string> members;  // must outlive the archive
  members.reserve(arrays.size());
  for (NamedArray& array : arrays) {
    members.push_back(encode_npy(array));
    array = {array.name, {}, {}, {}};  // arrays may be large: one at a time is there twice
  }
  const std::unique_ptr<zip_error_t, CloseError> error(new zip_error_t);
  zip_error_init(error.get());
  const std::unique_ptr<zip_source_t, decltype(&zip_source_free)> buffer(
      zip_source_buffer_create(nullptr, 0, 0, error.get()), &zip_source_free);
  if (!buffer) fail(error.get());
  zip_source_keep(buffer.get());  // one share is the archive's
  zip_t* opened = zip_open_from_source(buffer.get(), ZIP_CREATE | ZIP_TRUNCATE, error.get());
  if (opened == nullptr) {
    zip_source_free(buffer.get());
    fail(error.get());
  }
  std::unique_ptr<zip_t, decltype(&zip_discard)> archive(opened, &zip_discard);
  for (std::size_t i = 0; i < arrays.size(); ++i) add_member(archive.get(), arrays[i].name + ".npy", members[i]);
  if (zip_close(archive.get()) != 0) fail(zip_get_error(archive.get()));
  static_cast<void>(archive.release());  // closed
  members.clear();
  return contents(buffer.get());
}

std::string encode_dataset(const Dataset& dataset) {
  std::vector<NamedArray> arrays;
  const SampleMatrix& values = dataset.values;
  const auto text_array = [](const std::string& name, const std::vector<std::string>& texts) {
    return NamedArray{name, {static_cast<Index>(texts.size())}, {}, texts};
  };
  if (const SparseMatrix* sparse = values.sparse()) {
    const Index stored = sparse->nonZeros();
    const Index *columns = sparse->innerIndexPtr(), *starts = sparse->outerIndexPtr();
    arrays.push_back({"format", {}, {}, {"csr"}});
    arrays.push_back({"shape", {2}, {}, {}, {values.rows(), values.cols()}});
    arrays.push_back({"data", {stored}, {sparse->valuePtr(), sparse->valuePtr() + stored}, {}});
    arrays.push_back({"indices", {stored}, {}, {}, {columns, columns + stored}});
    arrays.push_back({"indptr", {values.rows() + 1}, {}, {}, {starts, starts + values.rows() + 1}});
  } else {
    std::vector<Index> all(static_cast<std::size_t>(values.cols()));
    std::iota(all.begin(), all.end(), Index{0});
    RowMatrix dense;
    values.copy_rows(0, values.rows(), all, dense);
    arrays.push_back(to_array("X", dense));
  }
  if (dataset.features_named) arrays.push_back(text_array("features", dataset.features));
  arrays.push_back(text_array("samples", dataset.samples));
  for (const LabelColumn& label : dataset.labels) arrays.push_back(text_array("label_" + label.name, label.values));
  return encode_npz(std::move(arrays));
}

NamedArray to_array(const std::string& name, const Matrix& values) { return to_array(name, RowMatrix(values)); }

NamedArray to_array(const std::string& name, const RowMatrix& values) {
  return {name, {values.rows(), values.cols()}, {values.data(), values.data() + values.size()}, {}};
}

}  // namespace disc

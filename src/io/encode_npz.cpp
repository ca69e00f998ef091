// Arrays written the way numpy reads them. The same arrays always give the same bytes.
#include <zip.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>

#include "io/bytes.hpp"
#include "io/npz_writer.hpp"
#include "io/zip_output.hpp"

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
using ZipError = std::unique_ptr<zip_error_t, CloseError>;

ZipError no_error() {
  ZipError error(new zip_error_t);
  zip_error_init(error.get());
  return error;
}

[[noreturn]] void fail(zip_error_t* error) {
  throw Error(std::string("cannot build an npz archive: ") + zip_error_strerror(error));
}

// A member as libzip reads it: it asks for the size first, then for the bytes, and closes it. Only then is the next one's turn.
class Encoded {
 public:
  explicit Encoded(const io::NpzMember& member) : member_(member) {}

  // What libzip calls. No exception may pass through it: lack of memory is an error of the archive.
  static zip_int64_t answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& encoded = *static_cast<Encoded*>(self);
    try {
      return encoded.answer(data, length, command);
    } catch (const std::exception&) {
      zip_error_set(&encoded.error_, ZIP_ER_MEMORY, 0);
      return -1;
    }
  }

 private:
  zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_STAT:
        if (!size_) make();
        return describe(*static_cast<zip_stat_t*>(data));
      case ZIP_SOURCE_OPEN:
        make();
        return 0;
      case ZIP_SOURCE_READ:
        return read(static_cast<char*>(data), length);
      case ZIP_SOURCE_CLOSE:
        bytes_ = {};
        is_made_ = false;
        return 0;
      case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&error_, data, length);
      case ZIP_SOURCE_FREE:
        return 0;
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_STAT, ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
      default:
        zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
  }

  void make() {
    if (is_made_) return;
    bytes_ = member_.npy();
    is_made_ = true;
    size_ = bytes_.size();
    taken_ = 0;
  }

  zip_int64_t describe(zip_stat_t& status) const {
    zip_stat_init(&status);
    status.size = *size_;
    status.valid = ZIP_STAT_SIZE;
    return static_cast<zip_int64_t>(sizeof status);
  }

  zip_int64_t read(char* data, zip_uint64_t length) {
    const std::size_t count = std::min<std::size_t>(length, bytes_.size() - taken_);
    std::memcpy(data, bytes_.data() + taken_, count);
    taken_ += count;
    return static_cast<zip_int64_t>(count);
  }

  const io::NpzMember& member_;
  std::string bytes_;
  std::optional<std::size_t> size_;
  std::size_t taken_ = 0;
  bool is_made_ = false;
  zip_error_t error_{};
};

void add_member(zip_t* archive, const std::string& name, Encoded& encoded) {
  zip_source_t* member = zip_source_function(archive, &Encoded::answer, &encoded);
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

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;

// Takes the source. None, and the error, if it cannot be opened.
Archive new_archive(zip_source_t* source, zip_error_t* error) {
  zip_t* opened = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, error);
  if (opened == nullptr && source != nullptr) zip_source_free(source);
  return {opened, &zip_discard};
}

// Returns what went wrong while it was written; nothing if all is well.
std::optional<std::string> fill_and_close(Archive archive, const std::vector<io::NpzMember>& members) {
  std::vector<Encoded> encoded(members.begin(), members.end());  // must outlive the archive
  for (std::size_t i = 0; i < members.size(); ++i) {
    add_member(archive.get(), members[i].name + ".npy", encoded[i]);
  }
  if (zip_close(archive.get()) != 0) {
    std::string reason = zip_error_strerror(zip_get_error(archive.get()));
    archive.reset();  // before what it reads
    return reason;
  }
  static_cast<void>(archive.release());  // closed
  return std::nullopt;
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

std::string io::encode_npy(const Matrix& values) {
  std::string bytes;
  append_header(bytes, "<f8", {values.rows(), values.cols()});
  bytes.reserve(bytes.size() + static_cast<std::size_t>(values.size()) * sizeof(double));
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) append_little_endian(bytes, values(i, j));
  }
  return bytes;
}

std::string io::encode_npz(const std::vector<NpzMember>& members) {
  const ZipError error = no_error();
  const std::unique_ptr<zip_source_t, decltype(&zip_source_free)> buffer(
      zip_source_buffer_create(nullptr, 0, 0, error.get()), &zip_source_free);
  if (!buffer) fail(error.get());
  zip_source_keep(buffer.get());  // one share is the archive's
  Archive archive = new_archive(buffer.get(), error.get());
  if (!archive) fail(error.get());
  if (const auto problem = fill_and_close(std::move(archive), members)) {
    throw Error("cannot build an npz archive: " + *problem);
  }
  return contents(buffer.get());
}

void io::write_npz(const std::filesystem::path& file, const std::filesystem::path& shown,
                   const std::vector<NpzMember>& members) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError("cannot write " + shown.string() + ": " + reason);
  };
  const ZipError error = no_error();
  ZipOutput output(file);
  Archive archive = new_archive(output.source(error.get()), error.get());
  if (!archive) refuse(zip_error_strerror(error.get()));
  if (const auto problem = fill_and_close(std::move(archive), members)) refuse(*problem);
}

std::string encode_npz(std::vector<NamedArray> arrays) {
  std::vector<io::NpzMember> members;
  members.reserve(arrays.size());
  for (NamedArray& array : arrays) {
    members.push_back({array.name, [&array] { return encode_npy(array); }});
  }
  return io::encode_npz(members);
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

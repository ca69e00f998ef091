#include "io/hdf5.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace disc::io {
namespace {

std::atomic<bool> quiet_at_exit = false;

// The library prints its errors unless told otherwise. Restored on leaving: the setting belongs to the caller's thread.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// The file begins at 0 or after a block for other programs of 512, 1024, ... bytes.
constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);

std::uint64_t little_endian(const char* from) {
  std::uint64_t value = 0;
  for (int k = 7; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(from[k]);
  return value;
}

// Texts lie in heaps, and the library (1.10.8) copies from them whatever length a damaged file names. So the lengths are looked at
// first: a heap says how long it is, then holds numbered objects of a length each, the last of which, number 0, is free.
bool heaps_hold_together(std::string_view bytes) {
  constexpr std::string_view mark("GCOL\x01\0\0\0", 8);
  constexpr std::size_t start = 16;  // of a heap and of an object: number, uses and length
  for (std::size_t at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at + 1)) {
    if (bytes.size() - at < start) return false;
    const std::uint64_t size = little_endian(bytes.data() + at + 8);
    if (size < start || size > bytes.size() - at) return false;
    std::string_view heap = bytes.substr(at, size);
    heap.remove_prefix(start);
    while (heap.size() >= start && (heap[0] != 0 || heap[1] != 0)) {
      const std::uint64_t length = little_endian(heap.data() + 8);
      if (length > heap.size() - start) return false;
      heap.remove_prefix(std::min<std::size_t>(start + (length + 7) / 8 * 8, heap.size()));
    }
  }
  return true;
}

// The library reads a file in memory through these: what it would copy is used where it lies, and never freed or written.
void* use_in_place(std::size_t, H5FD_file_image_op_t, void* bytes) { return bytes; }
void* copy_nothing(void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) { return to; }
void* refuse_growth(void*, std::size_t, H5FD_file_image_op_t, void*) { return nullptr; }
herr_t free_nothing(void*, H5FD_file_image_op_t, void*) { return 0; }
void* same_bytes(void* bytes) { return bytes; }
herr_t forget_bytes(void*) { return 0; }

Hdf5Handle open_in_place(std::string_view bytes) {
  void* const begin = const_cast<char*>(bytes.data());  // the library's interface is older than const
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5FD_file_image_callbacks_t callbacks{use_in_place, copy_nothing, refuse_growth, free_nothing,
                                        same_bytes,   forget_bytes, begin};
  constexpr std::size_t increment = 1 << 16;  // for files that grow; these do not
  if (H5Pset_fapl_core(access.id(), increment, false) < 0 || H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG) < 0 ||
      H5Pset_file_image_callbacks(access.id(), &callbacks) < 0 ||
      H5Pset_file_image(access.id(), begin, bytes.size()) < 0) {
    return {};
  }
  // Files of one name are taken for one file, so each gets its own.
  const std::string name = "bytes at " + std::to_string(reinterpret_cast<std::uintptr_t>(&access)) + " " +
                           std::to_string(reinterpret_cast<std::uintptr_t>(begin));
  return {H5Fopen(name.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose};
}

// A file that refers to another one would let a download read what it should not.
herr_t refuse_external_link(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) { return -1; }

// How much variable-length text may be allocated: each text of an honest file is stored once.
struct Budget {
  std::size_t left;
};
void* allocate(std::size_t size, void* budget) {
  std::size_t& left = static_cast<Budget*>(budget)->left;
  if (size > left) return nullptr;
  left -= size;
  return std::malloc(size);
}
void release(void* memory, void*) { std::free(memory); }

Hdf5Array::Kind kind_of(hid_t type) {
  using Kind = Hdf5Array::Kind;
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return Kind::integers;
    case H5T_FLOAT:
      return Kind::floats;
    case H5T_ENUM:  // numpy's bool becomes an enumeration of one byte
      return H5Tget_size(type) == 1 ? Kind::booleans : Kind::other;
    case H5T_STRING:
      return Kind::texts;
    case H5T_COMPOUND:
      return Kind::records;
    default:
      return Kind::other;
  }
}

std::string without_padding(std::string_view text, H5T_str_t padding) {
  text = text.substr(0, text.find('\0'));
  if (padding == H5T_STR_SPACEPAD) text = text.substr(0, text.find_last_not_of(' ') + 1);
  return std::string(text);
}

Hdf5Handle type_handle(hid_t id) { return {id, H5Tclose}; }

// What a name means where links may lead astray: each step is looked at before it is taken.
herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* list) {
  static_cast<std::vector<std::string>*>(list)->emplace_back(name);
  return 0;
}

}  // namespace

// ---- Arrays --------------------------------------------------------------------------------------------------------

Hdf5Array::Hdf5Array(Hdf5Handle object, bool is_attribute, std::string what, std::size_t file_size)
    : object_(std::move(object)), is_attribute_(is_attribute), what_(std::move(what)), file_size_(file_size) {
  const Silence silence;
  type_ = type_handle(is_attribute_ ? H5Aget_type(object_.id()) : H5Dget_type(object_.id()));
  const Hdf5Handle space(is_attribute_ ? H5Aget_space(object_.id()) : H5Dget_space(object_.id()), H5Sclose);
  if (!type_ || !space) refuse("its description is damaged");
  kind_ = kind_of(type_.id());
  const int axes = H5Sget_simple_extent_ndims(space.id());
  if (axes < 0) refuse("its shape is damaged");
  std::vector<hsize_t> lengths(static_cast<std::size_t>(axes));
  H5Sget_simple_extent_dims(space.id(), lengths.data(), nullptr);
  count_ = H5Sget_simple_extent_type(space.id()) == H5S_NULL ? 0 : 1;
  for (const hsize_t length : lengths) {
    if (length > static_cast<hsize_t>(std::numeric_limits<Index>::max()) ||
        __builtin_mul_overflow(count_, static_cast<Index>(length), &count_)) {
      refuse("its shape is larger than any memory");
    }
    shape_.push_back(static_cast<Index>(length));
  }
}

void Hdf5Array::refuse(const std::string& reason) const {
  throw InputError({.file = what_}, "cannot be read: " + reason);
}

// A shape costs nothing to write down. What is stored, blown up as far as deflate can, must be enough for it.
void Hdf5Array::check_storage(std::size_t item_size) const {
  std::size_t small = 0, max_compressed = 1;
  std::size_t stored = file_size_;
  if (!is_attribute_) {
    const Hdf5Handle creation(H5Dget_create_plist(object_.id()), H5Pclose);
    if (!creation) refuse("its description is damaged");
    if (H5Pget_external_count(creation.id()) != 0 || H5Pget_layout(creation.id()) == H5D_VIRTUAL) {
      refuse("its values are in another file; values must be in the file itself");
    }
    for (int i = 0; i < H5Pget_nfilters(creation.id()); ++i) {
      unsigned flags = 0;
      std::size_t settings = 0;
      char name[64] = "";
      const H5Z_filter_t filter = H5Pget_filter2(creation.id(), static_cast<unsigned>(i), &flags, &settings, nullptr,
                                                 sizeof name, name, nullptr);
      if (filter < 0 || H5Zfilter_avail(filter) > 0) continue;
      refuse("it is compressed by '" + printable(name) + "' (filter " + std::to_string(filter) +
             "), which is not supported; save it with gzip");
    }
    stored = std::min<std::size_t>(stored, H5Dget_storage_size(object_.id()));
    // What was never written is not stored, and reads as zeros, where it would be in chunks or in a place of its own. The values of
    // a compact dataset lie in its header: the library (1.10.8) copies as many as the shape says from wherever they end.
    if (H5Pget_layout(creation.id()) == H5D_CHUNKED ||
        (H5Pget_layout(creation.id()) == H5D_CONTIGUOUS && stored == 0)) {
      small = std::size_t{1} << 16;
      max_compressed = 1100;
    }
  }
  std::size_t needed = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(count_), item_size, &needed) ||
      needed / max_compressed > stored + small) {
    refuse("the shape claims " + std::to_string(count_) + " values but only " + std::to_string(stored) +
           " bytes are stored");
  }
}

void Hdf5Array::read(hid_t type, void* to, hid_t transfer) const {
  Hdf5Handle record;
  if (!field_.empty()) {
    record = type_handle(H5Tcreate(H5T_COMPOUND, H5Tget_size(type)));
    H5Tinsert(record.id(), field_.c_str(), 0, type);
    type = record.id();
  }
  const herr_t verdict =
      is_attribute_ ? H5Aread(object_.id(), type, to) : H5Dread(object_.id(), type, H5S_ALL, H5S_ALL, transfer, to);
  if (verdict < 0) refuse("it is truncated or damaged");
}

std::vector<double> Hdf5Array::numbers() const {
  const Silence silence;
  if (!is_number()) refuse("numbers are needed, and it holds something else");
  check_storage(H5Tget_size(type_.id()));
  std::vector<double> values(static_cast<std::size_t>(count_));
  if (values.empty()) return values;
  if (kind_ == Kind::booleans) {
    std::vector<signed char> raw(values.size());
    read(type_.id(), raw.data());
    std::copy(raw.begin(), raw.end(), values.begin());
  } else {
    read(H5T_NATIVE_DOUBLE, values.data());
  }
  return values;
}

std::vector<Index> Hdf5Array::whole_numbers() const {
  const Silence silence;
  if (kind_ != Kind::integers) refuse("whole numbers are needed, and it holds something else");
  check_storage(H5Tget_size(type_.id()));
  std::vector<Index> values(static_cast<std::size_t>(count_));
  static_assert(sizeof(Index) == 8);
  if (!values.empty()) read(H5T_NATIVE_INT64, values.data());
  return values;
}

std::vector<std::string> Hdf5Array::texts() const {
  const Silence silence;
  if (kind_ == Kind::texts) return H5Tis_variable_str(type_.id()) > 0 ? variable_texts() : fixed_texts();
  std::vector<std::string> words;
  for (const double value : numbers()) {
    if (kind_ == Kind::booleans) {
      words.emplace_back(value != 0 ? "True" : "False");
    } else {
      words.push_back(std::isnan(value) ? "" : format_number(value));
    }
  }
  return words;
}

std::vector<std::string> Hdf5Array::fixed_texts() const {
  const std::size_t length = H5Tget_size(type_.id());
  check_storage(length);
  const H5T_str_t padding = H5Tget_strpad(type_.id());
  std::string raw(static_cast<std::size_t>(count_) * length, '\0');
  if (count_ > 0) read(type_.id(), raw.data());
  std::vector<std::string> words;
  words.reserve(static_cast<std::size_t>(count_));
  for (Index i = 0; i < count_; ++i) {
    words.push_back(
        without_padding(std::string_view(raw).substr(static_cast<std::size_t>(i) * length, length), padding));
  }
  return words;
}

std::vector<std::string> Hdf5Array::variable_texts() const {
  constexpr std::size_t reference = 16;  // bytes in the file per text, beside the text
  check_storage(reference);
  Hdf5Handle type = type_handle(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5Tget_cset(type_.id()));
  Budget budget{2 * file_size_ + static_cast<std::size_t>(count_) + (std::size_t{1} << 16)};
  const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_vlen_mem_manager(transfer.id(), allocate, &budget, release, nullptr);
  std::vector<char*> pointers(static_cast<std::size_t>(count_), nullptr);
  // Attributes are allocated by the library itself; they are small: an object header limits them.
  const auto free_all = [&] {
    for (char* text : pointers) is_attribute_ ? static_cast<void>(H5free_memory(text)) : std::free(text);
  };
  try {
    if (count_ > 0) read(type.id(), pointers.data(), transfer.id());
  } catch (const InputError&) {
    free_all();
    throw;
  }
  std::vector<std::string> words;
  words.reserve(pointers.size());
  for (const char* text : pointers) words.emplace_back(text != nullptr ? text : "");
  free_all();
  return words;
}

std::vector<std::string> Hdf5Array::fields() const {
  std::vector<std::string> names;
  for (int i = 0; kind_ == Kind::records && i < H5Tget_nmembers(type_.id()); ++i) {
    char* name = H5Tget_member_name(type_.id(), static_cast<unsigned>(i));
    if (name != nullptr) names.emplace_back(name);
    H5free_memory(name);
  }
  return names;
}

Hdf5Array Hdf5Array::field(const std::string& name) && {
  const Silence silence;
  const int place = H5Tget_member_index(type_.id(), name.c_str());
  if (place < 0) refuse("its records have no field '" + printable(name) + "'");
  Hdf5Array part = std::move(*this);
  part.type_ = type_handle(H5Tget_member_type(part.type_.id(), static_cast<unsigned>(place)));
  part.field_ = name;
  part.kind_ = kind_of(part.type_.id());
  return part;
}

Hdf5Handle Hdf5Array::target() const {
  const Silence silence;
  if (H5Tequal(type_.id(), H5T_STD_REF_OBJ) <= 0 || count_ != 1) refuse("it is not a reference");
  hobj_ref_t reference{};
  read(H5T_STD_REF_OBJ, &reference);
  Hdf5Handle object(H5Rdereference2(object_.id(), H5P_DEFAULT, H5R_OBJECT, &reference), H5Oclose);
  if (!object || H5Iget_type(object.id()) != H5I_DATASET) refuse("it refers to nothing that can be read");
  return object;
}

// ---- Files ---------------------------------------------------------------------------------------------------------

void keep_hdf5_quiet_at_exit() { quiet_at_exit = true; }

bool is_hdf5(std::string_view bytes) {
  if (bytes.starts_with(signature)) return true;
  for (std::size_t place = 512; place < bytes.size(); place *= 2) {
    if (bytes.substr(place).starts_with(signature)) return true;
  }
  return false;
}

Hdf5File::Hdf5File(const Source& source) : source_(source) {
  // Comes before any other function of the library, and not before there is a file: without the memory that its first call takes the library
  // does not come back.
  if (quiet_at_exit.exchange(false)) H5dont_atexit();
  const Silence silence;
  if (!is_hdf5(source.bytes.view)) throw InputError({.file = source.file}, "is not an HDF5 file");
  file_ = open_in_place(source.bytes.view);
  if (!file_ || !heaps_hold_together(source.bytes.view)) {
    throw InputError({.file = source.file}, "the HDF5 file cannot be opened; it is truncated or damaged");
  }
  access_ = {H5Pcreate(H5P_LINK_ACCESS), H5Pclose};
  H5Pset_elink_cb(access_.id(), refuse_external_link, nullptr);
}

H5O_type_t Hdf5File::type_of(const std::string& path) const {
  const Silence silence;
  const Hdf5Handle object(H5Oopen(file_.id(), path.c_str(), access_.id()), H5Oclose);
  H5O_info_t info;
  if (!object || H5Oget_info2(object.id(), &info, H5O_INFO_BASIC) < 0) return H5O_TYPE_UNKNOWN;
  return info.type;
}

Hdf5Handle Hdf5File::open(const std::string& path) const {
  Hdf5Handle object(H5Oopen(file_.id(), path.c_str(), access_.id()), H5Oclose);
  if (object) return object;
  H5L_info_t link;
  const bool known = H5Lget_info(file_.id(), path.c_str(), &link, access_.id()) >= 0;
  throw InputError({.file = source_.file, .value = path},
                   known && link.type == H5L_TYPE_EXTERNAL
                       ? "'" + printable(path) + "' is a link to another file, which is not followed"
                       : "'" + printable(path) + "' cannot be opened: there is no such object, or the file is damaged");
}

std::vector<std::string> Hdf5File::members(const std::string& group) const {
  const Silence silence;
  std::vector<std::string> names;
  hsize_t place = 0;
  const Hdf5Handle object = open(group);
  if (H5Literate(object.id(), H5_INDEX_NAME, H5_ITER_INC, &place, add_name, &names) < 0) {
    throw InputError({.file = source_.file}, "the list of what is in '" + printable(group) + "' is damaged");
  }
  return names;
}

std::vector<std::string> Hdf5File::datasets() const {
  const Silence silence;
  return datasets_below(open("/"), access_, source_.file);
}

Hdf5Array Hdf5File::array(const std::string& path) const {
  const Silence silence;
  Hdf5Handle object = open(path);
  if (H5Iget_type(object.id()) != H5I_DATASET) {
    throw InputError({.file = source_.file, .value = path}, "'" + printable(path) + "' is not an array");
  }
  return {std::move(object), false, source_.file + " ('" + printable(path) + "')", source_.bytes.view.size()};
}

std::optional<Hdf5Array> Hdf5File::attribute(const std::string& path, const std::string& name) const {
  const Silence silence;
  const Hdf5Handle object = open(path);
  if (H5Aexists(object.id(), name.c_str()) <= 0) return std::nullopt;
  Hdf5Handle found(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const std::string what = source_.file + " (attribute '" + printable(name) + "' of '" + printable(path) + "')";
  if (!found) throw InputError({.file = what}, "cannot be read: it is damaged");
  return Hdf5Array(std::move(found), true, what, source_.bytes.view.size());
}

std::string Hdf5File::attribute_text(const std::string& path, const std::string& name) const {
  const std::optional<Hdf5Array> found = attribute(path, name);
  if (!found || !(found->is_number() || found->kind() == Hdf5Array::Kind::texts) || found->count() == 0) return "";
  return found->texts().front();
}

std::optional<Hdf5Array> Hdf5File::referred(const std::string& path, const std::string& name) const {
  const std::optional<Hdf5Array> found = attribute(path, name);
  if (!found) return std::nullopt;
  return Hdf5Array(found->target(), false, found->what(), source_.bytes.view.size());
}

}  // namespace disc::io

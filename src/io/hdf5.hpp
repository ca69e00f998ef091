// HDF5 files that are in memory, behind a small surface that believes nothing it reads: sizes are held against what is
// stored before anything is allocated, and nothing outside the file is ever opened.
#pragma once

#include <hdf5.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/format.hpp"

namespace disc::io {

/// An identifier of the HDF5 library, closed when it is no longer needed.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// A dataset, an attribute, or one field of a dataset of records.
class Hdf5Array {
 public:
  enum class Kind { integers, floats, booleans, texts, records, other };

  /// `what` stands for it in messages; `file_size` bounds what is allocated.
  Hdf5Array(Hdf5Handle object, bool is_attribute, std::string what, std::size_t file_size);

  Kind kind() const { return kind_; }
  bool is_number() const { return kind_ == Kind::integers || kind_ == Kind::floats || kind_ == Kind::booleans; }
  const std::vector<Index>& shape() const { return shape_; }
  Index count() const { return count_; }
  const std::string& what() const { return what_; }

  /// All values, the last axis fastest.
  std::vector<double> numbers() const;
  std::vector<Index> whole_numbers() const;
  /// Texts as they are, numbers written out (those that are not numbers as empty texts).
  std::vector<std::string> texts() const;

  /// Of records: the names of the fields, and one of them. Moves out of this array.
  std::vector<std::string> fields() const;
  Hdf5Array field(const std::string& name) &&;

  /// Of a reference to another object of the file: a handle to that object.
  Hdf5Handle target() const;

 private:
  void find_kind();
  void check_storage(std::size_t item_size) const;
  void read(hid_t type, void* to, hid_t transfer = H5P_DEFAULT) const;
  std::vector<std::string> fixed_texts() const;
  std::vector<std::string> variable_texts() const;
  [[noreturn]] void refuse(const std::string& reason) const;

  Hdf5Handle object_, type_;
  bool is_attribute_;
  std::string what_;
  std::size_t file_size_;
  std::string field_;  // empty: the whole
  Kind kind_ = Kind::other;
  std::vector<Index> shape_;
  Index count_ = 0;
};

/// For a program that only reads: at its end the library would complain about what a damaged file left open in it.
void keep_hdf5_quiet_at_exit();

/// Paths of the datasets below a group, by hard links only: no others lead to elsewhere. What cannot be opened is left out: the rest may
/// be fine. Throws InputError for groups nested without end.
std::vector<std::string> datasets_below(const Hdf5Handle& group, const Hdf5Handle& access, const std::string& file);

bool is_hdf5(std::string_view bytes);

class Hdf5File {
 public:
  /// The source must outlive it. Throws InputError if the library cannot open the bytes.
  explicit Hdf5File(const Source& source);

  bool has(const std::string& path) const { return is_group(path) || is_dataset(path); }
  bool is_group(const std::string& path) const { return type_of(path) == H5O_TYPE_GROUP; }
  bool is_dataset(const std::string& path) const { return type_of(path) == H5O_TYPE_DATASET; }
  /// Names in a group, sorted.
  std::vector<std::string> members(const std::string& group) const;
  /// Paths of all datasets that can be reached without a link to elsewhere.
  std::vector<std::string> datasets() const;

  Hdf5Array array(const std::string& path) const;
  std::optional<Hdf5Array> attribute(const std::string& path, const std::string& name) const;
  /// An attribute as text; empty if there is none or it has no value.
  std::string attribute_text(const std::string& path, const std::string& name) const;
  /// The dataset that an attribute refers to, if there is such an attribute.
  std::optional<Hdf5Array> referred(const std::string& path, const std::string& attribute) const;

 private:
  H5O_type_t type_of(const std::string& path) const;
  Hdf5Handle open(const std::string& path) const;

  const Source& source_;
  Hdf5Handle file_, access_;
};

}  // namespace disc::io

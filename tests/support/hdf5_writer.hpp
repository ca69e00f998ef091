// Small HDF5 files made in memory, good and bad ones, for the tests and the fuzz targets of the readers.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "disc/base.hpp"

namespace disc::test {

class Hdf5Writer {
 public:
  Hdf5Writer() {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 12, false);
    const std::string name = "in memory at " + std::to_string(reinterpret_cast<std::uintptr_t>(this));
    file_ = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    links_ = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links_, 1);
  }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;
  ~Hdf5Writer() {
    H5Pclose(links_);
    H5Fclose(file_);
  }

  void group(const std::string& path) { H5Gclose(H5Gcreate2(file_, path.c_str(), links_, H5P_DEFAULT, H5P_DEFAULT)); }

  /// Values of the given type, all in one compressed chunk if `deflated`.
  void numbers(const std::string& path, const std::vector<Index>& shape, const std::vector<double>& values,
               hid_t type = H5T_NATIVE_DOUBLE, bool deflated = false) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (deflated) {
      const std::vector<hsize_t> lengths(shape.begin(), shape.end());
      H5Pset_chunk(creation, static_cast<int>(lengths.size()), lengths.data());
      H5Pset_deflate(creation, 9);
    }
    const hid_t data = dataset(path, type, shape, creation);
    if (!values.empty()) H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(data);
    H5Pclose(creation);
  }
  void integers(const std::string& path, const std::vector<double>& values, hid_t type = H5T_STD_I32LE) {
    numbers(path, {static_cast<Index>(values.size())}, values, type);
  }
  /// Only the shape: nothing is stored.
  void claim(const std::string& path, const std::vector<Index>& shape) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(shape.size(), 16);
    H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
    H5Dclose(dataset(path, H5T_NATIVE_DOUBLE, shape, creation));
    H5Pclose(creation);
  }
  /// Values that are in another file.
  void outside(const std::string& path, const std::string& other, Index count) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, other.c_str(), 0, H5F_UNLIMITED);
    H5Dclose(dataset(path, H5T_NATIVE_DOUBLE, {count, 2}, creation));
    H5Pclose(creation);
  }

  void texts(const std::string& path, const std::vector<std::string>& values, bool variable = true) {
    const hid_t type = text_type(variable);
    const hid_t data = dataset(path, type, {static_cast<Index>(values.size())}, H5P_DEFAULT);
    if (!values.empty()) H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed(values, variable).data());
    H5Dclose(data);
    H5Tclose(type);
  }

  void attribute(const std::string& path, const std::string& name, const std::string& value) {
    const hid_t type = text_type(true), space = H5Screate(H5S_SCALAR);
    const hid_t object = H5Oopen(file_, path.c_str(), H5P_DEFAULT);
    const hid_t data = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* text = value.c_str();
    H5Awrite(data, type, &text);
    H5Aclose(data);
    H5Oclose(object);
    H5Sclose(space);
    H5Tclose(type);
  }
  void attribute(const std::string& path, const std::string& name, const std::vector<long long>& values) {
    const hsize_t length = values.size();
    const hid_t space = H5Screate_simple(1, &length, nullptr), object = H5Oopen(file_, path.c_str(), H5P_DEFAULT);
    const hid_t data = H5Acreate2(object, name.c_str(), H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(data, H5T_NATIVE_LLONG, values.data());
    H5Aclose(data);
    H5Oclose(object);
    H5Sclose(space);
  }

  void external_link(const std::string& path, const std::string& other) {
    H5Lcreate_external(other.c_str(), "/X", file_, path.c_str(), links_, H5P_DEFAULT);
  }
  void soft_link(const std::string& path, const std::string& target) {
    H5Lcreate_soft(target.c_str(), file_, path.c_str(), links_, H5P_DEFAULT);
  }
  void hard_link(const std::string& path, const std::string& target) {
    H5Lcreate_hard(file_, target.c_str(), file_, path.c_str(), links_, H5P_DEFAULT);
  }

  /// The bytes of the file.
  std::string image() const {
    H5Fflush(file_, H5F_SCOPE_LOCAL);
    std::string bytes(static_cast<std::size_t>(H5Fget_file_image(file_, nullptr, 0)), '\0');
    H5Fget_file_image(file_, bytes.data(), bytes.size());
    return bytes;
  }

 private:
  static constexpr std::size_t fixed_length = 16;

  static hid_t text_type(bool variable) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, variable ? H5T_VARIABLE : fixed_length);
    if (variable) H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  // What H5Dwrite wants: pointers, or texts of equal length.
  static std::string packed(const std::vector<std::string>& values, bool variable) {
    std::string bytes;
    for (const std::string& value : values) {
      if (variable) {
        const char* text = value.c_str();
        bytes.append(reinterpret_cast<const char*>(&text), sizeof text);
      } else {
        std::string text = value;
        text.resize(fixed_length, '\0');
        bytes += text;
      }
    }
    return bytes;
  }
  hid_t dataset(const std::string& path, hid_t type, const std::vector<Index>& shape, hid_t creation) {
    const std::vector<hsize_t> lengths(shape.begin(), shape.end());
    const hid_t space = H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr);
    const hid_t data = H5Dcreate2(file_, path.c_str(), type, space, links_, creation, H5P_DEFAULT);
    H5Sclose(space);
    return data;
  }

  hid_t file_, links_;
};

}  // namespace disc::test

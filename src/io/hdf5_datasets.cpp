// What datasets an HDF5 file has.
#include <set>

#include "io/hdf5.hpp"

namespace disc::io {
namespace {

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* list) {
  static_cast<std::vector<std::string>*>(list)->emplace_back(name);
  return 0;
}

class DatasetSearch {
 public:
  DatasetSearch(const std::string& file, hid_t access) : file_(file), access_(access) {}
  std::vector<std::string> paths() && { return std::move(paths_); }

  void walk(hid_t group, const std::string& prefix, int depth) {
    constexpr int deepest = 64;  // every step down a path costs the library as much as all before it
    if (depth > deepest) {
      throw InputError({.file = file_},
                       "groups lie in groups more than " + std::to_string(deepest) + " deep, which is not read");
    }
    std::vector<std::string> names;
    hsize_t place = 0;
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &place, add_name, &names) < 0) {
      throw InputError({.file = file_}, "the list of what is in the file is damaged");
    }
    for (const std::string& name : names) visit(group, prefix, name, depth);
  }

 private:
  void visit(hid_t group, const std::string& prefix, const std::string& name, int depth) {
    H5L_info_t link;
    if (H5Lget_info(group, name.c_str(), &link, access_) < 0 || link.type != H5L_TYPE_HARD) return;
    const Hdf5Handle object(H5Oopen(group, name.c_str(), access_), H5Oclose);
    H5O_info_t info;
    if (!object || H5Oget_info2(object.id(), &info, H5O_INFO_BASIC) < 0 || !seen_.insert(info.addr).second) return;
    if (info.type == H5O_TYPE_DATASET) paths_.push_back(prefix + name);
    if (info.type == H5O_TYPE_GROUP) walk(object.id(), prefix + name + "/", depth + 1);
  }

  const std::string& file_;
  hid_t access_;
  std::set<haddr_t> seen_;
  std::vector<std::string> paths_;
};

}  // namespace

std::vector<std::string> datasets_below(const Hdf5Handle& group, const Hdf5Handle& access, const std::string& file) {
  DatasetSearch search(file, access.id());
  search.walk(group.id(), "", 1);
  return std::move(search).paths();
}

}  // namespace disc::io

// Results of long stages, kept under a digest of what they were made from.
#pragma once

#include <chrono>
#include <cstring>
#include <span>
#include <type_traits>

#include "disc/matrix.hpp"

namespace disc {

/// Digest of everything that decides a result.
class Fingerprint {
 public:
  explicit Fingerprint(std::string stage) : stage_(std::move(stage)), digests_(version()) {}

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> Fingerprint& add(T value) {
    return add_bytes(&value, sizeof value);
  }
  template <class T>
  requires std::is_arithmetic_v<T> Fingerprint& add(std::span<const T> values) {
    return add_bytes(values.data(), values.size_bytes());
  }
  template <class Derived>
  Fingerprint& add(const Eigen::PlainObjectBase<Derived>& values) {
    add(values.rows()).add(values.cols());
    return add(std::span(values.data(), static_cast<std::size_t>(values.size())));
  }
  std::string name() const { return stage_ + "-" + hexadecimal(digest_of(digests_)); }

 private:
  Fingerprint& add_bytes(const void* data, std::size_t size) {
    digests_ += hexadecimal(digest_of({static_cast<const char*>(data), size}));
    return *this;
  }
  std::string stage_, digests_;
};

/// Writes numbers and arrays one after the other.
class Packer {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& value) { append(&value, sizeof value); }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size() * sizeof(T));
  }
  template <class Derived>
  void operator()(const Eigen::PlainObjectBase<Derived>& values) {
    (*this)(values.rows());
    (*this)(values.cols());
    append(values.data(), static_cast<std::size_t>(values.size()) * sizeof(typename Derived::Scalar));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::string bytes_;
};

/// Reads them back in the same order.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) { take(&value, sizeof value); }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t count = 0;
    (*this)(count);
    check(count, sizeof(T));
    values.resize(count);
    take(values.data(), count * sizeof(T));
  }
  template <class Derived>
  void operator()(Eigen::PlainObjectBase<Derived>& values) {
    Index rows = 0;
    Index cols = 0;
    (*this)(rows);
    (*this)(cols);
    if (rows < 0 || cols < 0) throw Error("a checkpoint has a negative size");
    check(static_cast<std::uint64_t>(rows),
          sizeof(typename Derived::Scalar) * std::max<std::size_t>(1, static_cast<std::size_t>(cols)));
    values.resize(rows, cols);
    take(values.data(), static_cast<std::size_t>(values.size()) * sizeof(typename Derived::Scalar));
  }

 private:
  void check(std::uint64_t count, std::size_t size) const {
    if (count > bytes_.size() / size) throw Error("a checkpoint is cut off");
  }
  void take(void* data, std::size_t size) {
    if (size > bytes_.size()) throw Error("a checkpoint is cut off");
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

/// What was kept under the fingerprint, or what `make` makes, which is kept if it took long. A T says what it consists of by
/// visit_parts(T&, F), which calls F for every part; `fingerprint`, which reads all that decides the
/// result, is called only where something was kept or is going to be.
template <class Print, class Make>
auto load_or_compute(const Context& context, const Print& fingerprint, const Make& make) -> decltype(make()) {
  using Result = decltype(make());
  Checkpoints* const checkpoints = context.checkpoints();
  if (checkpoints == nullptr) return make();
  if (!checkpoints->is_empty()) {
    if (const std::optional<std::string> bytes = checkpoints->find(fingerprint().name())) {
      Result result{};
      Unpacker unpack(*bytes);
      visit_parts(result, unpack);
      return result;
    }
  }
  const auto start = std::chrono::steady_clock::now();
  Result result = make();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  if (passed.count() < checkpoints->checkpoint_after()) return result;
  Packer pack;
  visit_parts(result, pack);
  checkpoints->keep(fingerprint().name(), pack.bytes());
  return result;
}

}  // namespace disc

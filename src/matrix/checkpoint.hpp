// Results of long stages, kept under a digest of what they were made from.
#pragma once

#include <chrono>
#include <cstring>
#include <span>
#include <type_traits>

#include "disc/matrix.hpp"
#include "disc/team.hpp"

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

/// A digest of columns that processes have some of each, whichever has which: those from `first` on are here.
std::uint64_t digest_of_columns(const MatrixF& own, Index first, const Team& team);

/// A result in two parts: facts, the same in every process, and as many bytes of rows for every feature, of which each has its own.
struct KeptParts {
  std::string facts, own_rows;
};
/// The first process finds and keeps for all: a job may go on with another number of processes.
std::optional<KeptParts> find_parts(const Checkpoints& checkpoints, const std::string& name, const Partition& partition,
                                    const Team& team);
void keep_parts(Checkpoints& checkpoints, const std::string& name, const KeptParts& parts, const Team& team);

/// What was kept under a name, or what `make` makes, which is kept if it took the first process long. A T says what it
/// consists of by visit_facts(T&, F), which calls F for every part, rows_of(T) and set_rows(T&, bytes, features); `name`,
/// which reads all that decides the result, is called only where something was kept or is going to be.
template <class Name, class Make>
auto load_or_compute(const Context& context, const Partition& partition, const Name& name, const Make& make)
    -> decltype(make()) {
  using Result = decltype(make());
  Checkpoints* const checkpoints = context.checkpoints();
  if (checkpoints == nullptr) return make();
  const Team& team = context.team();
  if (!checkpoints->is_empty() || team.size() > 1) {
    if (const std::optional<KeptParts> parts = find_parts(*checkpoints, name(), partition, team)) {
      Result result{};
      Unpacker unpack(parts->facts);
      visit_facts(result, unpack);
      set_rows(result, parts->own_rows, partition.count);
      return result;
    }
  }
  const auto start = std::chrono::steady_clock::now();
  Result result = make();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const bool is_long = team.rank() == 0 && passed.count() >= checkpoints->checkpoint_after();
  if (team.sum(is_long ? 1.0 : 0.0) == 0) return result;
  Packer pack;
  visit_facts(result, pack);
  keep_parts(*checkpoints, name(), {pack.bytes(), rows_of(result)}, team);
  return result;
}

}  // namespace disc

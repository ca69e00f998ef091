// The processes of a job, and how data go from one to another.
#pragma once

#include <mpi.h>

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "disc/matrix.hpp"
#include "disc/team.hpp"

namespace disc::distributed {

/// Contiguous slices of the features, one per process.
struct Partition {
  std::vector<Index> begin;  ///< of every process, and the end
  Index first = 0;           ///< of this process
  Index count = 0;           ///< of this process
  Index total() const { return begin.back(); }
  int owner(Index feature) const;
};

class MpiTeam final : public Team {
 public:
  explicit MpiTeam(MPI_Comm communicator);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(double* values, Index count) const override;
  MPI_Comm communicator() const { return communicator_; }

  double sum(double value) const;
  /// Slices of about equal size.
  Partition even_partition(Index total) const;
  /// From what every process has.
  Partition partition_of(Index own_count) const;

  /// The pieces of all processes, one after the other, in every process.
  template <class T>
  std::vector<T> gather_all(std::span<const T> own) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(to_size(total_of(static_cast<Index>(own.size()))));
    gather_bytes(own.data(), static_cast<Index>(own.size_bytes()), all.data());
    return all;
  }
  /// pieces[r] goes to process r; returns what the others had for this one, in their order.
  template <class T>
  std::vector<T> exchange(const std::vector<std::vector<T>>& pieces) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::span<const char>> bytes;
    bytes.reserve(pieces.size());
    for (const std::vector<T>& piece : pieces) {
      bytes.emplace_back(reinterpret_cast<const char*>(piece.data()), piece.size() * sizeof(T));
    }
    const std::vector<char> received = exchange_bytes(bytes);
    std::vector<T> values(received.size() / sizeof(T));
    if (!received.empty()) std::memcpy(values.data(), received.data(), received.size());
    return values;
  }
  /// The rows of all processes, in the first one; the others get a matrix of as many columns without rows.
  Matrix rows_to_first(const Matrix& own) const;
  /// The rows of all processes in every process.
  Matrix rows_to_all(const Matrix& own) const;
  Vector rows_to_all(const Vector& own) const;

  /// Passes `own` around the ring of processes and calls visit(r, what process r had) for every r, this process first. Values of
  /// two processes are in memory at once, of a third only while they travel.
  void ring(const MatrixF& own, const std::function<void(int from, const MatrixF& visiting)>& visit) const;
  void ring(const Matrix& own, const std::function<void(int from, const Matrix& visiting)>& visit) const;

  /// Text of the first process, in all of them.
  std::string from_first(std::string text) const;
  /// Bytes that belong to the features of every process, one after the other, in the first one, after `before`; the others get
  /// nothing.
  std::string rows_to_first(std::string_view before, std::string_view own) const;
  /// The way back: as many bytes of what the first process has for every feature.
  std::string rows_from_first(std::string_view all, const Partition& partition) const;

 private:
  static std::size_t to_size(Index i) { return static_cast<std::size_t>(i); }
  Index total_of(Index own) const;
  void send(const char* bytes, Index count, int to) const;
  void receive(char* bytes, Index count, int from) const;
  void gather_bytes(const void* own, Index count, void* all) const;
  std::vector<char> exchange_bytes(const std::vector<std::span<const char>>& pieces) const;
  template <class M>
  void pass_around(const M& own, const std::function<void(int, const M&)>& visit) const;

  MPI_Comm communicator_;
  int rank_ = 0, size_ = 1;
};

}  // namespace disc::distributed

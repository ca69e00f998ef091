// Processes that work on one problem together.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "disc/base.hpp"

namespace disc {

/// Contiguous slices of the features, one per process.
struct Partition {
  std::vector<Index> begin;  ///< of every process, and the end
  Index first = 0;           ///< of this process
  Index count = 0;           ///< of this process
  Index total() const { return begin.back(); }
  int owner(Index feature) const;
  bool is_own(Index feature) const { return feature >= first && feature < first + count; }
};

/// A process that works alone, and what processes of a job do otherwise: these say who they are, sum, and send to each other; the
/// rest is made of that. All processes of a team must call the same functions in the same order.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const { return 0; }  ///< this process, 0 .. size() - 1
  virtual int size() const { return 1; }
  /// Sends `out` to one process while `in` comes from another, which sends as much; nothing is sent or awaited where they are empty.
  virtual void transfer(std::span<const char> out, int to, std::span<char> in, int from) const;
  /// Every value becomes its sum over all processes, added in their order.
  virtual void sum(double* values, Index count) const;

  double sum(double value) const;
  /// Slices of about equal size.
  Partition even_partition(Index total) const;
  /// From what every process has.
  Partition partition_of(Index own_count) const;

  /// The pieces of all processes, one after the other, in every process.
  template <class T>
  std::vector<T> gather_all(std::span<const T> own) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const Partition places = partition_of(static_cast<Index>(own.size()));
    std::vector<T> all(static_cast<std::size_t>(places.total()));
    gather(own.data(), places, sizeof(T), all.data());
    return all;
  }
  /// pieces[r] goes to process r; returns what the others had for this one, in their order.
  template <class T>
  std::vector<T> exchange(const std::vector<std::vector<T>>& pieces) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<Index> sizes;
    for (const std::vector<T>& piece : pieces) sizes.push_back(static_cast<Index>(piece.size()));
    std::vector<Index> place(1, 0);
    for (const Index count : exchange_counts(sizes)) place.push_back(place.back() + count);
    std::vector<T> result(static_cast<std::size_t>(place.back()));
    in_turns([&](std::size_t to, std::size_t from) {
      transfer(bytes_of(pieces[to].data(), sizes[to]), static_cast<int>(to),
               bytes_of(result.data() + place[from], place[from + 1] - place[from]), static_cast<int>(from));
    });
    return result;
  }
  /// The rows of all processes in every process.
  template <class M>
  M rows_to_all(const M& own) const {
    const Partition rows = partition_of(own.rows());
    M all(rows.total(), own.cols());
    for (Index c = 0; c < own.cols(); ++c) gather(own.col(c).data(), rows, sizeof(double), all.col(c).data());
    return all;
  }
  /// The rows of all processes, in the first one; the others get a matrix of as many columns without rows.
  template <class M>
  M rows_to_first(const M& own) const {
    const Partition rows = partition_of(own.rows());
    M all(rank() == 0 ? rows.total() : 0, own.cols());
    for (Index c = 0; c < own.cols(); ++c) {  // so that only the result takes memory
      if (rank() > 0) transfer(bytes_of(own.col(c).data(), own.rows()), 0, {}, 0);
      if (rank() > 0) continue;
      all.col(c).head(own.rows()) = own.col(c);
      for (std::size_t r = 1; r + 1 < rows.begin.size(); ++r) {
        const Index first = rows.begin[r];
        transfer({}, 0, bytes_of(all.col(c).data() + first, rows.begin[r + 1] - first), static_cast<int>(r));
      }
    }
    return all;
  }

  /// Passes a matrix around the ring of processes and calls visit(r, what process r had) for every r, this process first and the
  /// one after it last. Matrices of two processes are in memory at once, of a third only while they travel.
  template <class M, class Visit>
  void ring(const M& own, Visit&& visit) const {
    visit(rank(), own);
    const Partition widths = partition_of(own.cols());
    M holding;
    const M* here = &own;
    for (int step = 1; step < size(); ++step) {
      const int from = (rank() - step + size()) % size();
      const auto at = static_cast<std::size_t>(from);
      M arriving(own.rows(), widths.begin[at + 1] - widths.begin[at]);
      transfer(bytes_of(here->data(), here->size()), (rank() + 1) % size(), bytes_of(arriving.data(), arriving.size()),
               (rank() - 1 + size()) % size());
      holding = std::move(arriving);
      here = &holding;
      visit(from, *here);
    }
  }
  bool is_last_of_ring(int from) const { return from == (rank() + 1) % size(); }

  /// Text of the first process, in all of them.
  std::string from_first(std::string text) const;
  /// Bytes that belong to the features of every process, one after the other, in the first one, after `before`; the others get
  /// nothing.
  std::string rows_to_first(std::string_view before, std::string_view own) const;
  /// The way back: as many bytes of what the first process has for every feature.
  std::string rows_from_first(std::string_view all, const Partition& partition) const;

 private:
  template <class T>
  static std::span<const char> bytes_of(const T* values, Index count) {
    return {reinterpret_cast<const char*>(values), static_cast<std::size_t>(count) * sizeof(T)};
  }
  template <class T>
  static std::span<char> bytes_of(T* values, Index count) {
    return {reinterpret_cast<char*>(values), static_cast<std::size_t>(count) * sizeof(T)};
  }
  // Calls step(to, from) for every process and for the one that has its turn with this one then, this process first.
  template <class Step>
  void in_turns(Step&& step) const {
    for (int turn = 0; turn < size(); ++turn) {
      step(static_cast<std::size_t>((rank() + turn) % size()),
           static_cast<std::size_t>((rank() - turn + size()) % size()));
    }
  }
  void gather(const void* own, const Partition& places, std::size_t each, void* all) const;
  std::vector<Index> exchange_counts(const std::vector<Index>& counts) const;
};

// For processes that have the same data and divide the work; a process that works alone has nullptr.

/// How many processes there are.
int processes(const Team* team);
/// The items of 0 .. count - 1 that fall to this process.
std::vector<Index> own_share(const Team* team, Index count);
/// Every value becomes its sum over the processes.
void sum_over(const Team* team, std::span<double> values);

}  // namespace disc

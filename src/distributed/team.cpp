#include "distributed/team.hpp"

#include <algorithm>
#include <limits>

namespace disc::distributed {
namespace {

// MPI counts in int. Longer messages go in pieces.
constexpr Index longest_message = Index{1} << 30;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Send>
void in_pieces(Index bytes, Send&& send) {
  for (Index first = 0; first < bytes; first += longest_message) {
    send(first, static_cast<int>(std::min(longest_message, bytes - first)));
  }
}

}  // namespace

int Partition::owner(Index feature) const {
  return static_cast<int>(std::upper_bound(begin.begin(), begin.end(), feature) - begin.begin()) - 1;
}

MpiTeam::MpiTeam(MPI_Comm communicator) : communicator_(communicator) {
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &size_);
}

void MpiTeam::sum(double* values, Index count) const {
  constexpr Index at_once = longest_message / static_cast<Index>(sizeof(double));
  for (Index first = 0; first < count; first += at_once) {
    MPI_Allreduce(MPI_IN_PLACE, values + first, static_cast<int>(std::min(at_once, count - first)), MPI_DOUBLE, MPI_SUM,
                  communicator_);
  }
}

double MpiTeam::sum(double value) const {
  sum(&value, 1);
  return value;
}

Partition MpiTeam::even_partition(Index total) const {
  Partition partition;
  for (int r = 0; r <= size_; ++r) partition.begin.push_back(total * r / size_);
  partition.first = partition.begin[at(rank_)];
  partition.count = partition.begin[at(rank_) + 1] - partition.first;
  return partition;
}

Partition MpiTeam::partition_of(Index own_count) const {
  const std::vector<Index> counts = gather_all<Index>(std::span(&own_count, 1));
  Partition partition;
  partition.begin.assign(1, 0);
  for (const Index count : counts) partition.begin.push_back(partition.begin.back() + count);
  partition.first = partition.begin[at(rank_)];
  partition.count = own_count;
  return partition;
}

Index MpiTeam::total_of(Index own) const {
  Index total = 0;
  static_assert(sizeof(Index) == sizeof(std::int64_t));
  MPI_Allreduce(&own, &total, 1, MPI_INT64_T, MPI_SUM, communicator_);
  return total;
}

// One process after the other sends to all: simple, and no count of all bytes together has to fit an int.
void MpiTeam::gather_bytes(const void* own, Index count, void* all) const {
  std::vector<Index> counts(at(size_));
  MPI_Allgather(&count, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, communicator_);
  char* to = static_cast<char*>(all);
  for (int r = 0; r < size_; ++r) {
    if (r == rank_ && count > 0) std::memcpy(to, own, at(count));
    in_pieces(counts[at(r)], [&](Index first, int bytes) { MPI_Bcast(to + first, bytes, MPI_BYTE, r, communicator_); });
    to += counts[at(r)];
  }
}

// In turns: with process (rank + step), from process (rank - step).
std::vector<char> MpiTeam::exchange_bytes(const std::vector<std::span<const char>>& pieces) const {
  std::vector<Index> sent, received(at(size_));
  for (const auto& piece : pieces) sent.push_back(static_cast<Index>(piece.size()));
  MPI_Alltoall(sent.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T, communicator_);
  std::vector<Index> place(at(size_) + 1, 0);
  for (int r = 0; r < size_; ++r) place[at(r) + 1] = place[at(r)] + received[at(r)];
  std::vector<char> result(at(place.back()));
  for (int step = 0; step < size_; ++step) {
    const int to = (rank_ + step) % size_;
    const int from = (rank_ - step + size_) % size_;
    const Index most = std::max(sent[at(to)], received[at(from)]);
    // Both sides of a pair may need different numbers of pieces: each sends and receives until both have all.
    for (Index first = 0; first < std::max<Index>(1, most); first += longest_message) {
      const auto part = [&](Index total) {
        return static_cast<int>(std::clamp<Index>(total - first, 0, longest_message));
      };
      const int out = part(sent[at(to)]);
      const int in = part(received[at(from)]);
      MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
      if (in > 0)
        MPI_Irecv(result.data() + place[at(from)] + first, in, MPI_BYTE, from, 0, communicator_, &requests[0]);
      if (out > 0) MPI_Isend(pieces[at(to)].data() + first, out, MPI_BYTE, to, 0, communicator_, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
  }
  return result;
}

void MpiTeam::send(const char* bytes, Index count, int to) const {
  in_pieces(count, [&](Index first, int piece) { MPI_Send(bytes + first, piece, MPI_BYTE, to, 0, communicator_); });
}

void MpiTeam::receive(char* bytes, Index count, int from) const {
  in_pieces(count, [&](Index first, int piece) {
    MPI_Recv(bytes + first, piece, MPI_BYTE, from, 0, communicator_, MPI_STATUS_IGNORE);
  });
}

std::string MpiTeam::rows_to_first(std::string_view before, std::string_view own) const {
  const Partition pieces = partition_of(static_cast<Index>(own.size()));
  if (rank_ > 0) {
    send(own.data(), pieces.count, 0);
    return {};
  }
  std::string all;
  all.reserve(before.size() + at(pieces.total()));  // in one piece, and once: it may be large
  all.append(before).append(own).resize(before.size() + at(pieces.total()));
  for (int r = 1; r < size_; ++r) {
    const Index begin = pieces.begin[at(r)];
    receive(all.data() + before.size() + begin, pieces.begin[at(r) + 1] - begin, r);
  }
  return all;
}

std::string MpiTeam::rows_from_first(std::string_view all, const Partition& partition) const {
  const Index each = total_of(rank_ == 0 ? static_cast<Index>(all.size()) / partition.total() : 0);
  std::string own(at(each * partition.count), '\0');
  if (rank_ > 0) {
    receive(own.data(), each * partition.count, 0);
    return own;
  }
  own = all.substr(0, own.size());
  for (int r = 1; r < size_; ++r) {
    const Index begin = partition.begin[at(r)];
    send(all.data() + each * begin, each * (partition.begin[at(r) + 1] - begin), r);
  }
  return own;
}

Matrix MpiTeam::rows_to_first(const Matrix& own) const {
  constexpr auto each = static_cast<Index>(sizeof(double));
  const Partition rows = partition_of(own.rows());
  Matrix all(rank_ == 0 ? rows.total() : 0, own.cols());
  // Column by column, so that only the result takes memory.
  for (Index c = 0; c < own.cols(); ++c) {
    for (int r = 0; r < size_; ++r) {
      const Index count = rows.begin[at(r) + 1] - rows.begin[at(r)];
      if (rank_ == 0 && r == 0) {
        all.col(c).head(count) = own.col(c);
      } else if (rank_ == 0) {
        receive(reinterpret_cast<char*>(&all(rows.begin[at(r)], c)), count * each, r);
      } else if (rank_ == r) {
        send(reinterpret_cast<const char*>(own.col(c).data()), count * each, 0);
      }
    }
  }
  return all;
}

Matrix MpiTeam::rows_to_all(const Matrix& own) const {
  Matrix all(total_of(own.rows()), own.cols());
  for (Index c = 0; c < own.cols(); ++c) {
    gather_bytes(own.col(c).data(), own.rows() * static_cast<Index>(sizeof(double)), all.col(c).data());
  }
  return all;
}

Vector MpiTeam::rows_to_all(const Vector& own) const {
  Vector all(total_of(own.size()));
  gather_bytes(own.data(), own.size() * static_cast<Index>(sizeof(double)), all.data());
  return all;
}

template <class M>
void MpiTeam::pass_around(const M& own, const std::function<void(int, const M&)>& visit) const {
  visit(rank_, own);
  const Index columns = own.cols();
  const std::vector<Index> widths = gather_all<Index>(std::span(&columns, 1));
  const int next = (rank_ + 1) % size_;
  const int before = (rank_ - 1 + size_) % size_;
  M holding;
  const M* here = &own;
  for (int step = 1; step < size_; ++step) {
    const int from = (rank_ - step + size_) % size_;
    M arriving(own.rows(), widths[at(from)]);
    constexpr auto each = static_cast<Index>(sizeof(typename M::Scalar));
    const Index out = here->size() * each;
    const Index in = arriving.size() * each;
    for (Index first = 0; first < std::max(out, in); first += longest_message) {
      const auto part = [&](Index total) {
        return static_cast<int>(std::clamp<Index>(total - first, 0, longest_message));
      };
      MPI_Sendrecv(reinterpret_cast<const char*>(here->data()) + first, part(out), MPI_BYTE, next, 0,
                   reinterpret_cast<char*>(arriving.data()) + first, part(in), MPI_BYTE, before, 0, communicator_,
                   MPI_STATUS_IGNORE);
    }
    holding = std::move(arriving);
    here = &holding;
    visit(from, holding);
  }
}

void MpiTeam::ring(const MatrixF& own, const std::function<void(int from, const MatrixF& visiting)>& visit) const {
  pass_around(own, visit);
}
void MpiTeam::ring(const Matrix& own, const std::function<void(int from, const Matrix& visiting)>& visit) const {
  pass_around(own, visit);
}

std::string MpiTeam::from_first(std::string text) const {
  const Index own = rank_ == 0 ? static_cast<Index>(text.size()) : 0;
  text.resize(at(total_of(own)));
  in_pieces(static_cast<Index>(text.size()),
            [&](Index first, int bytes) { MPI_Bcast(text.data() + first, bytes, MPI_BYTE, 0, communicator_); });
  return text;
}

}  // namespace disc::distributed

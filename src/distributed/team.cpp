#include "distributed/team.hpp"

#include <algorithm>

namespace disc::distributed {
namespace {

// MPI counts in int. Longer messages go in pieces.
constexpr std::size_t longest_message = std::size_t{1} << 30;

}  // namespace

MpiTeam::MpiTeam(MPI_Comm communicator) : communicator_(communicator) {
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &size_);
}

void MpiTeam::sum(double* values, Index count) const {
  constexpr Index at_once = longest_message / sizeof(double);
  for (Index first = 0; first < count; first += at_once) {
    MPI_Allreduce(MPI_IN_PLACE, values + first, static_cast<int>(std::min(at_once, count - first)), MPI_DOUBLE, MPI_SUM,
                  communicator_);
  }
}

// Both sides of a pair may need different numbers of pieces: each sends and receives until it has all.
void MpiTeam::transfer(std::span<const char> out, int to, std::span<char> in, int from) const {
  if (to == rank_ && from == rank_) return Team::transfer(out, to, in, from);
  while (!out.empty() || !in.empty()) {
    const auto sent = out.first(std::min(longest_message, out.size()));
    const auto received = in.first(std::min(longest_message, in.size()));
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (!received.empty()) {
      MPI_Irecv(received.data(), static_cast<int>(received.size()), MPI_BYTE, from, 0, communicator_, &requests[0]);
    }
    if (!sent.empty()) {
      MPI_Isend(sent.data(), static_cast<int>(sent.size()), MPI_BYTE, to, 0, communicator_, &requests[1]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    out = out.subspan(sent.size());
    in = in.subspan(received.size());
  }
}

}  // namespace disc::distributed

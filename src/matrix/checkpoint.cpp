#include "matrix/checkpoint.hpp"

namespace disc {
namespace {

// "Nothing was found" must differ from "what was found is empty".
constexpr char found_mark = '+';

}  // namespace

std::uint64_t digest_of_columns(const MatrixF& own, Index first, const Team& team) {
  std::uint64_t sum = 0;  // in any order; a place counts by its odd factor
  const auto size = static_cast<std::size_t>(own.rows()) * sizeof(float);
  for (Index j = 0; j < own.cols(); ++j) {
    const auto factor = 2 * static_cast<std::uint64_t>(first + j) + 1;
    sum += factor * digest_of({reinterpret_cast<const char*>(own.col(j).data()), size});
  }
  std::uint64_t total = 0;
  for (const std::uint64_t part : team.gather_all<std::uint64_t>({&sum, 1})) total += part;
  return total;
}

std::optional<KeptParts> find_parts(const Checkpoints& checkpoints, const std::string& name, const Partition& partition,
                                    const Team& team) {
  std::string facts;
  std::optional<std::string> bytes;  // facts, then the rows of all features
  std::string_view rows;
  if (team.rank() == 0) bytes = checkpoints.find(name);
  if (bytes) {
    Unpacker unpack(*bytes);
    std::vector<char> packed;
    unpack(packed);
    facts = found_mark + std::string(packed.begin(), packed.end());
    rows = std::string_view(*bytes).substr(sizeof(std::uint64_t) + packed.size());
  }
  facts = team.from_first(std::move(facts));
  if (facts.empty()) return std::nullopt;
  return KeptParts{facts.substr(1), team.rows_from_first(rows, partition)};
}

void keep_parts(Checkpoints& checkpoints, const std::string& name, const KeptParts& parts, const Team& team) {
  Packer pack;
  pack(std::vector<char>(parts.facts.begin(), parts.facts.end()));
  const std::string bytes = team.rows_to_first(pack.bytes(), parts.own_rows);
  if (team.rank() == 0) checkpoints.keep(name, bytes);
}

}  // namespace disc

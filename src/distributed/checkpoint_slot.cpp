#include "distributed/checkpoint_slot.hpp"

namespace disc::distributed {
namespace {

// "Nothing was found" must differ from "what was found is empty".
constexpr char found_mark = '+';

}  // namespace

TeamCheckpoints::TeamCheckpoints(std::shared_ptr<Checkpoints> kept, const std::string& identity, const MpiTeam& team)
    : kept_(std::move(kept)), identity_(hexadecimal(digest_of(std::string(version()) + identity))), team_(team) {}

std::optional<std::string> TeamCheckpoints::find(const std::string& name) const {
  std::string text;
  if (team_.rank() == 0) {
    if (const auto bytes = kept_->find(full_name(name))) text = found_mark + *bytes;
  }
  text = team_.from_first(std::move(text));
  return text.empty() ? std::nullopt : std::optional(text.substr(1));
}

void TeamCheckpoints::keep(const std::string& name, std::string_view bytes) noexcept {
  if (team_.rank() == 0) kept_->keep(full_name(name), bytes);
}

std::optional<TeamCheckpoints::Parts> TeamCheckpoints::find(const std::string& name, const Partition& partition) const {
  std::string facts;
  std::optional<std::string> bytes;  // facts, then the rows of all features
  std::string_view rows;
  if (team_.rank() == 0) bytes = kept_->find(full_name(name));
  if (bytes) {
    Unpacker unpack(*bytes);
    std::vector<char> packed;
    unpack(packed);
    facts = found_mark + std::string(packed.begin(), packed.end());
    rows = std::string_view(*bytes).substr(sizeof(std::uint64_t) + packed.size());
  }
  facts = team_.from_first(std::move(facts));
  if (facts.empty()) return std::nullopt;
  return Parts{facts.substr(1), team_.rows_from_first(rows, partition)};
}

void TeamCheckpoints::keep(const std::string& name, double seconds, const Parts& parts) {
  const bool is_long = team_.rank() == 0 && seconds >= checkpoint_after();
  if (team_.sum(is_long ? 1.0 : 0.0) == 0) return;
  Packer pack;
  pack(std::vector<char>(parts.facts.begin(), parts.facts.end()));
  keep(name, team_.rows_to_first(pack.bytes(), parts.own_rows));
}

std::string rows_of(const Eigenpairs& pairs) {
  const RowMatrix rows = pairs.vectors;
  return {reinterpret_cast<const char*>(rows.data()), static_cast<std::size_t>(rows.size()) * sizeof(double)};
}

void set_rows(Eigenpairs& pairs, std::string_view rows, Index features) {
  RowMatrix own(features, pairs.values.size());
  const std::size_t size = static_cast<std::size_t>(own.size()) * sizeof(double);
  if (rows.size() != size) throw Error("a checkpoint does not fit the features");
  if (size > 0) std::memcpy(own.data(), rows.data(), size);
  pairs.vectors = own;
}

std::string rows_of(const OwnNearest& nearest) {
  return {reinterpret_cast<const char*>(nearest.of.data()), nearest.of.size() * sizeof(std::int32_t)};
}

void set_rows(OwnNearest& nearest, std::string_view rows, Index features) {
  nearest.of.resize(static_cast<std::size_t>(features * nearest.count));
  if (rows.size() != nearest.of.size() * sizeof(std::int32_t)) throw Error("a checkpoint does not fit the features");
  if (!rows.empty()) std::memcpy(nearest.of.data(), rows.data(), rows.size());
}

}  // namespace disc::distributed
